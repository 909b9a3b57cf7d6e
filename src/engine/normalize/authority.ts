import { Point } from "@noble/secp256k1";
import { type Address, readAddress } from "../../kernel/address.ts";
import { keccakOfBytes, keccakOfDigits } from "../../kernel/hash.ts";
import { type Hex, readQuantity } from "../../kernel/hex.ts";
import type { RpcAuthorization } from "../../model/case-file.ts";

/** Signer of an EIP-7702 authorization, recovered from its hash, or who is to sign. undefined: no valid signature. */
export function recoverAuthority(authorization: RpcAuthorization): Address | undefined {
  if (!authorities.has(authorization)) authorities.set(authorization, recover(authorization));
  return authorities.get(authorization);
}

/** A pure cache: recovering is slow, and a case is decoded more than once. */
const authorities = new WeakMap<RpcAuthorization, Address | undefined>();

function recover(authorization: RpcAuthorization): Address | undefined {
  const { yParity, r, s, authority } = authorization;
  if (authority !== undefined) return readAddress(authority);
  const [parity, left, right] = [yParity, r, s].map(readQuantity);
  const hash = authorizationHash(authorization);
  if (hash === undefined || parity === undefined || left === undefined || right === undefined) return undefined;
  if (parity > 1n) return undefined;
  try {
    const key = recoverKey(BigInt(hash), { parity, r: left, s: right });
    return readAddress(`0x${keccakOfBytes(key.toBytes(false).subarray(1)).slice(-40)}`);
  } catch {
    return undefined;
  }
}

/** (s/r)·R − (hash/r)·G (SEC 1, section 4.1.6). Throws when there is no key. The library's function adds over a kilobyte to every page. */
function recoverKey(hash: bigint, { parity, r, s }: Record<"parity" | "r" | "s", bigint>): Point {
  const { n } = Point.CURVE();
  if (r === 0n || r >= n || s === 0n || s >= n)
    throw new RangeError("r and s lie between 0 and the order of the curve");
  const nonce = Point.fromHex(`0${2n + parity}${r.toString(16).padStart(64, "0")}`);
  const inverse = power(r, n - 2n, n);
  const hashed = Point.BASE.negate().multiplyUnsafe((hash * inverse) % n);
  return nonce.multiplyUnsafe((s * inverse) % n).add(hashed);
}

/** With a prime modulus, the exponent modulus − 2 gives the inverse (Fermat). */
function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let product = 1n;
  let square = base;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) product = (product * square) % modulus;
    square = (square * square) % modulus;
  }
  return product;
}

/** keccak256(0x05 ‖ rlp([chain id, address, nonce])). */
export function authorizationHash({
  chainId,
  address,
  nonce,
}: Pick<RpcAuthorization, "chainId" | "address" | "nonce">): Hex | undefined {
  const [chain, count] = [chainId, nonce].map(readQuantity);
  const delegate = readAddress(address);
  if (delegate === undefined || chain === undefined || count === undefined) return undefined;
  const items = rlpNumber(chain) + byte(rlpText + addressBytes) + delegate.slice(2) + rlpNumber(count);
  return keccakOfDigits(`${magic}${rlpListStart(items.length / 2)}${items}`);
}

/** Lower half of the order (EIP-2): of two signatures only this is valid. */
export function isLowSignature({ s }: RpcAuthorization): boolean {
  return (readQuantity(s) ?? 0n) <= Point.CURVE().n / 2n;
}

const magic = "05";
const addressBytes = 20;

// The library's RLP adds a kilobyte to every page.

/** First byte, plus the length: of a text, and of a list below 56 bytes. */
const rlpText = 0x80;
const rlpList = 0xc0;

/** Without leading zeros; 0 is an empty text; below 0x80 its own byte. */
function rlpNumber(value: bigint): string {
  const digits = value === 0n ? "" : value.toString(16);
  const bytes = digits.length % 2 === 0 ? digits : `0${digits}`;
  return value > 0n && value < 0x80n ? bytes : byte(rlpText + bytes.length / 2) + bytes;
}

/** Below 256 bytes. */
function rlpListStart(length: number): string {
  return length < 56 ? byte(rlpList + length) : `f8${byte(length)}`;
}

function byte(value: number): string {
  return value.toString(16).padStart(2, "0");
}
