import { randomBytes } from "node:crypto";
import { x402Client } from "@x402/core/client";
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from "@x402/core/types";
import { registerExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment } from "@x402/fetch";
import type { Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";

/** `fetch` of the official client. It pays what the server asks, up to a cap of one dollar, or of ten dollars when `raised`. */
export function payingFetch(account: PrivateKeyAccount, { raised = false } = {}): typeof fetch {
  const client = new x402Client();
  if (raised) client.setSpendControls({ maxAmountPerPayment: "$10" });
  registerExactEvmScheme(client, { signer: account });
  return wrapFetchWithPayment(fetch, client) as typeof fetch;
}

export interface SignOptions {
  required: PaymentRequired;
  account: PrivateKeyAccount;
  /** Parts of the accepted terms that differ from the offer. */
  accepted?: Partial<PaymentRequirements>;
  /** Parts of the signed authorization that differ from the offer. */
  authorization?: Partial<Record<"from" | "to" | "value" | "validAfter" | "validBefore" | "nonce", string>>;
  domain?: { name?: string; version?: string; chainId?: number };
}

/** A payment for the first offer of a challenge. A test can make parts of it wrong. */
export async function signPayment(options: SignOptions): Promise<PaymentPayload> {
  const { required, account } = options;
  const offer = required.accepts[0] as PaymentRequirements;
  const authorization = {
    from: account.address as string,
    to: offer.payTo,
    value: offer.amount,
    validAfter: "0",
    validBefore: String(Math.floor(Date.now() / 1000) + offer.maxTimeoutSeconds),
    nonce: `0x${randomBytes(32).toString("hex")}`,
    ...options.authorization,
  };
  const signature = await account.signTypedData({
    domain: {
      name: String(offer.extra.name),
      version: String(offer.extra.version),
      chainId: 8453,
      verifyingContract: offer.asset as Hex,
      ...options.domain,
    },
    types: transferTypes,
    primaryType: "TransferWithAuthorization",
    message: {
      from: authorization.from as Hex,
      to: authorization.to as Hex,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: authorization.nonce as Hex,
    },
  });
  return {
    x402Version: 2,
    resource: required.resource,
    accepted: { ...offer, ...options.accepted },
    payload: { signature, authorization },
  };
}

/** The PAYMENT-SIGNATURE header. */
export function encode(payload: unknown): string {
  return Buffer.from(JSON.stringify(payload)).toString("base64");
}

/** Decodes a PAYMENT-RESPONSE or PAYMENT-REQUIRED header. */
// biome-ignore lint/suspicious/noExplicitAny: read by tests that know what to expect.
export function decode(header: string | null | undefined): any {
  return JSON.parse(Buffer.from(String(header), "base64").toString());
}

export function nonceOf(payload: PaymentPayload): Hex {
  return (payload.payload.authorization as { nonce: Hex }).nonce;
}

const transferTypes = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;
