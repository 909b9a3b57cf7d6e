import { createHmac } from "node:crypto";
import { verifyMessage } from "viem";
import { assert, ServiceError } from "../../../kernel/error.ts";
import type { Hex } from "../../../kernel/hex.ts";
import { serviceLimits } from "../../../kernel/limits.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Client } from "../quota/client-address.ts";
import type { PaymentAttempt } from "./attempt.ts";
import type { TokenChain } from "./token-chain.ts";

/** Decides who may have the pass of a payment, or the lines of its batch. */
export type Claims = ReturnType<typeof createClaims>;

export interface ClaimsOptions {
  ledger: Pick<Ledger, "findPayment">;
  chain: Pick<TokenChain, "isSignedBy">;
  /** The keys with which addresses are hashed: the current one, and the previous one. */
  secrets: readonly [string, ...string[]];
  /** The address of this service, which a claim names. */
  publicUrl: string;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Once a payment is settled, everything in it is public on the chain, so showing it proves nothing. A pass is a secret, and the credit of a
 * batch is worth money. So they are given only to the client that bought them, or to somebody who signs a claim with the payer's key. The
 * ledger does not store the client's address, only a keyed hash that differs for each payment.
 */
export function createClaims({ ledger, chain, secrets, publicUrl, now }: ClaimsOptions) {
  const nameWith = (secret: string, key: string, client: Client) =>
    createHmac("sha256", secret).update(`buyer|${key}|${client}`).digest("base64url");

  async function checkClaim(claim: string, { request, authorization }: PaymentAttempt): Promise<void> {
    const { from, nonce } = authorization;
    const [, time = "", signature = ""] =
      claim.length > serviceLimits.paymentCharsMax ? [] : (claimPattern.exec(claim) ?? []);
    if (signature === "") refuse("X-SVC-Claim is not a time in Unix seconds, a space and a signature in hex.");
    if (Math.abs(Number(time) - now() / 1000) > claimSeconds) refuse("The time in X-SVC-Claim is not that of now.");
    const message = claimMessage({ publicUrl, nonce, time, thing: request.product === "batch" ? "lines" : "pass" });
    const signed = { address: from, message, signature: signature as Hex };
    const byKey = await verifyMessage(signed).catch(() => false);
    if (!byKey && !(await chain.isSignedBy(signed))) refuse("X-SVC-Claim is not signed by the payer.");
  }

  return {
    /** The keyed hash that a payment's row has for the client that opened it. */
    nameBuyer: (key: string, client: Client): string => nameWith(secrets[0], key, client),
    /**
     * Checks that the caller may have the pass or the lines of a settled payment. Rejects with ServiceError `pass_claimed_elsewhere`, or
     * `payments_unavailable` when the claim of a contract cannot be checked.
     */
    async check(attempt: PaymentAttempt): Promise<void> {
      const { key, request } = attempt;
      const { client, claim } = request;
      const row = await ledger.findPayment(key);
      assert(row !== undefined, "what is settled has its row");
      if (secrets.some((secret) => nameWith(secret, key, client) === row.buyer)) return;
      if (claim === undefined) refuse();
      await checkClaim(claim, attempt);
    },
  };
}

export interface Claim {
  publicUrl: string;
  /** The nonce of the payment, in lower case. */
  nonce: string;
  /** Unix seconds. */
  time: string;
  /** What is claimed; by default the pass. */
  thing?: "pass" | "lines";
}

/** The text that the payer signs (EIP-191). */
export function claimMessage({ publicUrl, nonce, time, thing = "pass" }: Claim): string {
  return `Give me the ${thing} of my payment again.\nService: ${publicUrl}\nPayment: ${nonce}\nTime: ${time}`;
}

function refuse(message?: string): never {
  throw new ServiceError("pass_claimed_elsewhere", message);
}

const claimPattern = /^(\d{10}) (0x(?:[0-9a-fA-F]{2})+)$/;
/** How many seconds the time of a claim may differ from ours. */
const claimSeconds = 300;
