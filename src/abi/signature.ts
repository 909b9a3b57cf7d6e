import type { AbiEvent, AbiFunction } from "viem";
import { keccak256, parseAbiItem, stringToHex, toEventSelector, toFunctionSelector } from "viem/utils";
import type { Hex } from "../kernel/hex.ts";
import { type AbiType, layoutOf, tupleOf, type Value } from "./abi-type.ts";
import { compileReader, compileWordReader, decode, malformed, type Reader } from "./decoder.ts";

/** An ABI item of a rule file with its computed hash and compiled reader. */
export type AbiItem = FunctionItem | EventItem;

export interface FunctionItem {
  kind: "function" | "error";
  /** One step of a program that a contract runs, such as a router's command. It cannot be called from outside. */
  step: boolean;
  name: string;
  /** Canonical signature, e.g. `transfer(address,uint256)`. */
  signature: string;
  /** Four-byte selector. */
  hash: Hex;
  inputs: AbiType & { kind: "tuple" };
  /** Layout of the return values; empty for errors. */
  outputs: AbiType & { kind: "tuple" };
  /** Arguments from calldata (with selector); undefined when they do not decode. */
  read(calldata: string): Value[] | undefined;
}

export interface EventItem {
  kind: "event";
  name: string;
  signature: string;
  /** topic0. */
  hash: Hex;
  inputs: AbiType & { kind: "tuple" };
  indexed: boolean[];
  /** Number of topics that a log of this event has, topic0 included. */
  topics: number;
  read(topics: readonly string[], data: string): Value[] | undefined;
}

const parsed = new Map<string, AbiItem>();
/** Readers by signature and indexed parameters: items that differ in names only share theirs. */
const eventReaders = new Map<string, EventItem["read"]>();

/**
 * Parses a human-readable signature (`event …`, `function …`, `error …`, `step …`). Throws with a sentence for the author.
 * Items are immutable, and many files share one, so each text is parsed once.
 */
export function parseSignature(text: string): AbiItem {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const item = parseAfresh(text);
  parsed.set(text, item);
  return item;
}

/** What parsing and hashing a signature gives: plain data that a cache can keep. */
export interface SignatureFacts {
  item: AbiFunction | AbiEvent;
  signature: string;
  hash: Hex;
}

const facts = new Map<string, SignatureFacts>();

/** The facts of all signatures that were parsed so far, by text. */
export function signatureFacts(): Record<string, SignatureFacts> {
  return Object.fromEntries(facts);
}

/** Takes the facts that an earlier process stored, because parsing and hashing take most of the time of a start. */
export function learnSignatures(known: Readonly<Record<string, SignatureFacts>>): void {
  for (const [text, one] of Object.entries(known)) facts.set(text, one);
}

function factsOf(text: string): SignatureFacts {
  const known = facts.get(text);
  if (known !== undefined) return known;
  const item = parseAbiItem(text.replace(stepWord, "function ") as "function f()") as unknown as AbiFunction | AbiEvent;
  const unnamed = item.inputs.findIndex((input) => input.name === undefined || input.name === "");
  if (unnamed >= 0) throw new Error(`parameter ${unnamed + 1} has no name`);
  const signature = `${item.name}(${item.inputs.map((input) => canonicalType(input)).join(",")})`;
  const made = { item, signature, hash: hashOf(item, signature, stepWord.test(text)) };
  facts.set(text, made);
  return made;
}

const stepWord = /^step /;

/** Steps have a hash of their own, apart from that of a function of the same signature; no contract answers to it. */
function hashOf(item: AbiFunction | AbiEvent, signature: string, step: boolean): Hex {
  if (step) return keccak256(stringToHex(`step ${signature}`)).slice(0, 10) as Hex;
  return item.type === "event" ? toEventSelector(signature) : toFunctionSelector(signature);
}

function parseAfresh(text: string): AbiItem {
  const { item, signature, hash } = factsOf(text);
  const inputs = tupleOf(item.inputs);
  if (item.type === "event") return eventItem(item, { signature, hash, inputs });
  const kind = (item.type as string) === "error" ? "error" : "function";
  const read = compileReader(inputs);
  return {
    kind,
    step: stepWord.test(text),
    name: item.name,
    signature,
    hash,
    inputs,
    outputs: tupleOf(item.outputs ?? []),
    read: (calldata) => decode(read, calldata, 10),
  };
}

function eventItem(
  item: AbiEvent,
  { signature, hash, inputs }: { signature: string; hash: Hex; inputs: AbiType & { kind: "tuple" } },
): EventItem {
  const indexed = item.inputs.map((input) => input.indexed === true);
  const layout = `${signature} ${indexed}`;
  const read = eventReaders.get(layout) ?? eventReader(item, indexed);
  eventReaders.set(layout, read);
  return {
    kind: "event",
    name: item.name,
    signature,
    hash,
    inputs: withTopicTypes(inputs, indexed),
    indexed,
    topics: 1 + indexed.filter(Boolean).length,
    read,
  };
}

function eventReader(item: AbiEvent, indexed: readonly boolean[]): EventItem["read"] {
  const plain = item.inputs.filter((input) => input.indexed !== true);
  const readData = compileReader(tupleOf(plain));
  const readTopics: (Reader | null)[] = item.inputs.map((input, i) =>
    indexed[i] ? compileWordReader(topicType(layoutOf(input))) : null,
  );
  const topics = 1 + indexed.filter(Boolean).length;
  return (logTopics, data) => {
    if (logTopics.length !== topics) return undefined;
    try {
      const values = plain.length === 0 ? [] : (readData(data, 2) as Value[]);
      const all: Value[] = [];
      let topic = 1;
      let value = 0;
      for (let i = 0; i < readTopics.length; i++) {
        const reader = readTopics[i] as Reader | null;
        all.push(reader === null ? (values[value++] as Value) : reader(logTopics[topic++] as string, 2));
      }
      return all;
    } catch (error) {
      if (error === malformed) return undefined;
      throw error;
    }
  };
}

/** An indexed dynamic value is only its hash in the topic: readable as bytes32, nothing more. */
function topicType(type: AbiType): AbiType {
  return type.kind === "array" || type.kind === "tuple" || type.dynamic
    ? { kind: "fixed", size: 32, dynamic: false, words: 1 }
    : type;
}

function withTopicTypes(inputs: AbiType & { kind: "tuple" }, indexed: boolean[]): AbiType & { kind: "tuple" } {
  return { ...inputs, items: inputs.items.map((item, i) => (indexed[i] ? topicType(item) : item)) };
}

function canonicalType(parameter: { type: string; components?: readonly unknown[] }): string {
  if (!parameter.type.startsWith("tuple")) return parameter.type;
  const components = (parameter.components ?? []) as { type: string; components?: readonly unknown[] }[];
  return `(${components.map(canonicalType).join(",")})${parameter.type.slice(5)}`;
}
