import { setTimeout as wait } from "node:timers/promises";
import {
  createPublicClient,
  type Hex,
  keccak256,
  type PublicClient,
  type TransactionReceipt,
  type Transport,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { chain } from "../../../kernel/chain-profile.ts";
import { serviceLimits } from "../../../kernel/limits.ts";
import { UnsentError } from "./facilitator.ts";
import { ignoreMissing, readRefusal } from "./node-error.ts";

/** For all payers together, as each new one has some failures free. `now`: ms. */
export function countGasLosses(now: () => number = Date.now) {
  let losses: { at: number; gas: bigint }[] = [];
  return {
    /** If it moved nothing. */
    note({ status, gasUsed }: { status: "success" | "reverted"; gasUsed: bigint }): void {
      if (status === "reverted") losses.push({ at: now(), gas: gasUsed });
    },
    /** Until an hour after the first loss nothing is sent. */
    areTooMany(): boolean {
      losses = losses.filter(({ at }) => now() - at < hourMs);
      const lost = losses.reduce((sum, { gas }) => sum + gas, 0n);
      return lost >= BigInt(serviceLimits.revertedGasPerHour);
    },
  };
}

const hourMs = 3_600_000;

export interface GasWalletOptions {
  key: Hex;
  transport: Transport;
  /** The most that it pays per gas, wei. */
  priceMax: bigint;
  /** Between questions for a receipt. */
  pollingMs: number;
  /** Until it is resent, later with a higher fee. */
  resendMs: number;
}

/** `usableUntil`: Unix second, without effect after it. */
export interface GasCall {
  to: Hex;
  data: Hex;
  usableUntil: number;
}

/** One nonce at a time, perhaps sent several times. */
interface Delivery {
  call: GasCall;
  nonce: number;
  gas: bigint;
  fees: Fees;
  hashes: Hex[];
  since: number;
  receipt: PromiseWithResolvers<TransactionReceipt>;
}

/**
 * Sends until it is in a block: with our next free nonce, again, at a higher fee, under a new nonce if another used it; gaps get empty
 * transfers. So processes may share a key: replacing each other's costs time, never money, as an authorization works once.
 */
export class GasWallet {
  /** Lower case. */
  readonly address: Hex;
  readonly #client: PublicClient;
  readonly #sender: Sender;
  readonly #options: GasWalletOptions;
  readonly #live = new Set<Delivery>();
  readonly #losses = countGasLosses();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: GasWalletOptions) {
    const account = privateKeyToAccount(options.key);
    this.#options = options;
    this.#client = createPublicClient({ transport: options.transport });
    this.#sender = { account, client: this.#client };
    this.address = account.address.toLowerCase() as Hex;
  }

  /**
   * Returns the first transaction's hash. Rejects with UnsentError (wallet empty, gas too dear, too much lost, no answer, above {@link
   * gasMax}), or the chain's error where it would revert.
   */
  async send(call: GasCall): Promise<Hex> {
    const known = [...this.#live].find(({ call: { data }, hashes }) => data === call.data && hashes.length > 0);
    if (known !== undefined) return known.hashes[0] as Hex;
    const estimated = await this.#client.estimateGas({ account: this.address, to: call.to, data: call.data });
    if (estimated > gasMax) throw new UnsentError("invalid_exact_evm_transaction_simulation_failed");
    const margin = withMargin(estimated);
    const gas = margin < gasMax ? margin : gasMax;
    const fees = await this.#feesFor(gas);
    const receipt = Promise.withResolvers<TransactionReceipt>();
    receipt.promise.catch(() => {});
    const delivery: Delivery = { call, nonce: -1, gas, fees, hashes: [], since: Date.now(), receipt };
    this.#live.add(delivery);
    try {
      await this.#sendAnew(delivery);
    } catch (error) {
      this.#live.delete(delivery);
      refuseUnsent(error);
    }
    void this.#follow(delivery).finally(() => this.#live.delete(delivery));
    return delivery.hashes[0] as Hex;
  }

  /** Of any of its transactions. Rejects after `waitMs`. */
  async receiptOf(hash: Hex, waitMs: number): Promise<TransactionReceipt> {
    const delivery = [...this.#live].find(({ hashes }) => hashes.includes(hash));
    if (delivery === undefined) return this.#client.getTransactionReceipt({ hash });
    const late = wait(waitMs, undefined, { ref: false }).then(() => Promise.reject(new Error("it is in no block yet")));
    return Promise.race([delivery.receipt.promise, late]);
  }

  /** Whatever gas it needs. False also without an answer. */
  canSend(): Promise<boolean> {
    return this.#feesFor(withMargin(gasMax)).then(
      () => true,
      () => false,
    );
  }

  /** By reverted calls, within an hour: nothing more is sent. */
  hasLostTooMuch(): boolean {
    return this.#losses.areTooMany();
  }

  /** Above `priceMax`. Rejects without an answer. */
  async isGasTooDear(): Promise<boolean> {
    return (await this.#client.estimateFeesPerGas()).maxFeePerGas > this.#options.priceMax;
  }

  /** Oldest overdue call, ms since the epoch; null: none. */
  stuckSince(): number | null {
    const oldest = Math.min(...[...this.#live].map(({ since }) => since));
    return Date.now() - oldest > 2 * this.#options.resendMs ? oldest : null;
  }

  /** Rejects with UnsentError: too high, too much lost, or cannot be paid. */
  async #feesFor(gas: bigint): Promise<Fees> {
    if (this.hasLostTooMuch()) throw new UnsentError(null);
    const [{ maxFeePerGas, maxPriorityFeePerGas }, balance] = await Promise.all([
      this.#client.estimateFeesPerGas(),
      this.#client.getBalance({ address: this.address }),
    ]).catch(refuseUnsent);
    const underWay = [...this.#live].reduce((sum, call) => sum + call.gas * call.fees.maxFeePerGas, 0n);
    if (maxFeePerGas > this.#options.priceMax || balance < underWay + gas * maxFeePerGas) throw new UnsentError(null);
    return { maxFeePerGas, maxPriorityFeePerGas };
  }

  /** Nodes require a tenth more; stays at the maximum. */
  #raise(fees: Fees): Fees {
    const [maxFeePerGas, maxPriorityFeePerGas] = [fees.maxFeePerGas, fees.maxPriorityFeePerGas].map(
      (fee) => (fee * 13n) / 10n + 1n,
    ) as [bigint, bigint];
    return maxFeePerGas > this.#options.priceMax ? fees : { maxFeePerGas, maxPriorityFeePerGas };
  }

  /** Two calls must not get one nonce. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => {});
    return turn;
  }

  #countSent(blockTag: "pending" | "latest"): Promise<number> {
    return this.#client.getTransactionCount({ address: this.address, blockTag });
  }

  async #freeNonce(): Promise<number> {
    const [pending, mined] = await Promise.all([this.#countSent("pending"), this.#countSent("latest")]);
    let nonce = pending - mined > underWayMax ? mined : pending;
    const held = new Set([...this.#live].map((delivery) => delivery.nonce));
    while (held.has(nonce)) nonce++;
    return nonce;
  }

  #sendCall({ call, gas, nonce, fees, hashes }: Delivery) {
    return broadcast(this.#sender, { to: call.to, data: call.data, gas, nonce, ...fees }, hashes);
  }

  /** Later transactions can then continue. */
  #fill(nonce: number, fees: Fees) {
    return broadcast(this.#sender, { to: this.address, gas: transferGas, nonce, ...fees }, []);
  }

  #sendAnew(delivery: Delivery): Promise<void> {
    return this.#inTurn(async () => {
      delivery.nonce = await this.#freeNonce();
      for (let tries = 0; tries < nonceTries; tries++) {
        const outcome = await this.#sendCall(delivery);
        if (outcome === "sent") return;
        if (outcome === "poor") break;
        // Somebody else has this nonce.
        delivery.nonce++;
      }
      if (delivery.hashes.length === 0) throw new UnsentError(null);
    });
  }

  async #findReceipt(hashes: readonly Hex[]): Promise<TransactionReceipt | undefined> {
    for (const hash of hashes) {
      const receipt = await this.#client.getTransactionReceipt({ hash }).catch(ignoreMissing);
      if (receipt !== undefined) return receipt;
    }
    return undefined;
  }

  async #follow(delivery: Delivery): Promise<void> {
    for (let round = 0; round < roundsMax; round++) {
      const receipt = await this.#poll(delivery);
      if (receipt !== undefined) {
        this.#losses.note(receipt);
        return delivery.receipt.resolve(receipt);
      }
      if (await this.#push(delivery, round).catch(() => false)) break;
    }
    delivery.receipt.reject(new Error("it is in no block"));
  }

  /** undefined: not in a block, or no answer. */
  async #poll({ hashes }: Delivery): Promise<TransactionReceipt | undefined> {
    for (let waited = 0; waited < this.#options.resendMs; waited += this.#options.pollingMs) {
      const receipt = await this.#findReceipt(hashes).catch(() => undefined);
      if (receipt !== undefined) return receipt;
      await wait(this.#options.pollingMs, undefined, { ref: false });
    }
    return undefined;
  }

  /** true: nothing more can be done for the call. */
  async #push(delivery: Delivery, round: number): Promise<boolean> {
    const mined = await this.#countSent("latest");
    const { timestamp } = await this.#client.getBlock({ blockTag: "latest" });
    const isOver = Number(timestamp) > delivery.call.usableUntil;
    if (mined > delivery.nonce || delivery.nonce - mined > underWayMax) {
      if (isOver || (await this.#findReceipt(delivery.hashes)) !== undefined) return isOver;
      await this.#sendAnew(delivery);
      return false;
    }
    // It may have been dropped.
    if (round > 0 && round <= raisesMax) delivery.fees = this.#raise(delivery.fees);
    if (isOver) await this.#fill(delivery.nonce, delivery.fees);
    else await this.#sendCall(delivery);
    const isHeld = [...this.#live].some(({ nonce }) => nonce === mined);
    if (round > 0 && !isHeld) await this.#fill(mined, this.#raise(this.#raise(delivery.fees)));
    return false;
  }
}

/** A payer that is a contract checks its signature itself (EIP-1271): any amount of gas. */
export const gasMax = 500_000n;
const transferGas = 21_000n;
const nonceTries = 8;
/** An endpoint that counts more is wrong; filling nonces costs gas. */
const underWayMax = 128;
/** By 1.3 each: at most 14-fold. */
const raisesMax = 10;
/** At six seconds: longer than an authorization is valid. */
const roundsMax = 15_000;

/** A fifth more: state changes before inclusion. */
function withMargin(gas: bigint): bigint {
  return (gas * 12n) / 10n;
}

function refuseUnsent(cause: unknown): never {
  throw cause instanceof UnsentError ? cause : new UnsentError(null);
}

/** Wei per gas (EIP-1559). */
interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

interface Sender {
  account: PrivateKeyAccount;
  client: PublicClient;
}

interface Transaction extends Fees {
  to: Hex;
  data?: Hex;
  gas: bigint;
  nonce: number;
}

/**
 * `sent`: perhaps. `taken`: the nonce is used, maybe by this transaction, whose first answer got lost. `hashes` gets the hash unless no
 * node can have it.
 */
async function broadcast(
  { account, client }: Sender,
  transaction: Transaction,
  hashes: Hex[],
): Promise<"sent" | "poor" | "taken"> {
  const raw = await account.signTransaction({ ...transaction, type: "eip1559", chainId: chain.id });
  const hash = keccak256(raw);
  const refusal = await client.sendRawTransaction({ serializedTransaction: raw }).then(() => null, readRefusal);
  if (refusal === "poor") return refusal;
  if (!hashes.includes(hash)) hashes.push(hash);
  return refusal === "taken" && !(await isKnown(client, hash)) ? refusal : "sent";
}

/** In a block or waiting. */
function isKnown(client: PublicClient, hash: Hex): Promise<boolean> {
  return client.getTransaction({ hash }).then(
    () => true,
    () => false,
  );
}
