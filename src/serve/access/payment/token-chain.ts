import { createPublicClient, erc20Abi, type Transport } from "viem";
import type { BlockCalendar } from "../../../kernel/block-calendar.ts";
import { ServiceError } from "../../../kernel/error.ts";
import type { Hex } from "../../../kernel/hex.ts";
import { isSignedByKey, type SignedData } from "./authorization-signature.ts";
import { type AuthorizationState, readAt } from "./authorization-state.ts";
import { findBlockAt, readHead } from "./block-search.ts";
import { type ChainPayment, isUsed, type Token } from "./use-search.ts";

/** What a payment needs on chain, at one block. */
export interface PayerView {
  block: number;
  /** Whether the authorization is used or canceled. */
  used: boolean;
  /** Base units that the payer has. */
  balance: bigint;
}

/** Reads the state of payments from the chain, through our own endpoints. The chain decides about every payment. */
export type TokenChain = ReturnType<typeof openTokenChain>;

export interface TokenChainOptions {
  transport: Transport;
  /** The token that we are paid in (EIP-3009). */
  asset: Hex;
  /** When the chain makes its blocks. It only tells where to look first: the chain's own times decide. */
  calendar: BlockCalendar;
  /** Each endpoint by itself. */
  witnesses?: readonly Transport[] | undefined;
  /** Milliseconds since the epoch. It only tells which endpoints have stood still. */
  now?: () => number;
  /** Called when an endpoint denies a large transfer that another one shows. */
  onDispute?: ((believed: boolean) => void) | undefined;
}

export function openTokenChain(options: TokenChainOptions) {
  const { transport, asset, calendar, witnesses = [], now = Date.now, onDispute = () => {} } = options;
  const tokenAt = (endpoint: Transport): Token => ({
    client: createPublicClient({ transport: endpoint }),
    ...{ asset, calendar },
  });
  const token = tokenAt(transport);
  const { client } = token;
  const others = witnesses.map(tokenAt);
  return {
    /**
     * No single endpoint can take a payment back: where another one shows it, the state is `unclear`. So it is where more of them deny
     * a large payment than show it. Rejects with ServiceError `payments_unavailable` when no endpoint answers.
     */
    async readAuthorization(payment: ChainPayment): Promise<AuthorizationState> {
      const found = await readHead(token)
        .then((head) => readAt(token, payment, head))
        .catch(refuse);
      return judgedBy(others, { payment, found, since: now() / 1000 - staleSeconds }, onDispute);
    },
    /** Looks at the payer before anything is spent. Rejects with ServiceError `payments_unavailable`. */
    async look({ payer, nonce }: { payer: string; nonce: string }): Promise<PayerView> {
      const { number: blockNumber } = await readHead(token).catch(refuse);
      const owner = { address: asset, abi: erc20Abi, functionName: "balanceOf", args: [payer as Hex] } as const;
      const [used, balance] = await Promise.all([
        isUsed(token, { payer, nonce }, blockNumber),
        client.readContract({ ...owner, blockNumber }),
      ]).catch(refuse);
      return { block: Number(blockNumber), used, balance };
    },
    hasAuthorized: (signed: SignedData) => hasAuthorized(token, signed),
    /**
     * Whether the contract at this address says that it signed the text (EIP-1271). Rejects with ServiceError
     * `payments_unavailable`.
     */
    async isSignedBy(signed: { address: Hex; message: string; signature: Hex }): Promise<boolean> {
      const code = await client.getCode({ address: signed.address }).catch(refuse);
      return code === undefined ? false : client.verifyMessage(signed).catch(refuse);
    },
    /**
     * The number of the newest block that is at least so many seconds older than the newest one; negative where the chain is younger.
     * Rejects with ServiceError `payments_unavailable`.
     */
    async blockBefore(seconds: number): Promise<number> {
      const head = await readHead(token).catch(refuse);
      if (seconds === 0) return Number(head.number);
      const first = await findBlockAt(token, Number(head.timestamp) - seconds + 1, head).catch(refuse);
      return Number(first) - 1;
    },
    /** The time of a block in Unix seconds. Rejects with ServiceError `payments_unavailable`. */
    async timeOf(block: number): Promise<number> {
      const { timestamp } = await client.getBlock({ blockNumber: BigInt(block) }).catch(refuse);
      return Number(timestamp);
    },
    /** Wei. Rejects with ServiceError `payments_unavailable`. */
    gasBalance: (address: Hex): Promise<bigint> => client.getBalance({ address }).catch(refuse),
  };
}

/**
 * Whether the payer authorized the payment: by its key, or as the contract at its address says (EIP-1271, ERC-6492). Asks the chain only
 * where the key did not. Rejects with ServiceError `payments_unavailable`.
 */
async function hasAuthorized({ client }: Token, signed: SignedData): Promise<boolean> {
  if (await isSignedByKey(signed)) return true;
  const { payer: address, hash, signature } = signed;
  const code = await client.getCode({ address }).catch(refuse);
  return code === undefined ? false : client.verifyHash({ address, hash, signature }).catch(refuse);
}

/** What is believed of a finding after the other endpoints were asked. */
async function judgedBy(
  others: readonly Token[],
  { payment, found, since }: Finding,
  onDispute: (believed: boolean) => void,
): Promise<AuthorizationState> {
  if (found.state === "settled" && payment.amount >= largeUnits) {
    const votes = await Promise.all(others.map((other) => voteOf(other, payment, found.block).catch(() => 0)));
    const [shows, denies] = [1, -1].map((vote) => votes.filter((one) => one === vote).length) as [number, number];
    // Whoever showed it first may be silent when it is asked by itself.
    const believed = denies <= Math.max(shows, 1);
    if (denies > 0) onDispute(believed);
    return believed ? found : { state: "unclear" };
  }
  const takesBack = found.state === "lost" || (found.state === "open" && payment.transaction !== null);
  if (!takesBack) return found;
  const disputed = others.map((other) => disputes(other, { payment, found, since }).catch(() => false));
  return (await Promise.all(disputed)).includes(true) ? { state: "unclear" } : found;
}

interface Finding {
  payment: ChainPayment;
  found: AuthorizationState;
  /** An endpoint whose newest block is older has stood still. */
  since: number;
}

/** Whether an endpoint shows a use where another one has none, or another use, or that the payment is not over yet. */
async function disputes(token: Token, { payment, found, since }: Finding): Promise<boolean> {
  const head = await readHead(token);
  const { state } = await readAt(token, payment, head);
  const isExpired = found.state === "lost" && found.reason === "payment_expired";
  if (state === "open") return isExpired && Number(head.timestamp) > since;
  return state === "settled" || (state === "unclear" && (isExpired || found.state === "open"));
}

/** 1: an endpoint shows the transfer. -1: it has that block and no transfer. 0: it cannot say. */
async function voteOf(token: Token, payment: ChainPayment, block: number): Promise<1 | 0 | -1> {
  const head = await readHead(token);
  if (Number(head.number) < block) return 0;
  const { state } = await readAt(token, payment, head);
  if (state === "settled") return 1;
  return state === "unclear" ? 0 : -1;
}

/** One dollar of USDC. For less, an endpoint that lies to us is not worth a question to the others. */
const largeUnits = 1_000_000n;

/** Endpoints are some seconds behind at most, unless they stand still. */
const staleSeconds = 600;

function refuse(cause: unknown): never {
  throw new ServiceError("payments_unavailable", undefined, { cause, retryAfterSeconds: 5 });
}
