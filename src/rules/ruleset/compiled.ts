import type { Address } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import type { MatchContext } from "../../model/match.ts";
import type { Value } from "../abi/abi-type.ts";
import type { EventItem, FunctionItem } from "../abi/signature.ts";
import type { Template } from "./compile/template.ts";

/** As the matcher uses it: names resolved, conditions and paths as functions. */
export interface CompiledRule {
  /** `<protocol>/<rule>`: stable for ever. */
  id: string;
  file: string;
  /** 12 digits of the Keccak-256 of the canonical text. */
  version(): string;
  /** null for a standard or without a proven place: no protocol may be named. */
  protocol: string | null;
  /** Money that reached one of these reached the protocol. */
  home: Gate;
  action: string;
  tier: number;
  /** Inside its tier; lower goes first (actions.yaml `over`). */
  rank: number;
  specificity: Specificity;
  /** In actions.yaml. */
  exchanges: boolean;
  /** In actions.yaml. */
  etherPays?: boolean | undefined;
  status: "success" | "reverted";
  anchor: Anchor;
  /** One of them must be the subject; empty: no condition. */
  who: Getter[];
  /** The subject by the evidence (`acts_for`), as of order fills and relayed payments. */
  actsFor: Getter | null;
  /** `acts_for` reads a leg, so legs are bound first. */
  legsFirst: boolean;
  flow: FlowCondition | null;
  legs: CompiledLeg[];
  /** Logs that say nothing new, claimed with the anchor. */
  absorbs: { event: EventItem; gate: Gate }[];
  /** `premise`: the part of `where` independent of what other rules explain; `where`: the rest. */
  premise: (context: MatchContext) => boolean;
  where: (context: MatchContext) => boolean;
  /** Conditions of the premise on the kind of transaction. */
  kind: (context: Pick<MatchContext, "tx">) => boolean;
  captures: Map<string, CompiledCapture>;
  does: Template;
  /** Calls for `{call}`. */
  carries: HeldCallSource | null;
  /** In words, where no account did it; null: the subject. */
  by: string | null;
  /** Among `attempts`; null: the act itself. */
  attempt: number | null;
  /** Only where no other action is found. */
  yields: boolean;
  /** After every other rule of its action and tier. */
  defers: boolean;
  /** Changes who controls an account or contract. Always stated. */
  control: boolean;
  /** The most dangerous kind first; see ruleset/control.ts. */
  controlRank: number;
  overrides: string[];
}

/** Compared in this order, the larger number first. */
export interface Specificity {
  /** 3 a known contract, 2 a proven member, 1 the moved token itself, 0 anyone. */
  place: number;
  /** 3 an event with its call, 2 an event, 1 a call or a transfer, 0 any call or money flow alone. */
  evidence: number;
  /** At most 9. */
  legs: number;
}

export type Anchor =
  | { kind: "event"; event: EventItem; gate: Gate; companion: { call: FunctionItem[]; gate: Gate } | null }
  | { kind: "call"; call: FunctionItem | null; gate: Gate }
  | { kind: "transfer"; from: Gate; to: Gate; standards: string[] }
  /** `clears`: removed the account's code. `signed`: only with a known signer. */
  | { kind: "authorization"; clears: boolean; signed: boolean }
  | { kind: "none" };

/** `proof`: the case file must prove membership. */
export type Gate =
  | { kind: "any" }
  | { kind: "set"; addresses: ReadonlySet<Address> }
  | { kind: "proof"; member: CompiledMember }
  | { kind: "either"; gates: Gate[] }
  | { kind: "moved" };

/** Made by a factory; with the ways to prove an address. */
export interface CompiledMember {
  role: string;
  /** Of addresses, lower-case hex; left out: any. */
  begins?: readonly string[];
  /** Tokens of which there are never more base units; left out: no tokens, or no limit. */
  supplyMax?: bigint;
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
  /** Sides written as `any`: assets there belong to the act. */
  open: { gives: boolean; gets: boolean };
}

export interface FlowSide {
  min: number;
  max: number;
  kind: "any" | "fungible" | "native" | "erc20" | "nft";
  /** Assets of other kinds may be there. */
  others: boolean;
  token: Getter | null;
  /** Ether that no call tree shows may stand in for a missing asset. */
  unseen: boolean;
}

/** The name of a leg by which the service itself is paid for. */
export const feeLeg = "fee";

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

/** One call, or one for each element of an array. */
export interface HeldCallSource {
  each: Getter | null;
  from: Getter;
  to: Getter;
  /** null: none. */
  value: Getter | null;
  data: Getter;
}

/** Reads a candidate's evidence; undefined: not there. */
export type Getter = (context: MatchContext) => Value | undefined;

/** `least`: asks for at least this. `most`: gives at most this. */
export type AmountLimit = "least" | "most";

/** From this number on a word is used instead, such as `all`. */
type AmountCap = { from: bigint; word: string };

export type CompiledCapture =
  | { kind: "token" | "integer" | "number" | "text" | "duration" | "boolean" | "bytes"; get: Getter }
  /** Constants that a router replaces by the sender. */
  | { kind: "address"; get: Getter; sender: readonly Address[] }
  | { kind: "time"; get: Getter; clock: boolean }
  | { kind: "nft"; token: Getter; id: Getter; pieces?: Getter }
  /** `limit`: only a bound; null: exact. */
  | { kind: "amount"; get: Getter; token: Getter; cap: AmountCap | null; limit: AmountLimit | null }
  /** `far`: may name an account of another chain; `on`: the capture of that chain. */
  | { kind: "other"; get: Getter; far: { get: Getter; text: boolean; on: string | null } | null }
  | { kind: "quantity"; get: Getter; decimals: number; unit: string | null }
  | { kind: "chain"; get: Getter; scheme: string }
  | { kind: "enum"; get: Getter; values: ReadonlyMap<string, string>; other: string | null }
  | { kind: "percent"; get: Getter; scale: bigint }
  | { kind: "flow"; side: "gives" | "gets" }
  | { kind: "count"; event: EventItem; gate: Gate; where: ((args: Value[]) => boolean) | null }
  | { kind: "const"; text: string }
  | FieldCapture
  | { kind: "phrase"; words: Template; values: ReadonlyMap<string, CompiledCapture> }
  /** Joined by commas and `and`. */
  | { kind: "list"; items: CompiledCapture[] };

/** A value with words in front, with a condition, or for each element of arrays. */
export interface FieldCapture {
  kind: "field";
  label: string | null;
  /** Otherwise there is nothing to state. */
  when: ((context: MatchContext) => boolean) | null;
  each: Elements | null;
  value: CompiledCapture;
}

/** Parallel arrays have equal length. */
export type Elements = { kind: "array"; get: Getter } | { kind: "zip"; gets: Getter[] };
