import { hashTypedData, recoverAddress, size, slice } from "viem";
import type { Hex } from "../../../kernel/hex.ts";
import type { PaymentAttempt } from "./attempt.ts";

/** What a payer has to have signed: the EIP-712 hash of an EIP-3009 authorization, with the signature that is shown for it. */
export interface SignedData {
  payer: Hex;
  hash: Hex;
  signature: Hex;
}

/** What the payment of this attempt has to be signed for. */
export function signedDataOf({ authorization, requirements, request }: PaymentAttempt): SignedData {
  const { name, version } = requirements.extra as { name: string; version: string };
  const chainId = Number(requirements.network.split(":")[1]);
  const hash = hashTypedData({
    domain: { name, version, chainId, verifyingContract: requirements.asset as Hex },
    types: { TransferWithAuthorization: fields },
    primaryType: "TransferWithAuthorization",
    message: authorization,
  });
  const { signature } = request.payment.payload.payload as { signature: Hex };
  return { payer: authorization.from, hash, signature };
}

/** EIP-3009. */
const fields = [
  { name: "from", type: "address" },
  { name: "to", type: "address" },
  { name: "value", type: "uint256" },
  { name: "validAfter", type: "uint256" },
  { name: "validBefore", type: "uint256" },
  { name: "nonce", type: "bytes32" },
] as const;

/** Whether the key of the payer's address made the signature: 65 bytes, of the form that the token takes (`s` in its lower half, EIP-2). */
export async function isSignedByKey({ payer, hash, signature }: SignedData): Promise<boolean> {
  if (size(signature) !== 65 || BigInt(slice(signature, 32, 64)) > halfOrder) return false;
  const signer = await recoverAddress({ hash, signature }).catch(() => undefined);
  return signer?.toLowerCase() === payer.toLowerCase();
}

/** Half of the order of secp256k1. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
