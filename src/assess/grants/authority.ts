import { secp256k1 } from "@noble/curves/secp256k1";
import { concatHex, keccak256, numberToHex, toRlp } from "viem";
import { type Address, readAddress } from "../../kernel/address.ts";
import { type Hex, readQuantity } from "../../kernel/hex.ts";
import type { RpcTransaction } from "../../model/case-file.ts";

type Authorization = NonNullable<RpcTransaction["authorizationList"]>[number];

/**
 * The account that signed an EIP-7702 authorization: whoever recovers from keccak256(0x05 ‖ rlp([chain id, address, nonce])).
 * undefined when the signature is missing or no signature.
 */
export function recoverAuthority({ chainId, address, nonce, yParity, r, s }: Authorization): Address | undefined {
  const parts = [chainId, nonce, yParity, r, s].map(readQuantity);
  const [chain, count, parity, left, right] = parts;
  const delegate = readAddress(address);
  if (delegate === undefined || chain === undefined || count === undefined || parity === undefined) return undefined;
  if (left === undefined || right === undefined || parity > 1n) return undefined;
  const message = keccak256(concatHex([magic, toRlp([minimal(chain), delegate, minimal(count)])]));
  try {
    const signature = new secp256k1.Signature(left, right).addRecoveryBit(Number(parity));
    const key = signature.recoverPublicKey(message.slice(2)).toHex(false);
    return readAddress(`0x${keccak256(`0x${key.slice(2)}`).slice(-40)}`);
  } catch {
    return undefined;
  }
}

const magic = "0x05";

/** RLP writes a number without leading zeros, zero as nothing. */
function minimal(value: bigint): Hex {
  return value === 0n ? "0x" : numberToHex(value);
}
