import { Point } from "@noble/secp256k1";
import { type Address, readAddress } from "../kernel/address.ts";
import { keccakOfBytes, keccakOfDigits } from "../kernel/hash.ts";
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
    const key = recoverKey(BigInt(hash), { parity, r: left, s: right });
    return readAddress(`0x${keccakOfBytes(key.toBytes(false).subarray(1)).slice(-40)}`);
  } catch {
    return undefined;
  }
}

/**
 * The public key behind a signature: (s/r)·R − (hash/r)·G (SEC 1, section 4.1.6). Throws when there is none. The library's own function
 * brings all that signs and verifies with it, and its helpers for numbers bring more, which costs every page another kilobyte.
 */
function recoverKey(hash: bigint, { parity, r, s }: Record<"parity" | "r" | "s", bigint>): Point {
  const { n } = Point.CURVE();
  if (r === 0n || r >= n || s === 0n || s >= n)
    throw new RangeError("r and s lie between 0 and the order of the curve");
  const nonce = Point.fromHex(`0${2n + parity}${r.toString(16).padStart(64, "0")}`);
  const inverse = power(r, n - 2n, n);
  const hashed = Point.BASE.negate().multiplyUnsafe((hash * inverse) % n);
  return nonce.multiplyUnsafe((s * inverse) % n).add(hashed);
}

/** Of a prime, the power with an exponent of two less is the inverse (Fermat). */
function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let product = 1n;
  let square = base;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) product = (product * square) % modulus;
    square = (square * square) % modulus;
  }
  return product;
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
  const items = rlpNumber(chain) + byte(rlpText + addressBytes) + delegate.slice(2) + rlpNumber(count);
  return keccakOfDigits(`${magic}${rlpListStart(items.length / 2)}${items}`);
}

/** EIP-2: of the two signatures that recover the same account, only the one with the lower s is valid. */
export function isLowSignature({ s }: RpcAuthorization): boolean {
  return (readQuantity(s) ?? 0n) <= Point.CURVE().n / 2n;
}

const magic = "05";
const addressBytes = 20;

// RLP, as far as an authorization needs it: that of the library would cost every page another kilobyte.

/** Added to the length of a text, and of a list that is shorter than 56 bytes. */
const rlpText = 0x80;
const rlpList = 0xc0;

/** A number without leading zeros, zero as nothing; one below 0x80 is its own byte. */
function rlpNumber(value: bigint): string {
  const digits = value === 0n ? "" : value.toString(16);
  const bytes = digits.length % 2 === 0 ? digits : `0${digits}`;
  return value > 0n && value < 0x80n ? bytes : byte(rlpText + bytes.length / 2) + bytes;
}

/** What stands before the items of a list of so many bytes; a list here has fewer than 256. */
function rlpListStart(length: number): string {
  return length < 56 ? byte(rlpList + length) : `f8${byte(length)}`;
}

function byte(value: number): string {
  return value.toString(16).padStart(2, "0");
}
