import { setTimeout as wait } from "node:timers/promises";
import { createPublicClient, type Hex, type PublicClient, type TransactionReceipt, type Transport } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { broadcast, type Fees, type Sender } from "./broadcast.ts";
import { UnsentError } from "./facilitator.ts";
import { countGasLosses } from "./gas-losses.ts";
import { ignoreMissing } from "./node-error.ts";

export interface GasWalletOptions {
  key: Hex;
  transport: Transport;
  /** The most that it pays for a unit of gas, in wei. */
  priceMax: bigint;
  /** Milliseconds between questions for a receipt. */
  pollingMs: number;
  /** Milliseconds after which a transaction that is not in a block is sent again, later with a higher fee. */
  resendMs: number;
}

/** A call to send. `usableUntil`: the Unix second after which it has no effect. */
export interface GasCall {
  to: Hex;
  data: Hex;
  usableUntil: number;
}

/** A call that is being sent. It holds one nonce at a time, and may have been sent several times. */
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
 * The wallet that pays for settlements. It sends each call until it is in a block. Nonces follow the chain: a call gets the next nonce that
 * the chain expects and no other call of ours holds. A transaction that does not get into a block is sent again, then replaced by one with
 * a higher fee. A call whose nonce another transaction used gets a new one. A nonce that nothing fills is filled with an empty transfer to
 * ourselves. So several processes may use one key: they may replace each other's transactions, which costs time but never money, because an
 * authorization works only once.
 */
export class GasWallet {
  /** In lower case. */
  readonly address: Hex;
  readonly #client: PublicClient;
  readonly #sender: Sender;
  readonly #priceMax: bigint;
  readonly #pollingMs: number;
  readonly #resendMs: number;
  readonly #live = new Set<Delivery>();
  readonly #losses = countGasLosses();
  #queue: Promise<unknown> = Promise.resolve();

  constructor({ key, transport, priceMax, pollingMs, resendMs }: GasWalletOptions) {
    const account = privateKeyToAccount(key);
    this.#client = createPublicClient({ transport });
    this.#sender = { account, client: this.#client };
    this.address = account.address.toLowerCase() as Hex;
    this.#priceMax = priceMax;
    this.#pollingMs = pollingMs;
    this.#resendMs = resendMs;
  }

  /**
   * Sends a call and gives the hash of its first transaction. Rejects with UnsentError when nothing was sent: the wallet is empty, gas
   * costs too much, too much gas was lost, the chain does not answer, or the call needs more gas than {@link gasMax}. Rejects with the error of the chain when the
   * call would revert.
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

  /** Waits for the receipt of a call, whichever of its transactions gets into a block. Rejects after this many milliseconds. */
  async receiptOf(hash: Hex, waitMs: number): Promise<TransactionReceipt> {
    const delivery = [...this.#live].find(({ hashes }) => hashes.includes(hash));
    if (delivery === undefined) return this.#client.getTransactionReceipt({ hash });
    const late = wait(waitMs, undefined, { ref: false }).then(() => Promise.reject(new Error("it is in no block yet")));
    return Promise.race([delivery.receipt.promise, late]);
  }

  /** Whether the wallet can pay for one more call, whatever gas that may need. Also false when the chain does not answer. */
  canSend(): Promise<boolean> {
    return this.#feesFor(withMargin(gasMax)).then(
      () => true,
      () => false,
    );
  }

  /** Whether so much gas was lost within an hour, by calls that failed in a block, that the wallet sends nothing more. */
  hasLostTooMuch(): boolean {
    return this.#losses.areTooMany();
  }

