import { AsyncLocalStorage } from "node:async_hooks";
import type { PaymentPayload } from "@x402/core/types";
import type { Address } from "../../src/kernel/address.ts";
import { ServiceError } from "../../src/kernel/error.ts";
import type { Hash } from "../../src/kernel/hex.ts";
import type { Settlement, Verification } from "../../src/serve/access/facilitator/facilitator.ts";
import type { Ledger } from "../../src/serve/access/ledger/ledger.ts";
import type { PurchaseRequest } from "../../src/serve/access/payment/attempt.ts";
import { createClaims } from "../../src/serve/access/payment/claim.ts";
import type { Offers } from "../../src/serve/access/payment/offers.ts";
import { createPurchases } from "../../src/serve/access/payment/purchase.ts";
import { createSettler } from "../../src/serve/access/payment/settler.ts";
import type { TokenChain } from "../../src/serve/access/payment/token-chain.ts";
import type { Client } from "../../src/serve/access/quota/client-address.ts";
import { createPasses } from "../../src/serve/access/quota/pass.ts";
import { passSecret, payTo, publicUrl } from "./metered-server.ts";

/** What happens in one call to settle: whether something is sent, what the facilitator answers, and when the chain takes it. */
export interface Fate {
  sent: "nothing" | "dropped" | "taken" | "delayed" | "replaced";
  word: "true" | "invented" | "no" | "silence";
}

/** Lets a step happen when the test wants it. */
export type Step = (label: string) => Promise<void>;

/** For each request: whether the signed payment had already left our hands when the request last asked the ledger or settled. */
export const requests = new AsyncLocalStorage<{ handedOver: boolean }>();

function note(handedOver: boolean): void {
  const request = requests.getStore();
  if (request !== undefined) request.handedOver = handedOver;
}

export const validBefore = 1_000;
const blockSeconds = 2;
const requirements = {
  scheme: "exact",
  network: "eip155:8453",
  amount: "20000",
  asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  payTo,
  maxTimeoutSeconds: 120,
  extra: {},
} as const;

/** A chain that takes an authorization only once, no matter who sends it or how often. It takes nothing after the authorization expired. */
export class ModelChain {
  time = 0;
  block = 100;
  used: { sender: string; transaction: Hash; block: number } | null = null;
  /** Somebody was given the signed payment to settle. */
  handedOver = false;
  #sent = 0;

  take(sender: string): Hash {
    const transaction = `0x${String(++this.#sent).padStart(64, "0")}` as Hash;
    this.block++;
    if (this.time < validBefore) this.used ??= { sender, transaction, block: this.block };
    return transaction;
  }

  /** The view of one replica, whose calls can fail. */
  view(step: Step, fails: () => boolean): TokenChain {
    const ask = async <T>(label: string, answer: () => T): Promise<T> => {
      await step(`chain.${label}`);
      if (fails()) throw new ServiceError("payments_unavailable");
      const told = answer();
      await step(`chain.${label} answers`);
      return told;
    };
    return {
      readAuthorization: () =>
        ask("readAuthorization", () => {
          const { used } = this;
          if (used !== null) return { state: "settled", ...used, time: this.time } as const;
          return this.time > validBefore + 30
            ? ({ state: "lost", reason: "payment_expired" } as const)
            : ({ state: "open" } as const);
        }),
      look: () => ask("look", () => ({ block: this.block, used: this.used !== null, balance: 10n ** 9n })),
      blockBefore: (seconds) => ask("blockBefore", () => this.block - seconds / blockSeconds),
      timeOf: (block) => ask("timeOf", () => this.time - blockSeconds * (this.block - block)),
      gasBalance: () => ask("gasBalance", () => 1n),
      isSignedBy: () => ask("isSignedBy", () => false),
      // The model signs nothing.
      hasAuthorized: async () => true,
    };
  }
}

export interface ReplicaOptions {
  wallet: string;
  ledger: Ledger;
  chain: ModelChain;
  /** Waits for the turn of this replica. Never resolves when the replica has died. */
  step: Step;
  /** Schedules something that happens independently of the replicas, also after they died. */
  later: (label: string, work: () => void) => void;
  fates: () => Fate;
  isValid: () => boolean | "no answer";
  chainFails: () => boolean;
}

export type Replica = ReturnType<typeof startReplica>;

