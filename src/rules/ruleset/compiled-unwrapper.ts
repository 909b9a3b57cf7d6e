import type { Address } from "../../kernel/address.ts";
import type { TupleType, Value } from "../abi/abi-type.ts";
import type { EventItem, FunctionItem } from "../abi/signature.ts";
import type { Gate } from "./compiled.ts";

/** A rule about calls that carry calls, compiled: how they are read, and what proves that they ran. */
export interface CompiledUnwrapper {
  id: string;
  call: FunctionItem;
  gate: Gate;
  /** At most so many bytes may follow the canonical encoding. */
  suffix: number;
  each: EachSource;
  inner: { from: ItemGetter; to: ItemGetter; value: ItemGetter; data: ItemGetter; delegate: ItemGetter | null };
  /** The account whose act the inner calls are; null: the caller's. */
  actor: ItemGetter | null;
  proof: {
    event: EventItem;
    emitter: ItemGetter;
    join: { argument: number; get: ItemGetter }[];
    ok: number | null;
  } | null;
  /** Whether the whole call fails when this inner call fails; null: not known. */
  bubbles: ((context: UnwrapContext) => boolean) | null;
  /** Movements of ether from the actor to this address pay for gas. */
  feesTo: ItemGetter | null;
  when: ((context: UnwrapContext) => boolean) | null;
}

export type EachSource =
  | { kind: "single" }
  | { kind: "array"; get: ItemGetter }
  /** Parallel arrays of equal length. */
  | { kind: "zip"; gets: ItemGetter[] }
  | { kind: "packed"; get: ItemGetter; layout: PackedField[]; repeat: boolean }
  | { kind: "decode"; get: ItemGetter; types: TupleType; array: boolean }
  /** A program: a code byte and an input for each step. The bits of `mask` name the step; bits of `mayFail` mean that it may fail. */
  | {
      kind: "steps";
      codes: ItemGetter;
      inputs: ItemGetter;
      mask: number;
      mayFail: number;
      meanings: ReadonlyMap<number, readonly StepMeaning[]>;
    }
  | { kind: "step"; input: ItemGetter; meaning: NamedStep };

/** What a step means: its input is the arguments of an ABI item, or the calldata of a call to a contract. */
export type StepMeaning = NamedStep | { to: ItemGetter };

export interface NamedStep {
  /** The name in the file's `abi`. */
  name: string;
  item: FunctionItem;
}

export interface PackedField {
  name: string;
  /** How many bytes the field has. `rest`: all that remain. Otherwise the name of an earlier field that holds the length. */
  size: number | "rest" | { lengthIn: string };
  kind: "uint" | "address" | "bytes";
}

export interface UnwrapContext {
  caller: Address;
  to: Address;
  value: bigint;
  args: Value[];
  item: Value | undefined;
}

export type ItemGetter = (context: UnwrapContext) => Value | undefined;
