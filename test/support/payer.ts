import { randomBytes } from "node:crypto";
import { x402Client } from "@x402/core/client";
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from "@x402/core/types";
import { registerExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment } from "@x402/fetch";
import type { Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";

/** `fetch` of the official client: pays what it is asked, up to its own cap of one dollar unless that is raised to ten. */
export function payingFetch(account: PrivateKeyAccount, { raised = false } = {}): typeof fetch {
  const client = new x402Client();
  if (raised) client.setSpendControls({ maxAmountPerPayment: "$10" });
  registerExactEvmScheme(client, { signer: account });
  return wrapFetchWithPayment(fetch, client) as typeof fetch;
}

export interface SignOptions {
  required: PaymentRequired;
  account: PrivateKeyAccount;
  /** What the client claims to have accepted, where it differs from the offer. */
  accepted?: Partial<PaymentRequirements>;
  /** What is signed, where it differs from what the offer asks. */
  authorization?: Partial<Record<"from" | "to" | "value" | "validAfter" | "validBefore" | "nonce", string>>;
  domain?: { name?: string; version?: string; chainId?: number };
}

/** A payment for the first offer of a challenge, with what a test wants to be wrong in it. */
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

/** What a PAYMENT-RESPONSE or PAYMENT-REQUIRED header says. */
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
