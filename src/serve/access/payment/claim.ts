import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { verifyMessage } from "viem";
import { assert, ServiceError } from "../../../kernel/error.ts";
import type { Hex } from "../../../kernel/hex.ts";
import { serviceLimits } from "../../../kernel/limits.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { PaymentRow } from "../ledger/rows.ts";
import type { Client } from "../quota/client-address.ts";
import type { PaymentAttempt, PurchaseRequest } from "./attempt.ts";
import { signedDataOf } from "./authorization-signature.ts";
import type { Payment } from "./payment.ts";
import type { TokenChain } from "./token-chain.ts";

/** Who may have a pass, or the lines of a batch. */
export type Claims = ReturnType<typeof createClaims>;

export interface ClaimsOptions {
  ledger: Pick<Ledger, "findPayment">;
  chain: Pick<TokenChain, "isSignedBy" | "hasAuthorized">;
  /** For hashes of addresses; newest first. */
  secrets: readonly [string, ...string[]];
  /** Named by claims. */
  publicUrl: string;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * A settled payment is public, so showing it proves nothing, and a pass or credit is worth money. The buyer shows the secret whose hash
 * came with the purchase, or without one the payer's key. Many share a place: without a secret the buying client gets it again for ten
 * minutes only, as answers get lost. Stored is a keyed hash of the client, another for each payment.
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

  /** From the buyer's place, soon after it was settled. */
  function isAtHome({ key, buyer, closedAt }: PaymentRow, { client, isForwarded = false }: PurchaseRequest): boolean {
    if (isForwarded || closedAt === null || now() / 1000 > closedAt + atHomeSeconds) return false;
    return secrets.some((secret) => nameWith(secret, key, client) === buyer);
  }

  const signatures = new WeakMap<Payment, Promise<boolean>>();

  /** All but the signature may be known to others. */
  function isSigned(attempt: PaymentAttempt): Promise<boolean> {
    const { payment } = attempt.request;
    const known = signatures.get(payment) ?? chain.hasAuthorized(signedDataOf(attempt));
    signatures.set(payment, known);
    return known;
  }

  return {
    isSigned,
    /** Keyed hash; null: the address proves nothing. */
    nameBuyer: (key: string, { client, isForwarded = false }: Pick<PurchaseRequest, "client" | "isForwarded">) =>
      isForwarded ? null : nameWith(secrets[0], key, client),
    /** Rejects with ServiceError `pass_claimed_elsewhere`, or `payments_unavailable` where a contract's signature cannot be checked. */
    async check(attempt: PaymentAttempt): Promise<void> {
      const { key, request } = attempt;
      const row = await ledger.findPayment(key);
      assert(row !== undefined, "what is settled has its row");
      const signed = await isSigned(attempt);
      if (row.claimKey !== null) return checkSecret(row.claimKey, request.claimSecret, signed);
      if (signed && isAtHome(row, request)) return;
      if (request.claim === undefined) refuse(signed ? undefined : "The payment is not signed by the payer.");
      await checkClaim(request.claim, attempt);
    },
  };
}

/** Neither a place nor a claim opens it. */
function checkSecret(claimKey: string, secret: string | undefined, signed: boolean): void {
  if (!signed) refuse("The payment is not signed by the payer.");
  if (secret === undefined) refuse("It was bought with X-SVC-Claim-Key: send the secret in X-SVC-Claim-Secret.");
  const shown = createHash("sha256").update(secret).digest();
  if (!timingSafeEqual(shown, Buffer.from(claimKey, "hex"))) refuse("X-SVC-Claim-Secret is not the secret.");
}

export interface Claim {
  publicUrl: string;
  /** Lower case. */
  nonce: string;
  /** Unix seconds. */
  time: string;
  /** Default: the pass. */
  thing?: "pass" | "lines";
}

/** Signed by the payer (EIP-191). */
export function claimMessage({ publicUrl, nonce, time, thing = "pass" }: Claim): string {
  return `Give me the ${thing} of my payment again.\nService: ${publicUrl}\nPayment: ${nonce}\nTime: ${time}`;
}

function refuse(message?: string): never {
  throw new ServiceError("pass_claimed_elsewhere", message);
}

const claimPattern = /^(\d{10}) (0x(?:[0-9a-fA-F]{2})+)$/;
/** An unbound purchase is given again to its buyer's address. */
const atHomeSeconds = 600;
/** Either way. */
const claimSeconds = 300;
