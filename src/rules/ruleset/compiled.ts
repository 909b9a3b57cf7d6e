import type { Address } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import type { MatchContext } from "../../model/match.ts";
import type { Value } from "../abi/abi-type.ts";
import type { EventItem, FunctionItem } from "../abi/signature.ts";
import type { Template } from "./compile/template.ts";

/** A rule as the matcher uses it: names are resolved, and conditions and paths are functions. */
export interface CompiledRule {
  /** `<protocol>/<rule>`: stable for ever. */
  id: string;
  file: string;
  /** First 12 digits of the Keccak-256 of the rule's canonical text. */
  version(): string;
  /** Display name; null where the rule may not name a protocol: it belongs to a standard or has no proven place. */
  protocol: string | null;
  /** The contracts and members of the rule's file. Money that reached one of them reached the protocol. */
  home: Gate;
  action: string;
  tier: number;
  /** Place of the action inside its tier; lower is told first (actions.yaml `over`). */
  rank: number;
  specificity: Specificity;
  /** The act must turn one asset into another (actions.yaml `exchanges`). */
  exchanges: boolean;
  /** Ether that is given beside tokens is a payment for the act (actions.yaml `ether_pays`). */
  etherPays?: boolean | undefined;
  status: "success" | "reverted";
  anchor: Anchor;
  /** Addresses on whose behalf the event happened; one of them must be the subject. Empty: no condition. */
  who: Getter[];
  /** Reads the subject from the evidence (`acts_for`), as for order fills and relayed payments; null: the rule does not say. */
  actsFor: Getter | null;
  /** `acts_for` reads a leg, so the legs are bound before the subject is known. */
  legsFirst: boolean;
  flow: FlowCondition | null;
  legs: CompiledLeg[];
  /** Further logs of admitted emitters that say nothing new. They are claimed together with the anchor. */
  absorbs: { event: EventItem; gate: Gate }[];
  /** `premise` is the part of `where` that does not depend on what other rules explain, `where` is the rest. */
  premise: (context: MatchContext) => boolean;
  where: (context: MatchContext) => boolean;
  /** The conditions of the premise that only ask what kind of transaction it is. */
  kind: (context: Pick<MatchContext, "tx">) => boolean;
  captures: Map<string, CompiledCapture>;
  does: Template;
  /** The calls that the anchor's call holds, which `{call}` tells; null where it holds none. */
  carries: HeldCallSource | null;
  /** Who did it, in words, where no account did; null: the subject did. */
  by: string | null;
  /** Place among the rule's `attempts`; null for the act itself. */
  attempt: number | null;
  /** The rule stands only when no other action does. */
  yields: boolean;
  /** The rule goes after every other rule of its action and tier. */
  defers: boolean;
  /** The act changes who controls an account or contract. It is always told, whatever else happened. */
  control: boolean;
  /** Place of its kind of control, the most dangerous first; see ruleset/control.ts. */
  controlRank: number;
  overrides: string[];
}

/** How much a rule asks for. Parts are compared in this order; the larger number goes first. */
export interface Specificity {
  /** How well the anchor's place is proven: 3 a known contract, 2 a proven member, 1 the moved token itself, 0 not at all. */
  place: number;
  /** Kind of evidence: 3 an event with its companion call, 2 an event, 1 a call or a transfer, 0 any call or money flow alone. */
  evidence: number;
  /** How many legs must be found, 9 at most. */
  legs: number;
}

export type Anchor =
  | { kind: "event"; event: EventItem; gate: Gate; companion: { call: FunctionItem[]; gate: Gate } | null }
  | { kind: "call"; call: FunctionItem | null; gate: Gate }
  | { kind: "transfer"; from: Gate; to: Gate; standards: string[] }
  /** `clears`: the authorization removed the account's code; otherwise it set one. `signed`: only where it is known who signed it. */
  | { kind: "authorization"; clears: boolean; signed: boolean }
  | { kind: "none" };

/** Which contracts are admitted. `proof`: the case file must prove that the contract is a member. */
export type Gate =
  | { kind: "any" }
  | { kind: "set"; addresses: ReadonlySet<Address> }
  | { kind: "proof"; member: CompiledMember }
  | { kind: "either"; gates: Gate[] }
  | { kind: "moved" };

