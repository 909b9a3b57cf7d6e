import type { Network, PaymentPayload } from "@x402/core/types";
import { type Address, readAddress } from "../../../kernel/address.ts";
import { isJsonObject } from "../../../kernel/canonical.ts";
import { type ChallengeReason, ServiceError } from "../../../kernel/error.ts";
import { type Hash, readHash } from "../../../kernel/hex.ts";
import { serviceLimits } from "../../../kernel/limits.ts";

/** Well formed, not verified. */
export interface Payment {
  payload: PaymentPayload;
  /** null: payload of another kind. */
  authorization: Authorization | null;
}

/** `transferWithAuthorization`, unsigned. Times: Unix seconds. */
export interface Authorization {
  from: Address;
  to: Address;
  value: bigint;
  validAfter: bigint;
  validBefore: bigint;
  nonce: Hash;
}

/** Our code, or the facilitator's unchanged. */
export type Reason = ChallengeReason | (string & {});

/** PAYMENT-RESPONSE; MCP: `x402/payment-response`. */
export interface PaymentReceipt {
  success: true;
  transaction: string;
  network: Network;
  payer: string;
}

/** Now or earlier. `answer`: empty for a pass that is not fresh (Settler.renew). */
export interface Paid {
  kind: "paid";
  answer: string;
  receipt: PaymentReceipt;
  /** Pass as issued: settled this moment. */
  fresh?: boolean;
}

/** No money moved. */
export interface Refused {
  kind: "refused";
  reason: Reason;
}

/** PAYMENT-SIGNATURE: standard base64 of UTF-8 JSON. Throws ServiceError `invalid_payment`. */
export function readPaymentHeader(text: string): Payment {
  if (text.length > serviceLimits.paymentCharsMax) throw invalid("The payment is too long.");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 === 1) throw invalid("The payment is not base64.");
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "base64")));
  } catch {
    throw invalid("The payment is not JSON in base64.");
  }
  return readPayment(value);
}

/** x402 version 2. Throws ServiceError `invalid_payment`. */
export function readPayment(value: unknown): Payment {
  if (!isJsonObject(value)) throw invalid("The payment is not an object.");
  if (value.x402Version !== 2) throw invalid("The payment's x402Version is not 2.");
  const { accepted, payload, resource } = value;
  if (!isJsonObject(accepted)) throw invalid("The payment has no accepted requirements.");
  for (const name of ["scheme", "network", "amount", "asset", "payTo"]) {
    if (typeof accepted[name] !== "string") throw invalid(`The payment's accepted.${name} is not text.`);
  }
  if (typeof accepted.maxTimeoutSeconds !== "number")
    throw invalid("The payment's accepted.maxTimeoutSeconds is missing.");
  if (accepted.extra !== undefined && !isJsonObject(accepted.extra))
    throw invalid("The payment's accepted.extra is no object.");
  if (resource !== undefined && resource !== null && !(isJsonObject(resource) && typeof resource.url === "string")) {
    throw invalid("The payment's resource has no url.");
  }
  if (!isJsonObject(payload)) throw invalid("The payment has no payload.");
  const authorization = payload.authorization === undefined ? null : readAuthorization(payload.authorization);
  const { signature } = payload;
  if (authorization !== null && !(typeof signature === "string" && /^0x(?:[0-9a-fA-F]{2})+$/.test(signature)))
    throw invalid("The payment's signature is not hex.");
  if (authorization !== null && (signature as string).length > serviceLimits.signatureCharsMax)
    throw invalid("The payment's signature is too long.");
  return { payload: value as unknown as PaymentPayload, authorization };
}

/** The authorization, usable once, whatever encoding and signature. */
export function paymentKey(network: string, asset: string, { from, nonce }: Authorization): string {
  return [network, asset, from, nonce].join("|").toLowerCase();
}

function readAuthorization(value: unknown): Authorization {
  if (!isJsonObject(value)) throw invalid("The payment's authorization is no object.");
  const from = readParty(value.from);
  const to = readParty(value.to);
  const nonce = readHash(value.nonce);
  if (from === undefined || to === undefined) throw invalid("The authorization's from or to is not an address.");
  if (nonce === undefined) throw invalid("The authorization's nonce is not 32 bytes of hex.");
  const [amount, validAfter, validBefore] = [value.value, value.validAfter, value.validBefore].map(readUint);
  if (amount === undefined || validAfter === undefined || validBefore === undefined) {
    throw invalid("The authorization's value, validAfter and validBefore are not decimal texts.");
  }
  return { from, to, nonce, value: amount, validAfter, validBefore };
}

/** No `0X`: no facilitator takes it. */
function readParty(value: unknown): Address | undefined {
  return typeof value === "string" && value.startsWith("0x") ? readAddress(value) : undefined;
}

/** uint256, decimal text. */
function readUint(value: unknown): bigint | undefined {
  if (typeof value !== "string" || !/^\d{1,78}$/.test(value)) return undefined;
  const number = BigInt(value);
  return number < 2n ** 256n ? number : undefined;
}

function invalid(message: string): ServiceError {
  return new ServiceError("invalid_payment", message);
}
