import { authorizationTypes } from "@x402/evm";
import { hashTypedData, recoverAddress, size, slice } from "viem";
import type { Hex } from "../../../kernel/hex.ts";
import type { PaymentAttempt } from "./attempt.ts";

/** EIP-712 hash of an EIP-3009 authorization, with the shown signature. */
export interface SignedData {
  payer: Hex;
  hash: Hex;
  signature: Hex;
}

export function signedDataOf({ authorization, requirements, request }: PaymentAttempt): SignedData {
  const { name, version } = requirements.extra as { name: string; version: string };
  const chainId = Number(requirements.network.split(":")[1]);
  const hash = hashTypedData({
    domain: { name, version, chainId, verifyingContract: requirements.asset as Hex },
    types: authorizationTypes,
    primaryType: "TransferWithAuthorization",
    message: authorization,
  });
  const { signature } = request.payment.payload.payload as { signature: Hex };
  return { payer: authorization.from, hash, signature };
}

/** By the payer's key: 65 bytes, `s` in its lower half (EIP-2), as the token wants. */
export async function isSignedByKey({ payer, hash, signature }: SignedData): Promise<boolean> {
  if (size(signature) !== 65 || BigInt(slice(signature, 32, 64)) > halfOrder) return false;
  const signer = await recoverAddress({ hash, signature }).catch(() => undefined);
  return signer?.toLowerCase() === payer.toLowerCase();
}

/** Of secp256k1. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