/** Contracts that a factory makes, and the ways in which a case file proves that an address is one of them. */
export interface CompiledMember {
  role: string;
  /** What the addresses of members begin with, in lower-case hex; left out: with anything. */
  begins?: readonly string[];
  /** Members are tokens, of which there are never more base units than this; left out: they are no tokens, or have no such limit. */
  supplyMax?: bigint;
  proofs: MemberProof[];
}

export type MemberProof =
  | { kind: "registry"; registry: Address; read: FunctionItem; expect: "true" | "nonzero" | "self" }
  | { kind: "created"; factories: ReadonlySet<Address>; event: EventItem; argument: number }
  | { kind: "create2"; deployer: Address; initCodeHash: Hex; reads: FunctionItem[]; packed: boolean };

export interface FlowCondition {
  /** null: the side may be anything. */
  gives: FlowSide | null;
  gets: FlowSide | null;
  /** Sides that the file calls `any`: assets there belong to the act, unlike those on a side that it leaves out. */
  open: { gives: boolean; gets: boolean };
}

export interface FlowSide {
  min: number;
  max: number;
  kind: "any" | "fungible" | "native" | "erc20" | "nft";
  /** Assets of other kinds may be there too. */
  others: boolean;
  token: Getter | null;
  /** An ether movement that no call tree shows may stand in for a missing asset. */
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

/** Reads a call that a call or a message holds: one, or one for each element of an array. */
export interface HeldCallSource {
  each: Getter | null;
  from: Getter;
  to: Getter;
  /** null: none. */
  value: Getter | null;
  data: Getter;
}

/** Reads a value from a candidate's evidence; undefined when it is not there. */
export type Getter = (context: MatchContext) => Value | undefined;

/** `least`: the account asks for at least this amount. `most`: it gives at most this amount. */
export type AmountLimit = "least" | "most";

/** From this number on, a word is told instead of the number, such as `all`. */
type AmountCap = { from: bigint; word: string };

export type CompiledCapture =
  | { kind: "token" | "integer" | "number" | "text" | "duration" | "boolean" | "bytes"; get: Getter }
  /** `sender`: addresses that a router takes for the sender of the call. */
  | { kind: "address"; get: Getter; sender: readonly Address[] }
  | { kind: "time"; get: Getter; clock: boolean }
  | { kind: "nft"; token: Getter; id: Getter; pieces?: Getter }
  /** `limit`: the amount is only a lower or upper bound; null: it is exact. */
  | { kind: "amount"; get: Getter; token: Getter; cap: AmountCap | null; limit: AmountLimit | null }
  /** `far`: bytes or text that may name an account of another chain. `on`: the name of the capture that tells this chain. */
  | { kind: "other"; get: Getter; far: { get: Getter; text: boolean; on: string | null } | null }
  | { kind: "quantity"; get: Getter; decimals: number; unit: string | null }
  | { kind: "chain"; get: Getter; scheme: string }
  | { kind: "enum"; get: Getter; values: ReadonlyMap<string, string>; other: string | null }
  | { kind: "percent"; get: Getter; scale: bigint }
  | { kind: "flow"; side: "gives" | "gets" }
  | { kind: "count"; event: EventItem; gate: Gate; where: ((args: Value[]) => boolean) | null }
  | { kind: "const"; text: string }
  | FieldCapture
  /** Words with values of their own in them. */
  | { kind: "phrase"; words: Template; values: ReadonlyMap<string, CompiledCapture> }
  /** Several values as one: those that can be told, joined by commas and `and`. */
  | { kind: "list"; items: CompiledCapture[] };

/** A value with words in front, a value that is told only on a condition, or a value for each element of arrays. */
export interface FieldCapture {
  kind: "field";
  label: string | null;
  /** Where this does not hold, there is nothing to tell. */
  when: ((context: MatchContext) => boolean) | null;
  each: Elements | null;
  value: CompiledCapture;
}

/** The elements of an array, or the rows of parallel arrays of equal length. */
export type Elements = { kind: "array"; get: Getter } | { kind: "zip"; gets: Getter[] };