/** The real purchases and settler over the real ledger, with a model of a chain and of a facilitator. */
export function startReplica({ wallet, ledger: real, chain, step, later, ...options }: ReplicaOptions) {
  const ledger = new Proxy(real, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== "function") return method;
      return async (...args: unknown[]) => {
        await step(`ledger.${String(name)}`);
        const [key] = args;
        const row = name === "dropPayment" ? await real.findPayment(String(key)) : undefined;
        // Who took the payment over is about to send it.
        note(chain.handedOver || (row?.state === "settling" && row.attempts > 1));
        const result = await Reflect.apply(method, target, args);
        await step(`ledger.${String(name)} answers`);
        return result;
      };
    },
  });
  const view = chain.view(step, options.chainFails);
  const now = () => 0;
  const passes = createPasses({ ledger, secrets: [passSecret], now });
  const network = requirements.network;
  const settler = createSettler({
    ...{ ledger, chain: view, passes, network, now, beatMs: 1 },
    settled() {},
    pause: () => step("pause"),
  });
  const facilitator = {
    async verify(): Promise<Verification> {
      await step("verify");
      const valid = options.isValid();
      if (valid === "no answer") throw new ServiceError("payments_unavailable");
      return valid ? { valid } : { valid, reason: "payment_invalid" };
    },
    async settle(): Promise<Settlement> {
      await step("settle");
      const settlement = settle({ chain, wallet, later }, options.fates());
      if (settlement.status !== "unsent") note(true);
      await step("settle answers");
      return settlement;
    },
    supports: async () => true,
  };
  const offers = { requirements: () => requirements, soldAs: () => ({}), match: () => null } as unknown as Offers;
  const claims = createClaims({ ledger, chain: view, secrets: [passSecret], publicUrl, now });
  // A timer sends the signs of life, and it never fires here. So a slow replica looks dead, which is the worst case.
  const options2 = { ledger, chain: view, offers, facilitator, settler, claims, sender: wallet, beatMs: 1e9, now };
  const purchases = createPurchases(options2);
  return {
    reconcile: () => settler.reconcile(0, purchases.isBusy),
    /** Sends the payment for a request. The status is 200 with the answer, 402 or 503. */
    async send(product: "explain" | "pass", request: string): Promise<{ status: number; body: string }> {
      try {
        const purchase = await purchases.begin(paymentFor(product, request));
        if (purchase.kind === "refused") return { status: 402, body: purchase.reason };
        if (purchase.kind === "paid") return { status: 200, body: purchase.answer };
        await step("work");
        const terms = JSON.stringify({ seconds: 100, calls: 5 });
        const done = await purchase.commit(product === "pass" ? terms : `about ${request}`);
        return done.kind === "paid" ? { status: 200, body: done.answer } : { status: 402, body: done.reason };
      } catch (error) {
        if (error instanceof ServiceError) return { status: error.status, body: error.code };
        throw error;
      }
    },
  };
}

function settle(
  { chain, wallet, later }: { chain: ModelChain; wallet: string; later: ReplicaOptions["later"] },
  { sent, word }: Fate,
): Settlement {
  if (sent === "nothing") return { status: "unsent", reason: word === "no" ? "out_of_luck" : null };
  chain.handedOver = true;
  let transaction = `0x${"ab".repeat(32)}`;
  if (sent === "taken") transaction = chain.take(wallet);
  if (sent === "delayed" || sent === "replaced") later("a block", () => chain.take(wallet));
  if (sent === "replaced") later("a block with the replacement", () => chain.take(wallet));
  if (word === "true" && sent === "taken") return { status: "settled", transaction };
  return word === "invented" ? { status: "settled", transaction: `0x${"cd".repeat(32)}` } : { status: "unknown" };
}

const payer = `0x${"22".repeat(20)}` as Address;

function paymentFor(product: "explain" | "pass", request: string): PurchaseRequest {
  const authorization = { from: payer, to: payTo, value: 20_000n, validAfter: 0n, validBefore: BigInt(validBefore) };
  const nonce = `0x${"33".repeat(32)}` as Hash;
  const signed = { ...authorization, nonce, value: "20000", validAfter: "0", validBefore: String(validBefore) };
  const payload = { x402Version: 2, accepted: requirements, payload: { signature: "0x01", authorization: signed } };
  return {
    product,
    resource: product === "pass" ? "/pass" : "/explain",
    request,
    client: "192.0.2.1" as Client,
    payment: { payload: payload as unknown as PaymentPayload, authorization: { ...authorization, nonce } },
  };
}
