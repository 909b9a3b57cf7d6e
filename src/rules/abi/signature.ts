import type { AbiEvent, AbiFunction } from "viem";
import type { Hex } from "../../kernel/hex.ts";
import { type AbiType, layoutOf, type TupleType, tupleOf, type Value } from "./abi-type.ts";
import { compileReader, compileWordReader, decode, malformed, type Reader, type WordType } from "./decoder.ts";
import type { SignatureMistake } from "./signature-mistake.ts";

export type AbiItem = FunctionItem | EventItem;

export interface FunctionItem {
  kind: "function" | "error";
  /** A step of a program that a contract runs, such as a router's command; not callable from outside. */
  step: boolean;
  name: string;
  /** E.g. `transfer(address,uint256)`. */
  signature: string;
  /** Four-byte selector. */
  hash: Hex;
  inputs: TupleType;
  /** Empty for errors. */
  outputs: TupleType;
  /** `calldata` includes the selector. Undefined when it does not decode. */
  read(calldata: string): Value[] | undefined;
}

export interface EventItem {
  kind: "event";
  name: string;
  signature: string;
  /** topic0. */
  hash: Hex;
  inputs: TupleType;
  indexed: boolean[];
  /** topic0 included. */
  topics: number;
  read(topics: readonly string[], data: string): Value[] | undefined;
}

/** Passed in, so that a program with compiled rules loads no parser. */
export interface SignatureReader {
  /** Throws with a sentence for the author. */
  read(text: string): AbiItem;
  mistakeIn(text: string): SignatureMistake | undefined;
}

/** Plain data that a cache can hold. */
export interface SignatureFacts {
  item: AbiFunction | AbiEvent;
  signature: string;
  hash: Hex;
}

const facts = new Map<string, SignatureFacts>();
const items = new Map<string, AbiItem>();
/** Keyed by signature and indexed parameters: items that differ only in names share one. */
const eventReaders = new Map<string, EventItem["read"]>();

export function signatureFacts(): Record<string, SignatureFacts> {
  return Object.fromEntries(facts);
}

/** Facts of an earlier process: parsing and hashing are most of the time of a start. */
export function learnSignatures(known: Readonly<Record<string, SignatureFacts>>): void {
  for (const [text, one] of Object.entries(known)) facts.set(text, one);
}

/** `parse` is called for an unknown signature. Items do not change, and many files share one. */
export function itemOf(text: string, parse: (text: string) => SignatureFacts): AbiItem {
  const made = items.get(text);
  if (made !== undefined) return made;
  const known = facts.get(text) ?? parse(text);
  facts.set(text, known);
  const item = makeItem(text, known);
  items.set(text, item);
  return item;
}

/** Knows only what {@link learnSignatures} got; throws for others. */
export const learnedSignatures: SignatureReader = {
  read(text) {
    return itemOf(text, () => {
      throw new Error("the compiled rules lack this signature");
    });
  },
  mistakeIn: () => undefined,
};

/** A direct argument, or a member of a struct argument; null: none. */
export function trailTo({ names, items }: AbiItem["inputs"], name: string): string[] | null {
  if (names.includes(name)) return [name];
  const struct = items.findIndex((item) => item.kind === "tuple" && item.names.includes(name));
  return struct < 0 ? null : [names[struct] as string, name];
}

export const stepWord = /^step /;

function makeItem(text: string, { item, signature, hash }: SignatureFacts): AbiItem {
  const inputs = tupleOf(item.inputs);
  if (item.type === "event") return eventItem(item, signature, hash, inputs);
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

function eventItem(item: AbiEvent, signature: string, hash: Hex, inputs: TupleType): EventItem {
  const indexed = item.inputs.map((input) => input.indexed === true);
  const layout = `${signature} ${indexed}`;
  const read = eventReaders.get(layout) ?? eventReader(item, indexed);
  eventReaders.set(layout, read);
  return {
    kind: "event",
    name: item.name,
    signature,
    hash,
    inputs: { ...inputs, items: inputs.items.map((input, i) => (indexed[i] ? topicType(input) : input)) },
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

/** The topic of a dynamic value, array or struct is a hash: bytes32. */
function topicType(type: AbiType): WordType {
  if (type.kind === "array" || type.kind === "tuple" || type.dynamic)
    return { kind: "fixed", size: 32, dynamic: false, words: 1 };
  return type;
}
