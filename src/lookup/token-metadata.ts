import { encodeFunctionData, parseAbi } from "viem";
import type { Address } from "../kernel/address.ts";
import { byteLength, type Hex } from "../kernel/hex.ts";
import { limits } from "../kernel/limits.ts";
import type { LookupStatus, TokenLookup } from "../model/case-file.ts";
import type { Read } from "../network/rpc/multicall.ts";

/** The reads for one token. {@link readTokenMetadata} expects the answers in this order. */
export function metadataReads(token: Address): Read[] {
  return metadataCalls.map((data) => ({ to: token, data }));
}

/**
 * What a contract says about itself; `returns` as {@link metadataReads} asked, null where the call reverted. Found when it
 * said anything, absent when nothing. Decimals are null unless they are a uint8 a 256-bit amount can have (at most 77).
 */
export function readTokenMetadata(returns: readonly (Hex | null)[], source: string): TokenLookup {
  const [symbol, name, decimals, isErc721, isErc1155] = returns;
  const read = {
    symbol: readText(symbol),
    name: readText(name),
    decimals: readDecimals(decimals),
    standard: readStandard(isErc721, isErc1155),
  };
  const status = Object.values(read).some((value) => value !== null) ? "found" : "absent";
  return { status, source, ...read };
}

/** The lookup of a token that could not be asked. */
export function unknownToken(status: "unavailable" | "inconclusive", source: string): TokenLookup {
  return { status, source, symbol: null, name: null, decimals: null, standard: null };
}

/** Milliseconds for which the answer of a token may be reused for other transactions. */
export function tokenLifetime(status: LookupStatus): number {
  if (status === "found") return 6 * 3_600_000;
  return status === "absent" ? 60_000 : 0;
}

const tokenAbi = parseAbi([
  "function symbol() view returns (string)",
  "function name() view returns (string)",
  "function decimals() view returns (uint8)",
  "function supportsInterface(bytes4 interfaceId) view returns (bool)",
]);

const metadataCalls: readonly Hex[] = [
  encodeFunctionData({ abi: tokenAbi, functionName: "symbol" }),
  encodeFunctionData({ abi: tokenAbi, functionName: "name" }),
  encodeFunctionData({ abi: tokenAbi, functionName: "decimals" }),
  // ERC-165 identifiers of ERC-721 and ERC-1155
  encodeFunctionData({ abi: tokenAbi, functionName: "supportsInterface", args: ["0x80ac58cd"] }),
  encodeFunctionData({ abi: tokenAbi, functionName: "supportsInterface", args: ["0xd9b67a26"] }),
];

export const readsPerToken = metadataCalls.length;

/** Enough to recognize a token. One more character shows that the text was longer. */
const textCharsMax = limits.nameCharsMax + 1;

const wordBytes = 32;

/** An ABI `string`, or the `bytes32` that early tokens return. null when it is neither. Invalid UTF-8 becomes U+FFFD. */
function readText(data: Hex | null | undefined): string | null {
  if (data === null || data === undefined) return null;
  const bytes = Buffer.from(data.slice(2), "hex");
  if (bytes.length === wordBytes) return readFixedText(bytes);
  const offset = readLength(bytes, 0);
  const length = offset === undefined ? undefined : readLength(bytes, offset);
  if (offset === undefined || length === undefined) return null;
  const start = offset + wordBytes;
  return length > bytes.length - start ? null : decodeText(bytes.subarray(start, start + length));
}

/** Text up to the first zero byte. null when there is none before it: a number or an empty word is no symbol. */
function readFixedText(bytes: Buffer): string | null {
  const end = bytes.indexOf(0);
  return end === 0 ? null : decodeText(end < 0 ? bytes : bytes.subarray(0, end));
}

/** The word at `at` as a byte count; undefined when it lies outside of the data or is larger than the data. */
function readLength(bytes: Buffer, at: number): number | undefined {
  if (at + wordBytes > bytes.length) return undefined;
  const value = BigInt(`0x${bytes.toString("hex", at, at + wordBytes)}`);
  return value <= BigInt(bytes.length) ? Number(value) : undefined;
}

/** UTF-8 takes at most four bytes for a character, so the cut bytes hold all characters that are kept. */
function decodeText(bytes: Buffer): string {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, textCharsMax * 4));
  return text.length <= textCharsMax ? text : Array.from(text).slice(0, textCharsMax).join("");
}

/** Only an answer of one word counts: an ABI `string` begins with the offset 32, which looks like decimals. */
export function readDecimals(data: Hex | null | undefined): number | null {
  if (data === null || data === undefined || byteLength(data) !== wordBytes) return null;
  const value = BigInt(data);
  return value <= 77n ? Number(value) : null;
}

/** A contract that claims both standards has a fallback that says yes to everything. */
function readStandard(isErc721: Hex | null | undefined, isErc1155: Hex | null | undefined): TokenLookup["standard"] {
  const erc721 = isTrueWord(isErc721);
  if (erc721 === isTrueWord(isErc1155)) return null;
  return erc721 ? "erc721" : "erc1155";
}

/** Whether an ABI `bool` says yes. */
export function isTrueWord(data: Hex | null | undefined): boolean {
  return data !== null && data !== undefined && byteLength(data) === wordBytes && BigInt(data) === 1n;
}
