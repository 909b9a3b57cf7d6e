import type { TupleType, Value } from "../abi/abi-type.ts";
import type { EventItem, FunctionItem } from "../abi/signature.ts";
import type { Address } from "../kernel/address.ts";
import type { Hex } from "../kernel/hex.ts";
import type { MatchContext } from "../model/match.ts";
import type { Template } from "./compile/template.ts";

/** Rules as the matcher sees them: no references, no positions, closures instead of text. */
export interface CompiledRule {
  /** `<protocol>/<rule>`: stable for ever. */
  id: string;
  file: string;
  /** First 12 digits of the Keccak-256 of the rule's canonical text. */
  version(): string;
  /** Display name, null for standards: they may not name a protocol. */
  protocol: string | null;
  /** The contracts and members of the rule's file: what reached one of them reached the protocol. */
  home: Gate;
  action: string;
  tier: number;
  /** Place of the action inside its tier; lower is told first (actions.yaml `over`). */
  rank: number;
  specificity: Specificity;
  /** The action needs one asset to become another (actions.yaml `exchanges`). */
  exchanges: boolean;
  /** Ether beside tokens pays for the act (actions.yaml `ether_pays`). */
  etherPays?: boolean | undefined;
  status: "success" | "reverted";
  anchor: Anchor;
  /** Addresses on whose behalf the event happened; one of them must be the subject. Empty: not asked. */
  who: Getter[];
  /** The rule names the subject itself (fills, relayed payments). */
  actsFor: Getter | null;
  /** `acts_for` reads a leg, so legs are bound before the subject is known. */
  legsFirst: boolean;
  flow: FlowCondition | null;
  legs: CompiledLeg[];
  /** Further logs of admitted emitters that say nothing new and are claimed with the anchor. */
  absorbs: { event: EventItem; gate: Gate }[];
  /** The parts of `where` that do not depend on what other rules explain, and the others. */
  premise: (context: MatchContext) => boolean;
  where: (context: MatchContext) => boolean;
  /** Those of the premise that only ask what kind of transaction it is. */
  kind: (context: Pick<MatchContext, "tx">) => boolean;
  captures: Map<string, CompiledCapture>;
  does: Template;
  /** The calls that its call holds, which `{call}` tells; null where it holds none. */
  carries: HeldCallSource | null;
  /** Who did it, in words, where no account did; null: the subject. */
  by: string | null;
  /** Place among the rule's `attempts`; null for the act itself. */
  attempt: number | null;
  /** Stands only when no other action does. */
  yields: boolean;
  /** Goes after every other rule of its action and tier. */
  defers: boolean;
  /** Changes who controls an account or contract: always told, beside whatever else happened. */
  control: boolean;
  /** Place among the acts that change control, the most dangerous first; see ruleset/control.ts. */
  controlRank: number;
  overrides: string[];
}

/** How much a rule asks for. The parts are compared in this order; more goes first. */
export interface Specificity {
  /** How well the anchor's place is proven: 3 a known contract, 2 a proven member, 1 the moved token itself, 0 not at all. */
  place: number;
  /** Kind of evidence: 3 an event with its companion call, 2 an event, 1 a call or a transfer, 0 any call or money flow alone. */
  evidence: number;
  /** Legs that must be found, 9 at most. */
  legs: number;
}

export type Anchor =
  | { kind: "event"; event: EventItem; gate: Gate; companion: { call: FunctionItem[]; gate: Gate } | null }
  | { kind: "call"; call: FunctionItem | null; gate: Gate }
  | { kind: "transfer"; from: Gate; to: Gate; standards: string[] }
  /** `clears`: the account's code was cleared, else set. `signed`: who signed it is known. */
  | { kind: "authorization"; clears: boolean; signed: boolean }
  | { kind: "none" };

/** Which contracts are admitted. `proof`: membership must be shown by the case file. */
export type Gate =
  | { kind: "any" }
  | { kind: "set"; addresses: ReadonlySet<Address> }
  | { kind: "proof"; member: CompiledMember }
  | { kind: "either"; gates: Gate[] }
  | { kind: "moved" };

/** Contracts that a factory makes, and how a case file shows that an address is one of them. */
export interface CompiledMember {
  role: string;
  proofs: MemberProof[];
}

export type MemberProof =
  | { kind: "registry"; registry: Address; read: FunctionItem; expect: "true" | "nonzero" | "self" }
  | { kind: "created"; factories: ReadonlySet<Address>; event: EventItem; argument: number }
  | { kind: "create2"; deployer: Address; initCodeHash: Hex; reads: FunctionItem[]; packed: boolean };

export interface FlowCondition {
  /** null: anything. */
  gives: FlowSide | null;
  gets: FlowSide | null;
  /** Sides that the file calls `any`: what stands there belongs to the act, unlike on a side that it does not mention. */
  open: { gives: boolean; gets: boolean };
}

