import { encodeFunctionData, keccak256, parseAbi, toHex } from "viem";
import { type Address, readAddress, zeroAddress } from "../../kernel/address.ts";
import { byteLength, type Hex } from "../../kernel/hex.ts";
import type { ProxyKind } from "../../model/risk-lookups.ts";
import type { StateRead } from "../../network/rpc/state-reader.ts";

/** What is asked about one address on the way from a proxy to the code that runs. */
export interface CodeQuestion {
  address: Address;
  selector: Hex | null;
  owner: Address | null;
}

/** One step towards the code that runs. `next` is the address to read next, through `via`; null when the code is here. */
export interface CodeStep {
  code: "none" | "contract" | "delegated";
  next: Address | null;
  /** `beacon`: `next` answers `implementation()`. */
  via: ProxyKind | null;
  /** A diamond that does not tell the facet of the selector. */
  unresolved: boolean;
  owned: boolean;
}

/** The reads for one address. {@link readStep} expects the answers in this order. */
export function stepReads({ address, selector, owner }: CodeQuestion): StateRead[] {
  const reads: StateRead[] = [{ kind: "code", address }];
  for (const { slot } of slots) reads.push({ kind: "storage", address, slot });
  if (selector !== null)
    reads.push({
      kind: "call",
      to: address,
      data: encodeFunctionData({ abi, functionName: "facetAddress", args: [selector] }),
    });
  if (owner !== null)
    reads.push({
      kind: "call",
      to: address,
      data: encodeFunctionData({ abi, functionName: "isOwner", args: [owner] }),
    });
  return reads;
}

/** What one address holds, by the answers to {@link stepReads}. */
export function readStep(question: CodeQuestion, results: readonly (Hex | null)[]): CodeStep {
  const code = results[0] ?? "0x";
  const step: CodeStep = { code: "contract", next: null, via: null, unresolved: false, owned: false };
  if (code === "0x") return { ...step, code: "none" };
  const delegate = delegatePattern.exec(code)?.[1];
  if (delegate !== undefined) return { ...step, code: "delegated", next: `0x${delegate}` as Address, via: "eip7702" };
  const words = slots.map((_, i) => addressIn(results[1 + i] ?? null));
  const calls = results.slice(1 + slots.length);
  const facet = question.selector === null ? undefined : (calls.shift() ?? null);
  const isSafe = code.includes(masterCopySelector) && byteLength(code) < safeProxyBytesMax;
  if (question.owner !== null) step.owned = isSafe && isTrue(calls.shift() ?? null);
  const target = clonePatterns.map((pattern) => pattern.exec(code)?.[1]).find((found) => found !== undefined);
  if (target !== undefined) return { ...step, next: `0x${target}` as Address, via: "eip1167" };
  const found = slots.findIndex(({ kind }, i) => words[i] !== undefined && (kind !== "safe" || isSafe));
  if (found >= 0) return { ...step, next: words[found] as Address, via: slots[found]?.kind ?? null };
  if (typeof facet !== "string" || byteLength(facet) !== 32) return step;
  const logic = addressIn(facet);
  if (logic === undefined) return BigInt(facet) === 0n ? { ...step, unresolved: true } : step;
  return logic === question.address ? step : { ...step, next: logic, via: "diamond" };
}

/** Asks a beacon (EIP-1967) for its implementation. */
export function beaconRead(beacon: Address): StateRead {
  return { kind: "call", to: beacon, data: encodeFunctionData({ abi, functionName: "implementation" }) };
}

/** The address in a 32-byte word; undefined when it is zero or the word holds anything else. */
export function addressIn(word: Hex | null): Address | undefined {
  if (word === null || !/^0x0{24}[0-9a-f]{40}$/.test(word)) return undefined;
  const address = readAddress(`0x${word.slice(26)}`);
  return address === zeroAddress ? undefined : address;
}

const abi = parseAbi([
  "function facetAddress(bytes4 selector) view returns (address)",
  "function implementation() view returns (address)",
  "function isOwner(address owner) view returns (bool)",
]);

/** EIP-1967 takes the hash minus one, so that no other variable can have the same slot. */
function before(name: string): Hex {
  return toHex(BigInt(keccak256(toHex(name))) - 1n, { size: 32 });
}

/** Where proxies keep what they delegate to: EIP-1967, EIP-1822, ZeppelinOS before them, and Safe in its first slot. */
const slots: readonly { kind: ProxyKind; slot: Hex }[] = [
  { kind: "eip1967", slot: before("eip1967.proxy.implementation") },
  { kind: "beacon", slot: before("eip1967.proxy.beacon") },
  { kind: "eip1822", slot: keccak256(toHex("PROXIABLE")) },
  { kind: "zeppelin", slot: keccak256(toHex("org.zeppelinos.proxy.implementation")) },
  { kind: "safe", slot: toHex(0n, { size: 32 }) },
];

/** EIP-7702: the code of an account that delegates is this marker and the delegate. */
const delegatePattern = /^0xef0100([0-9a-f]{40})$/;

/** EIP-1167, the same with PUSH0 (ERC-7511), and the form whose arguments follow the code. */
const clonePatterns = [
  /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/,
  /^0x365f5f375f5f365f73([0-9a-f]{40})5af43d5f5f3e5f3d91602a57fd5bf3/,
  /^0x3d3d3d3d363d3d37363d73([0-9a-f]{40})5af43d3d93803e602a57fd5bf3/,
];

/** A Safe proxy compares calldata with `masterCopy()`, and is short. */
const masterCopySelector = "a619486e";
const safeProxyBytesMax = 600;

function isTrue(word: Hex | null): boolean {
  return word !== null && byteLength(word) === 32 && BigInt(word) === 1n;
}
