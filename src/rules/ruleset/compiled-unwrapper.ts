import type { Address } from "../../kernel/address.ts";
import type { TupleType, Value } from "../abi/abi-type.ts";
import type { EventItem, FunctionItem } from "../abi/signature.ts";
import type { Gate } from "./compiled.ts";

/** How calls inside a call are read, and what proves that they ran. */
export interface CompiledUnwrapper {
  id: string;
  call: FunctionItem;
  gate: Gate;
  /** Bytes that may follow the canonical encoding. */
  suffix: number;
  each: EachSource;
  inner: { from: ItemGetter; to: ItemGetter; value: ItemGetter; data: ItemGetter; delegate: ItemGetter | null };
  /** Whose act the inner calls are; null: the caller's. */
  actor: ItemGetter | null;
  proof: {
    event: EventItem;
    emitter: ItemGetter;
    join: { argument: number; get: ItemGetter }[];
    ok: number | null;
  } | null;
  /** The whole call fails with this inner call; null: not known. */
  bubbles: ((context: UnwrapContext) => boolean) | null;
  /** Ether from the actor to this address pays for gas. */
  feesTo: ItemGetter | null;
  when: ((context: UnwrapContext) => boolean) | null;
}

export type EachSource =
  | { kind: "single" }
  | { kind: "array"; get: ItemGetter }
  /** Of equal length. */
  | { kind: "zip"; gets: ItemGetter[] }
  | { kind: "packed"; get: ItemGetter; layout: PackedField[]; repeat: boolean }
  | { kind: "decode"; get: ItemGetter; types: TupleType; array: boolean }
  /** A code byte and an input for each step. `mask` selects the bits that name it; `mayFail` bits mean that it may fail. */
  | {
      kind: "steps";
      codes: ItemGetter;
      inputs: ItemGetter;
      mask: number;
      mayFail: number;
      meanings: ReadonlyMap<number, readonly StepMeaning[]>;
    }
  | { kind: "step"; input: ItemGetter; meaning: NamedStep };

/** The input is the arguments of an ABI item, or calldata for a contract. */
export type StepMeaning = NamedStep | { to: ItemGetter };

export interface NamedStep {
  /** In the file's `abi`. */
  name: string;
  item: FunctionItem;
}

export interface PackedField {
  name: string;
  /** Bytes; `rest`: all that remain; or an earlier field with the length. */
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
