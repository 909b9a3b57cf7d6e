import { readQuantity } from "../../../kernel/hex.ts";
import { limits } from "../../../kernel/limits.ts";
import type { CaseFile, RpcFrame } from "../../../model/case-file.ts";
import type { Decision } from "../../../model/decision.ts";
import { contractKey, errorKey, failureKey, placedKey, selectorKey, setCodeKey, topicKey } from "./holding-key.ts";

/** A Bloom filter of a part's keys. A key that is there is always found; of the others about one in some hundred by mistake. */
export class Holdings {
  readonly #keys: Set<number> = new Set();
  #all = false;

  /** Logs, calls, addresses, also inside data and wrappers. */
  add({ transaction, receipt, trace }: CaseFile, { explanation, evidence }: Decision): void {
    const { calls, unclaimed_logs } = evidence();
    // A list at its limit may have been cut, so the part may hold anything.
    if (Math.max(calls.length, unclaimed_logs.length) >= limits.evidenceMax || calls.length >= limits.unwrappedCallsMax)
      this.#all = true;
    const { from, to, input } = transaction;
    this.#addCall({ type: "CALL", from, input, ...(to !== null && { to }) });
    if (transaction.authorizationList !== undefined) {
      this.#note(setCodeKey);
      for (const { address } of transaction.authorizationList) this.#note(contractKey(address));
    }
    for (const log of receipt.logs) this.#addLog(log);
    if (readQuantity(receipt.status) === 0n) this.#note(failureKey);
    if ("root" in trace) this.#addFrames(trace.root);
    for (const call of calls) this.#addPlace(selectorKey(call.selector), call.to);
    for (const { address } of explanation.counterparties) this.#addContract(address);
    for (const asset of explanation.assets_moved)
      for (const address of [asset.from, asset.to, asset.token_address]) this.#addContract(address);
    this.#addContract(receipt.contractAddress);
    if ("internal_transfers" in trace)
      for (const { from: payer, to: payee } of trace.internal_transfers)
        for (const address of [payer, payee]) this.#addContract(address);
  }

  /** Empty: may hold everything. */
  toBytes(): Uint8Array {
    if (this.#all) return new Uint8Array();
    const bytes = new Uint8Array(Math.max(8, Math.ceil((this.#keys.size * bitsEach) / 8)));
    for (const key of this.#keys)
      for (const bit of bitsOf(key, bytes.length)) bytes[bit >> 3] = (bytes[bit >> 3] as number) | (1 << (bit & 7));
    return bytes;
  }

  #note(key: string): void {
    this.#keys.add(hashKey(key));
  }

  #addContract(address: string | null | undefined): void {
    if (address) this.#note(contractKey(address));
  }

  #addPlace(key: string, address: string | null | undefined): void {
    this.#note(key);
    if (address) this.#note(placedKey(key, address));
    this.#addContract(address);
  }

  #addLog({ address, topics, data }: CaseFile["receipt"]["logs"][number]): void {
    this.#addPlace(topicKey(topics[0] ?? ""), address);
    for (const topic of topics.slice(1)) this.#addWords(topic);
    this.#addWords(data);
  }

  #addFrames(root: RpcFrame): void {
    const open = [root];
    for (let frame = open.pop(); frame !== undefined; frame = open.pop()) {
      this.#addCall(frame);
      open.push(...(frame.calls ?? []));
    }
  }

  #addCall({ from, to, input = "0x", output, error }: RpcFrame): void {
    this.#note(contractKey(from));
    this.#addPlace(selectorKey(input.slice(0, 10).toLowerCase()), to);
    this.#addWords(input);
    if (error !== undefined) this.#note(failureKey);
    if (error !== undefined && output !== undefined) this.#note(errorKey(output.slice(0, 10).toLowerCase()));
  }

  /** ABI-encoded. Calls inside calls shift data by four bytes, so every fourth byte is tried. */
  #addWords(hex: string): void {
    const end = hex.length - wordDigits;
    let holdsZero = false;
    for (let at = 2; at <= end; at += 8) {
      if (!hex.startsWith(addressPadding, at)) continue;
      // Most words are zero, and a run of them would match at each step. So the zero address is added only once.
      if (hex.startsWith(zeroDigits, at + 24)) holdsZero = true;
      else this.#keys.add(hashContract(hex, at + 24));
    }
    if (holdsZero) this.#keys.add(hashContract(zeroDigits, 0));
  }
}

/** An empty filter may hold everything. */
export function mayHold(filter: Uint8Array, keys: readonly number[]): boolean {
  if (filter.length === 0) return true;
  return keys.some((key) => bitsOf(key, filter.length).every((bit) => ((filter[bit >> 3] as number) >> (bit & 7)) & 1));
}

const wordDigits = 64;
const addressPadding = "0".repeat(24);
const zeroDigits = "0".repeat(40);
const bitsEach = 12;
const hashes = 7;

function bitsOf(key: number, bytes: number): number[] {
  const first = Math.floor(key / 2 ** 21);
  const step = (key % 2 ** 21) * 2 + 1;
  const size = bytes * 8;
  return Array.from({ length: hashes }, (_, i) => (first + i * step) % size);
}

/** 53 bits: FNV-1a twice, with different start values. */
export function hashKey(key: string): number {
  let one = 0x811c9dc5;
  let two = 0x1b873593;
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x85ebca6b);
  }
  return join(one, two);
}

/** The contract key of the 40 hex digits from `at` on, in any case; no new string, for speed. */
function hashContract(hex: string, at: number): number {
  let [one, two] = contractStart;
  for (let i = at; i < at + 40; i++) {
    // Digits already have this bit; for letters it makes the lower case.
    const code = hex.charCodeAt(i) | 0x20;
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x85ebca6b);
  }
  return join(one, two);
}

/** Both hashes after the common start of contract keys. */
const contractStart = [...contractKey("0x")].reduce<[number, number]>(
  ([one, two], letter) => {
    const code = letter.charCodeAt(0);
    return [Math.imul(one ^ code, 0x01000193), Math.imul(two ^ code, 0x85ebca6b)];
  },
  [0x811c9dc5, 0x1b873593],
);

function join(one: number, two: number): number {
  one ^= one >>> 15;
  two ^= two >>> 13;
  return (one >>> 0) * 2 ** 21 + ((two >>> 0) % 2 ** 21);
}
