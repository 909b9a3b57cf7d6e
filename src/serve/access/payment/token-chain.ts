import { createPublicClient, erc20Abi, type Transport } from "viem";
import type { BlockCalendar } from "../../../kernel/block-calendar.ts";
import { ServiceError } from "../../../kernel/error.ts";
import type { Hex } from "../../../kernel/hex.ts";
import { isSignedByKey, type SignedData } from "./authorization-signature.ts";
import { type AuthorizationState, readAt } from "./authorization-state.ts";
import { findBlockAt, readHead } from "./block-search.ts";
import { type ChainPayment, isUsed, type Token } from "./use-search.ts";

/** At one block. */
export interface PayerView {
  block: number;
  /** Or canceled. */
  used: boolean;
  /** Base units. */
  balance: bigint;
}

/** Through our own endpoints; it decides. */
export type TokenChain = ReturnType<typeof openTokenChain>;

export interface TokenChainOptions {
  transport: Transport;
  /** EIP-3009. */
  asset: Hex;
  /** Where to look first; the chain's times decide. */
  calendar: BlockCalendar;
  /** Each endpoint by itself. */
  witnesses?: readonly Transport[] | undefined;
  /** Ms; shows which endpoints stand still. */
  now?: () => number;
  /** An endpoint denies a large transfer that another shows. */
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
     * No single endpoint takes a payment back: `unclear` where another shows it, or where more deny a large one than show it. Rejects with
     * ServiceError `payments_unavailable`.
     */
    async readAuthorization(payment: ChainPayment): Promise<AuthorizationState> {
      const found = await readHead(token)
        .then((head) => readAt(token, payment, head))
        .catch(refuse);
      return judgedBy(others, { payment, found, since: now() / 1000 - staleSeconds }, onDispute);
    },
    /** Rejects with ServiceError `payments_unavailable`. */
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
    /** A contract (EIP-1271). Rejects with ServiceError `payments_unavailable`. */
    async isSignedBy(signed: { address: Hex; message: string; signature: Hex }): Promise<boolean> {
      const code = await client.getCode({ address: signed.address }).catch(refuse);
      return code === undefined ? false : client.verifyMessage(signed).catch(refuse);
    },
    /**
     * Newest block so many seconds older than the head; negative: the chain is younger. Rejects with ServiceError `payments_unavailable`.
     */
    async blockBefore(seconds: number): Promise<number> {
      const head = await readHead(token).catch(refuse);
      if (seconds === 0) return Number(head.number);
      const first = await findBlockAt(token, Number(head.timestamp) - seconds + 1, head).catch(refuse);
      return Number(first) - 1;
    },
    /** Unix seconds. Rejects with ServiceError `payments_unavailable`. */
    async timeOf(block: number): Promise<number> {
      const { timestamp } = await client.getBlock({ blockNumber: BigInt(block) }).catch(refuse);
      return Number(timestamp);
    },
    /** Wei. Rejects with ServiceError `payments_unavailable`. */
    gasBalance: (address: Hex): Promise<bigint> => client.getBalance({ address }).catch(refuse),
  };
}

/** By key, else by the payer's contract (EIP-1271, ERC-6492). Rejects with ServiceError `payments_unavailable`. */
async function hasAuthorized({ client }: Token, signed: SignedData): Promise<boolean> {
  if (await isSignedByKey(signed)) return true;
  const { payer: address, hash, signature } = signed;
  const code = await client.getCode({ address }).catch(refuse);
  return code === undefined ? false : client.verifyHash({ address, hash, signature }).catch(refuse);
}

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
  /** Older newest blocks stand still. */
  since: number;
}

/** Shows a use, another use, or that it is not over. */
async function disputes(token: Token, { payment, found, since }: Finding): Promise<boolean> {
  const head = await readHead(token);
  const { state } = await readAt(token, payment, head);
  const isExpired = found.state === "lost" && found.reason === "payment_expired";
  if (state === "open") return isExpired && Number(head.timestamp) > since;
  return state === "settled" || (state === "unclear" && (isExpired || found.state === "open"));
}

/** 1: shows it. -1: has the block without it. 0: cannot say. */
async function voteOf(token: Token, payment: ChainPayment, block: number): Promise<1 | 0 | -1> {
  const head = await readHead(token);
  if (Number(head.number) < block) return 0;
  const { state } = await readAt(token, payment, head);
  if (state === "settled") return 1;
  return state === "unclear" ? 0 : -1;
}

/** A dollar of USDC: a lie about less is not worth asking others. */
const largeUnits = 1_000_000n;

/** Unless they stand still, endpoints are seconds behind. */
const staleSeconds = 600;

function refuse(cause: unknown): never {
  throw new ServiceError("payments_unavailable", undefined, { cause, retryAfterSeconds: 5 });
}
