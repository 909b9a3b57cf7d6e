import { Point, recoverPublicKey, Signature } from "@noble/secp256k1";
import { hexToBytes, keccak256 } from "viem/utils";
import { type Address, readAddress } from "../kernel/address.ts";
import { type Hex, readQuantity } from "../kernel/hex.ts";
import type { RpcAuthorization } from "../model/case-file.ts";

/**
 * The account that signed an EIP-7702 authorization: whoever recovers from its hash, or whoever is to sign it. undefined when the
 * signature is missing or no signature.
 */
export function recoverAuthority(authorization: RpcAuthorization): Address | undefined {
  if (!authorities.has(authorization)) authorities.set(authorization, recover(authorization));
  return authorities.get(authorization);
}

/** A pure cache: a case file is decoded more than once, and recovering is slow. */
const authorities = new WeakMap<RpcAuthorization, Address | undefined>();

function recover(authorization: RpcAuthorization): Address | undefined {
  const { yParity, r, s, authority } = authorization;
  if (authority !== undefined) return readAddress(authority);
  const [parity, left, right] = [yParity, r, s].map(readQuantity);
  const hash = authorizationHash(authorization);
  if (hash === undefined || parity === undefined || left === undefined || right === undefined) return undefined;
  if (parity > 1n) return undefined;
  try {
    const signature = new Signature(left, right, Number(parity)).toBytes("recovered");
    const key = Point.fromBytes(recoverPublicKey(signature, hexToBytes(hash), { prehash: false })).toBytes(false);
    return readAddress(`0x${keccak256(key.subarray(1)).slice(-40)}`);
  } catch {
    return undefined;
  }
}

/** What an authority signs: keccak256(0x05 ‖ rlp([chain id, address, nonce])). undefined when a part is missing. */
export function authorizationHash({
  chainId,
  address,
  nonce,
}: Pick<RpcAuthorization, "chainId" | "address" | "nonce">): Hex | undefined {
  const [chain, count] = [chainId, nonce].map(readQuantity);
  const delegate = readAddress(address);
  if (delegate === undefined || chain === undefined || count === undefined) return undefined;
  const items = [minimal(chain), delegate.slice(2), minimal(count)].map(rlpItem).join("");
  return keccak256(`${magic}${rlpPrefix(0xc0, items)}${items}`);
}

/** EIP-2: of the two signatures that recover the same account, only the one with the lower s is valid. */
export function isLowSignature({ s }: RpcAuthorization): boolean {
  return (readQuantity(s) ?? 0n) <= Point.CURVE().n / 2n;
}

const magic = "0x05";

/** Digits of a number without leading zeros, whole bytes; zero is nothing. */
function minimal(value: bigint): string {
  const digits = value === 0n ? "" : value.toString(16);
  return digits.length % 2 === 0 ? digits : `0${digits}`;
}

/** RLP: a byte below 0x80 stands for itself. */
function rlpItem(digits: string): string {
  return digits.length === 2 && digits < "80" ? digits : `${rlpPrefix(0x80, digits)}${digits}`;
}

/** RLP: the size in the first byte, from 56 bytes on in a byte of its own. Nothing here has 256 bytes. */
function rlpPrefix(offset: number, digits: string): string {
  const size = digits.length / 2;
  return size < 56 ? (offset + size).toString(16) : `${(offset + 56).toString(16)}${size.toString(16)}`;
}
