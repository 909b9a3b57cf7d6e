import { secp256k1 } from "@noble/curves/secp256k1";
import { toRlp } from "viem/utils";
import { type Address, readAddress } from "../../kernel/address.ts";
import { type JsonObject, readObject } from "../../kernel/canonical.ts";
import { keccakOfBytes } from "../../kernel/hash.ts";
import { type Hash, type Hex, readHash, readHex, readQuantity } from "../../kernel/hex.ts";
import { quantityHex } from "../network/rpc/rpc-objects.ts";

/** A field in RLP; a list nests. */
type Item = Hex | readonly Item[];

/** undefined: missing, or of another shape. */
type ReadItem = (source: JsonObject) => Item | undefined;

const numberOf =
  (name: string): ReadItem =>
  (source) =>
    rlpNumber(readQuantity(source[name]));

/** 0 is empty. */
function rlpNumber(value: bigint | undefined): Hex | undefined {
  if (value === undefined) return undefined;
  const hex = quantityHex(value);
  if (value === 0n) return "0x";
  return hex.length % 2 === 0 ? hex : `0x0${hex.slice(2)}`;
}

const addressOf =
  (name: string): ReadItem =>
  ({ [name]: value }) =>
    readAddress(value);
const receiver: ReadItem = ({ to = null }) => (to === null ? "0x" : readAddress(to));
const input: ReadItem = ({ data, input: given = data }) => readHex(given);
const listOf =
  (name: string, read: (value: unknown) => Item | undefined): ReadItem =>
  ({ [name]: value }) =>
    readItems(value, read);

function readItems(value: unknown, read: (value: unknown) => Item | undefined): Item | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.map(read);
  return items.every((item) => item !== undefined) ? items : undefined;
}

const readFields =
  (fields: readonly ReadItem[]) =>
  (value: unknown): Item | undefined => {
    const source = readObject(value);
    return source === undefined ? undefined : encodeFields(fields, source);
  };

const accessList = listOf(
  "accessList",
  readFields([addressOf("address"), listOf("storageKeys", (key) => readHash(key))]),
);
const parity: ReadItem = ({ v, yParity = v }) => {
  const value = readQuantity(yParity);
  return value === undefined || value > 1n ? undefined : rlpNumber(value);
};
const signature = [parity, numberOf("r"), numberOf("s")];
const authorizations = listOf(
  "authorizationList",
  readFields([numberOf("chainId"), addressOf("address"), numberOf("nonce"), ...signature]),
);

const chainId = numberOf("chainId");
const nonce = numberOf("nonce");
const gasPrice = numberOf("gasPrice");
const gas = numberOf("gas");
const value = numberOf("value");
const fees = [numberOf("maxPriorityFeePerGas"), numberOf("maxFeePerGas")];
const act = [gas, receiver, value, input];

/** By type: EIP-155, EIP-2930, EIP-1559, EIP-4844, EIP-7702. */
const signedFields: Readonly<Record<string, readonly ReadItem[]>> = {
  0: [nonce, gasPrice, ...act],
  1: [chainId, nonce, gasPrice, ...act, accessList],
  2: [chainId, nonce, ...fees, ...act, accessList],
  3: [
    ...[chainId, nonce, ...fees, ...act, accessList],
    ...[numberOf("maxFeePerBlobGas"), listOf("blobVersionedHashes", (hash) => readHash(hash))],
  ],
  4: [chainId, nonce, ...fees, ...act, accessList, authorizations],
};

/** OP Stack deposit (specs/protocol/deposits.md), unsigned. Nodes leave out `mint` and `isSystemTx` where there is none. */
const depositFields: readonly ReadItem[] = [
  ...[({ sourceHash }: JsonObject) => readHash(sourceHash), addressOf("from"), receiver],
  ({ mint }) => rlpNumber(readQuantity(mint ?? "0x0")),
  ...[value, gas],
  ({ isSystemTx }) => (isSystemTx === true ? "0x01" : "0x"),
  input,
];
const depositType = 0x7en;

/** Keccak-256 of type and RLP (EIP-2718). undefined: unknown type, or a field such as the signature is missing: nothing can be said. */
export function hashOfFields(source: JsonObject): Hash | undefined {
  const type = readQuantity(source.type);
  if (type === undefined) return undefined;
  if (type === depositType) return hashOf(type, encodeFields(depositFields, source));
  const last = type === 0n ? [numberOf("v"), numberOf("r"), numberOf("s")] : signature;
  return hashOf(type, encodeFields([...(signedFields[String(type)] ?? [unknown]), ...last], source));
}

/**
 * The signer, or the sender of a deposit. undefined: as {@link hashOfFields}, or no signature. Takes one to two milliseconds, more than
 * decoding.
 */
export function signerOfFields(source: JsonObject): Address | undefined {
  const type = readQuantity(source.type);
  if (type === undefined) return undefined;
  if (type === depositType) return readAddress(source.from);
  const v = readQuantity(type === 0n ? source.v : (source.yParity ?? source.v));
  const [r, s] = [source.r, source.s].map(readQuantity);
  if (v === undefined || r === undefined || s === undefined) return undefined;
  // EIP-155: v is 35 or 36 and twice the chain id, which is then signed too. Before it, 27 or 28.
  const protectedBy = type === 0n && v >= 35n ? (v - 35n) / 2n : undefined;
  const more: ReadItem[] = protectedBy === undefined ? [] : [() => rlpNumber(protectedBy), () => "0x", () => "0x"];
  const hash = hashOf(type, encodeFields([...(signedFields[String(type)] ?? [unknown]), ...more], source));
  const odd = type === 0n ? (protectedBy === undefined ? v - 27n : (v - 35n) % 2n) : v;
  return hash === undefined ? undefined : recoverSigner(hash, { parity: Number(odd), r, s });
}

function recoverSigner(hash: Hash, { parity, r, s }: { parity: number; r: bigint; s: bigint }): Address | undefined {
  try {
    const key = new secp256k1.Signature(r, s).addRecoveryBit(parity).recoverPublicKey(hash.slice(2));
    return readAddress(`0x${keccakOfBytes(key.toRawBytes(false).subarray(1)).slice(-40)}`);
  } catch {
    return undefined;
  }
}

const unknown: ReadItem = () => undefined;

function encodeFields(fields: readonly ReadItem[], source: JsonObject): Item | undefined {
  return readItems(fields, (read) => (read as ReadItem)(source));
}

function hashOf(type: bigint, fields: Item | undefined): Hash | undefined {
  if (fields === undefined) return undefined;
  const rlp = toRlp(fields as Hex[], "bytes");
  if (type === 0n) return keccakOfBytes(rlp) as Hash;
  const enveloped = new Uint8Array(rlp.length + 1);
  enveloped[0] = Number(type);
  enveloped.set(rlp, 1);
  return keccakOfBytes(enveloped) as Hash;
}
