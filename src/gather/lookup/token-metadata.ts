import { encodeFunctionData, parseAbi } from "viem";
import type { Address } from "../../kernel/address.ts";
import { byteLength, type Hex } from "../../kernel/hex.ts";
import { limits } from "../../kernel/limits.ts";
import type { LookupStatus, TokenLookup } from "../../model/case-file.ts";
import type { Read } from "../network/rpc/multicall.ts";

/** In the order of {@link readTokenMetadata}. */
export function metadataReads(token: Address): Read[] {
  return metadataCalls.map((data) => ({ to: token, data }));
}

/** `returns`: of {@link metadataReads}, null: reverted. `absent`: answered nothing. Decimals above 77 are null: 10^78 exceeds 256 bits. */
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

/** A token that could not be asked. */
export function unknownToken(status: "unavailable" | "inconclusive", source: string): TokenLookup {
  return { status, source, symbol: null, name: null, decimals: null, standard: null };
}

/** Milliseconds, for other transactions. */
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
  // ERC-165: ERC-721, ERC-1155
  encodeFunctionData({ abi: tokenAbi, functionName: "supportsInterface", args: ["0x80ac58cd"] }),
  encodeFunctionData({ abi: tokenAbi, functionName: "supportsInterface", args: ["0xd9b67a26"] }),
];

export const readsPerToken = metadataCalls.length;

/** One more than shown, to know of a longer text. */
const textCharsMax = limits.nameCharsMax + 1;

const wordBytes = 32;

/** ABI `string`, or `bytes32` of early tokens; null: neither. Invalid UTF-8 is U+FFFD. */
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

/** Up to the first zero byte; null: a number or empty word is no symbol. */
function readFixedText(bytes: Buffer): string | null {
  const end = bytes.indexOf(0);
  return end === 0 ? null : decodeText(end < 0 ? bytes : bytes.subarray(0, end));
}

/** undefined: outside or larger than the data. */
function readLength(bytes: Buffer, at: number): number | undefined {
  if (at + wordBytes > bytes.length) return undefined;
  const value = BigInt(`0x${bytes.toString("hex", at, at + wordBytes)}`);
  return value <= BigInt(bytes.length) ? Number(value) : undefined;
}

/** UTF-8 has at most four bytes a character. */
function decodeText(bytes: Buffer): string {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, textCharsMax * 4));
  return text.length <= textCharsMax ? text : Array.from(text).slice(0, textCharsMax).join("");
}

/** null above 77. Exactly one word: a `string` starts with offset 32, like decimals. */
export function readDecimals(data: Hex | null | undefined): number | null {
  if (data === null || data === undefined || byteLength(data) !== wordBytes) return null;
  const value = BigInt(data);
  return value <= 77n ? Number(value) : null;
}

/** Both: a fallback that says yes to everything; null. */
function readStandard(isErc721: Hex | null | undefined, isErc1155: Hex | null | undefined): TokenLookup["standard"] {
  const erc721 = isTrueWord(isErc721);
  if (erc721 === isTrueWord(isErc1155)) return null;
  return erc721 ? "erc721" : "erc1155";
}

/** ABI `bool`. */
export function isTrueWord(data: Hex | null | undefined): boolean {
  return data !== null && data !== undefined && byteLength(data) === wordBytes && BigInt(data) === 1n;
}
