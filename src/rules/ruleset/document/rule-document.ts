import type { ControlKind } from "../control.ts";
import type { FailureEntry, FeeEntry, GrantEntry, NoteEntry } from "./hint-entries.ts";
import type { MessageEntry } from "./message-entry.ts";

/** A rule file after schema validation. */
export interface WrittenDocument extends Omit<RuleDocument, "kind" | "contracts" | "rules"> {
  /** A template only gives rules to others by `like`. */
  kind: "protocol" | "standard" | "template";
  /** Protocol id of the original of rules, ABI, members and unwrappers. */
  like?: string;
  /** Of the original: rules and roles. */
  without?: string[];
  /** Of the addresses, unless a role or address has its own. */
  source?: string | string[];
  /** Of the signatures of `abi`. */
  abi_source?: string | string[];
  contracts?: Record<string, WrittenRole>;
  rules?: WrittenRule[];
}

/** Labels by address; optionally the `source` of this role. */
export type WrittenRole = { source?: string | string[] } & Record<string, WrittenContract>;

/** A label, or one with its own `source`. The list is only for the key `source` of a role. */
export type WrittenContract = string | string[] | { label: string; source?: string | string[] };

/** In a file with `like`, an entry without `action` amends a rule. */
export type WrittenRule = Partial<RuleEntry> & { id: string; example?: InlineExample };

/** Fields of `given`, expected `action` and `says`; or `tx`, a recording. */
export type InlineExample = Record<string, unknown> & { tx?: string; action?: string; says?: string };

/** Refers to no other file; each fact is in one place. */
export interface RuleDocument {
  protocol: string;
  name?: string;
  kind: "protocol" | "standard";
  site?: string;
  contracts?: Record<string, ContractEntry[]>;
  members?: Record<string, MemberEntry>;
  /** Run by the nodes: what such a contract does has no frames in a call tree. */
  precompiles?: string[];
  abi?: Record<string, string>;
  steps?: Record<string, StepsEntry>;
  /** Addresses by number or address, or words for an `enum`. About the file's own contracts, so not copied by `like`. */
  tables?: Record<string, Record<string, string>>;
  unwrap?: UnwrapEntry[];
  subjects?: { event: string; at: string | string[]; subject: string }[];
  signers?: { event: string; at: string | string[]; signer: string }[];
  /** `event` and `created`: makers, and the new account. `event` alone: emitted by accounts. No `event`: code that accounts run. */
  accounts?: { at: string | string[]; event?: string; created?: string }[];
  fees?: FeeEntry[];
  grants?: GrantEntry[];
  failures?: FailureEntry[];
  /** By previews, about tokens. */
  notes?: NoteEntry[];
  /** By `error Name(…)`, or the text of one. */
  causes?: Record<string, Cause>;
  rules?: RuleEntry[];
  examples?: ExampleEntry[];
}

export interface ContractEntry {
  address: string;
  /** See documents/citation.ts. */
  source: string[];
  label: string;
}

export interface MemberEntry {
  /** Of addresses, hex. */
  begins?: string[];
  /** Tokens of which there are never more base units. */
  supply_max?: string;
  registry?: { contract: string; read: string; expect?: "true" | "nonzero" | "self" };
  created?: { contract: string; event: string; argument: string };
  create2?: { deployer: string; init_code_hash: string; reads: string[]; encoding?: "abi" | "packed" };
}

export interface RuleEntry extends Partial<MessageEntry> {
  id: string;
  action: string;
  event?: string | string[];
  call?: string | string[];
  transfer?: { from?: string | string[]; to?: string | string[]; standards?: string[] };
  authorization?: "set" | "cleared";
  at?: string | string[];
  call_at?: string | string[];
  who?: string | string[];
  acts_for?: string;
  flow?: { gives?: SideEntry; gets?: SideEntry };
  legs?: Record<string, LegEntry>;
  absorbs?: (string | { event: string; at: string | string[] })[];
  where?: unknown;
  capture?: Record<string, CaptureEntry>;
  /** Base form, without the subject. */
  does: string;
  /** In words, where no account did. */
  by?: string;
  attempts?: string | (string | AttemptEntry)[];
  yields?: boolean;
  defers?: boolean;
  /** Over the subject's account or contract. */
  control?: ControlKind;
  overrides?: string[];
  /** By kind of forgery: why a forged example is rightly believed. Only `rule-lint --mutate` reads this. */
  survives?: Record<string, string>;
}

/** Several: `1 WETH and 2,000 USDC`. */
export type CaptureEntry = Record<string, unknown> | Record<string, unknown>[];

/** Words, or a phrase with arguments of the error. */
export type Cause = string | { phrase: string; with: Record<string, CaptureEntry> };

/** Means the rule's act in a reverted transaction; long form. */
export interface AttemptEntry {
  call: string | string[];
  at?: string | string[];
  acts_for?: string;
  where?: unknown;
  capture?: RuleEntry["capture"];
  carries?: RuleEntry["carries"];
  does?: string;
  overrides?: string[];
}

/** `nothing`, `any`, `one fungible`, `some nft`, … or the long form. */
export type SideEntry =
  | string
  | { count?: number; min?: number; max?: number; kind?: string; others?: boolean; token?: string };

export interface LegEntry {
  token?: string;
  from?: string;
  to?: string;
  amount?: string;
  id?: string;
  standards?: string[];
  /** `unseen`: missing only where ether could have moved unseen. */
  optional?: boolean | "unseen";
  many?: boolean;
}

export interface UnwrapEntry {
  id: string;
  call: string;
  at?: string | string[];
  each?:
    | string
    | { packed: string; layout: string; repeat?: boolean }
    | { decode: string; as: string }
    | { zip: Record<string, string> }
    | { steps: string; codes: string; inputs: string }
    | { step: string; input: string };
  /** Left out where `each` reads steps: these run in the contract's own frame. */
  inner?: { from?: string; to: string; value?: string; data: string; delegate?: string };
  actor?: string;
  proof?: { event: string; emitter?: string; join?: Record<string, string>; ok?: string };
  bubbles?: unknown;
  fees_to?: string;
  when?: unknown;
  suffix?: number;
}

/** Meanings by code: steps in `abi` (several: versions of the input), or a contract called with the input. */
export interface StepsEntry {
  mask?: string;
  may_fail?: string;
  of: Record<string, string | string[] | { call: string }>;
}

export interface ExampleEntry {
  name?: string;
  tx?: string;
  given?: Record<string, unknown>;
  like?: string;
  untrusted?: string[];
  rule?: string;
  action?: string;
  summary?: string;
  not?: string;
}