  /** Whether gas costs more than the wallet pays. Rejects when the chain does not answer. */
  async isGasTooDear(): Promise<boolean> {
    return (await this.#client.estimateFeesPerGas()).maxFeePerGas > this.#priceMax;
  }

  /** The time since which the oldest overdue call waits, in milliseconds since the epoch; null: no call is overdue. */
  stuckSince(): number | null {
    const oldest = Math.min(...[...this.#live].map(({ since }) => since));
    return Date.now() - oldest > 2 * this.#resendMs ? oldest : null;
  }

  /** The current price of gas. Rejects with UnsentError where it is too high, too much was lost, or the wallet cannot pay it. */
  async #feesFor(gas: bigint): Promise<Fees> {
    if (this.hasLostTooMuch()) throw new UnsentError(null);
    const [{ maxFeePerGas, maxPriorityFeePerGas }, balance] = await Promise.all([
      this.#client.estimateFeesPerGas(),
      this.#client.getBalance({ address: this.address }),
    ]).catch(refuseUnsent);
    const underWay = [...this.#live].reduce((sum, call) => sum + call.gas * call.fees.maxFeePerGas, 0n);
    if (maxFeePerGas > this.#priceMax || balance < underWay + gas * maxFeePerGas) throw new UnsentError(null);
    return { maxFeePerGas, maxPriorityFeePerGas };
  }

  /** Higher fees for a replacement: nodes require a tenth more. The fees stay where that is more than the wallet pays. */
  #raise(fees: Fees): Fees {
    const [maxFeePerGas, maxPriorityFeePerGas] = [fees.maxFeePerGas, fees.maxPriorityFeePerGas].map(
      (fee) => (fee * 13n) / 10n + 1n,
    ) as [bigint, bigint];
    return maxFeePerGas > this.#priceMax ? fees : { maxFeePerGas, maxPriorityFeePerGas };
  }

  /** Runs broadcasts one after the other, so that no two calls of this process take the same nonce. */
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

  /** Fills a nonce with an empty transfer, so that transactions after it can continue. */
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

  /** Waits some time for the receipt. undefined: it is not in a block yet, or the chain does not answer. */
  async #poll({ hashes }: Delivery): Promise<TransactionReceipt | undefined> {
    for (let waited = 0; waited < this.#resendMs; waited += this.#pollingMs) {
      const receipt = await this.#findReceipt(hashes).catch(() => undefined);
      if (receipt !== undefined) return receipt;
      await wait(this.#pollingMs, undefined, { ref: false });
    }
    return undefined;
  }

  /** Finds out why the call is not in a block yet, and does what helps. true: nothing more can be done. */
  async #push(delivery: Delivery, round: number): Promise<boolean> {
    const mined = await this.#countSent("latest");
    const { timestamp } = await this.#client.getBlock({ blockTag: "latest" });
    const isOver = Number(timestamp) > delivery.call.usableUntil;
    if (mined > delivery.nonce || delivery.nonce - mined > underWayMax) {
      if (isOver || (await this.#findReceipt(delivery.hashes)) !== undefined) return isOver;
      await this.#sendAnew(delivery);
      return false;
    }
    // Sends the same transaction once more, because it may have been dropped. Later with a higher fee.
    if (round > 0 && round <= raisesMax) delivery.fees = this.#raise(delivery.fees);
    if (isOver) await this.#fill(delivery.nonce, delivery.fees);
    else await this.#sendCall(delivery);
    const isHeld = [...this.#live].some(({ nonce }) => nonce === mined);
    if (round > 0 && !isHeld) await this.#fill(mined, this.#raise(this.#raise(delivery.fees)));
    return false;
  }
}

/** The most gas that a settlement may need. A payer that is a contract checks its signature itself (EIP-1271), and could use any amount. */
export const gasMax = 500_000n;
const transferGas = 21_000n;
const nonceTries = 8;
/** How many transactions may wait. An endpoint that counts more is wrong, and filling each nonce up to there would cost gas. */
const underWayMax = 128;
/** How often a fee may be raised. Each time it grows by the factor 1.3, so at most 14-fold in all. */
const raisesMax = 10;
/** How many rounds a call is followed: at six seconds a round, longer than an authorization is valid. */
const roundsMax = 15_000;

/** An estimate of gas plus a fifth, because the chain's state changes before the call is in a block. */
function withMargin(gas: bigint): bigint {
  return (gas * 12n) / 10n;
}

function refuseUnsent(cause: unknown): never {
  throw cause instanceof UnsentError ? cause : new UnsentError(null);
}