export interface FlowSide {
  min: number;
  max: number;
  kind: "any" | "fungible" | "native" | "erc20" | "nft";
  /** Other kinds may be present beside the counted ones. */
  others: boolean;
  token: Getter | null;
  /** An unseen native movement may stand in for a missing asset. */
  unseen: boolean;
}

export interface CompiledLeg {
  name: string;
  optional: boolean | "unseen";
  many: boolean;
  standards: string[] | null;
  token: Getter | null;
  from: Getter | Gate | null;
  to: Getter | Gate | null;
  amount: Getter | null;
  id: Getter | null;
}

/** A call inside of a call or a message: once, or for each element of an array. */
export interface HeldCallSource {
  each: Getter | null;
  from: Getter;
  to: Getter;
  /** null: none. */
  value: Getter | null;
  data: Getter;
}

/** Reads a value from a candidate; undefined when it is not there. */
export type Getter = (context: MatchContext) => Value | undefined;

/** `least`: no less than the amount is wanted; `most`: no more than it is given. */
export type AmountLimit = "least" | "most";

/** From that size on a word stands for the number. */
type AmountCap = { from: bigint; word: string };

export type CompiledCapture =
  | { kind: "token" | "integer" | "number" | "text" | "duration" | "boolean" | "bytes"; get: Getter }
  /** `sender`: addresses that stand for whoever sends the call. */
  | { kind: "address"; get: Getter; sender: readonly Address[] }
  | { kind: "time"; get: Getter; clock: boolean }
  | { kind: "nft"; token: Getter; id: Getter; pieces?: Getter }
  /** `limit`: what the amount is only a bound of. */
  | { kind: "amount"; get: Getter; token: Getter; cap: AmountCap | null; limit: AmountLimit | null }
  /** `far`: bytes, or text, that may name an account of another chain; `on`: the capture that tells this chain. */
  | { kind: "other"; get: Getter; far: { get: Getter; text: boolean; on: string | null } | null }
  | { kind: "quantity"; get: Getter; decimals: number; unit: string | null }
  | { kind: "chain"; get: Getter; scheme: string }
  | { kind: "enum"; get: Getter; values: ReadonlyMap<string, string>; other: string | null }
  | { kind: "percent"; get: Getter; scale: bigint }
  | { kind: "flow"; side: "gives" | "gets" }
  | { kind: "count"; event: EventItem; gate: Gate; where: ((args: Value[]) => boolean) | null }
  | { kind: "const"; text: string }
  | FieldCapture
  /** Several values as one: those that can be told, joined by commas and `and`. */
  | { kind: "list"; items: CompiledCapture[] };

/** A value with words in front of it, one that is told only sometimes, or one for each element of arrays. */
export interface FieldCapture {
  kind: "field";
  label: string | null;
  /** Where it does not hold there is nothing to tell. */
  when: ((context: MatchContext) => boolean) | null;
  each: Elements | null;
  value: CompiledCapture;
}

/** The elements of an array; those of parallel arrays of equal length are taken together. */
export type Elements = { kind: "array"; get: Getter } | { kind: "zip"; gets: Getter[] };

export interface CompiledUnwrapper {
  id: string;
  call: FunctionItem;
  gate: Gate;
  /** Bytes that may follow the canonical encoding, at most. */
  suffix: number;
  each: EachSource;
  inner: { from: ItemGetter; to: ItemGetter; value: ItemGetter; data: ItemGetter; delegate: ItemGetter | null };
  /** Whose act the inner calls are; null: the caller's own. */
  actor: ItemGetter | null;
  proof: {
    event: EventItem;
    emitter: ItemGetter;
    join: { argument: number; get: ItemGetter }[];
    ok: number | null;
  } | null;
  /** Whether the call as a whole fails when this inner call does; null: not known. */
  bubbles: ((context: UnwrapContext) => boolean) | null;
  /** Movements from the actor to this contract are gas. */
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
  /** A program: one code byte and one input a step. Bits of `mask` name the step, bits of `mayFail` let it fail. */
  | {
      kind: "steps";
      codes: ItemGetter;
      inputs: ItemGetter;
      mask: number;
      mayFail: number;
      meanings: ReadonlyMap<number, readonly StepMeaning[]>;
    }
  | { kind: "step"; input: ItemGetter; meaning: NamedStep };

/** What a step is: arguments of an ABI item, or a call of a contract with the input as calldata. */
export type StepMeaning = NamedStep | { to: ItemGetter };

export interface NamedStep {
  /** As the file's `abi` calls it. */
  name: string;
  item: FunctionItem;
}

export interface PackedField {
  name: string;
  /** Bytes of the field; `rest`: all that remains; otherwise the name of an earlier field that holds the length. */
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
