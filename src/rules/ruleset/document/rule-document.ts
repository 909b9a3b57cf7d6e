import type { ControlKind } from "../control.ts";
import type { FailureEntry, FeeEntry, GrantEntry, NoteEntry } from "./hint-entries.ts";
import type { MessageEntry } from "./message-entry.ts";

/** A rule file as written, after schema validation. */
export interface WrittenDocument extends Omit<RuleDocument, "kind" | "contracts" | "rules"> {
  /** A template tells nothing by itself: other files take over its rules by `like`. */
  kind: "protocol" | "standard" | "template";
  /** Protocol id of the file from which this one takes over rules, ABI, members and unwrappers. */
  like?: string;
  /** Rules and roles of the other file that are left out. */
  without?: string[];
  /** Where the addresses are from. A role or an address may have a `source` of its own instead. */
  source?: string | string[];
  /** Where the signatures of `abi` are published. */
  abi_source?: string | string[];
  contracts?: Record<string, WrittenRole>;
  rules?: WrittenRule[];
}

/** Labels by address, and optionally the `source` of this role. */
export type WrittenRole = { source?: string | string[] } & Record<string, WrittenContract>;

/** The label of an address, or its label with a `source` of its own. The list form is only for the key `source` of a role. */
export type WrittenContract = string | string[] | { label: string; source?: string | string[] };

/**
 * In a file with `like`, an entry without `action` amends the rule of that id. `as` names a rule of the same file whose fields are taken
 * over, except those that `without` names.
 */
export type WrittenRule = Partial<RuleEntry> & { id: string; as?: string; without?: string[]; example?: InlineExample };

/**
 * An example beside its rule: the fields of `given`, with the expected `action` and sentence (`says`); or `tx`, the hash of a recording.
 */
export type InlineExample = Record<string, unknown> & { tx?: string; action?: string; says?: string };

/** A resolved rule file. Nothing in it refers to another file, and each fact is written in one place. */
export interface RuleDocument {
  protocol: string;
  name?: string;
  kind: "protocol" | "standard";
  site?: string;
  contracts?: Record<string, ContractEntry[]>;
  members?: Record<string, MemberEntry>;
  /** Roles and members that the nodes run themselves. What such a contract does in one call has no frames of its own in a call tree. */
  precompiles?: string[];
  abi?: Record<string, string>;
  steps?: Record<string, StepsEntry>;
  /**
   * Addresses by number or by address, or words by value for an `enum`. They are facts about the file's own contracts, so a file that is
   * like this one does not take them over.
   */
  tables?: Record<string, Record<string, string>>;
  unwrap?: UnwrapEntry[];
  subjects?: { event: string; at: string | string[]; subject: string }[];
  signers?: { event: string; at: string | string[]; signer: string }[];
  /**
   * With `event` and `created`: contracts that make accounts, and the argument that is the new account. With `event` alone: an event that
   * accounts emit. Without `event`: code that accounts run.
   */
  accounts?: { at: string | string[]; event?: string; created?: string }[];
  fees?: FeeEntry[];
  grants?: GrantEntry[];
  failures?: FailureEntry[];
  /** What previews note about tokens. */
  notes?: NoteEntry[];
  /** What errors mean: `error Name(…)`, or the text of one. */
  causes?: Record<string, Cause>;
  rules?: RuleEntry[];
  examples?: ExampleEntry[];
}

export interface ContractEntry {
  address: string;
  /** Sources of the address, each in a form that documents/citation.ts reads. */
  source: string[];
  label: string;
}

export interface MemberEntry {
  /** What the addresses of members begin with, in hex. */
  begins?: string[];
  /** Members are tokens, of which there are never more base units than this. */
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
  /** What is done, in base form and without the subject. */
  does: string;
  /** Who did it, in words, where no account did. */
  by?: string;
  attempts?: string | (string | AttemptEntry)[];
  yields?: boolean;
  defers?: boolean;
  /** Which kind of control over the subject's account or contract the act changes. */
  control?: ControlKind;
  overrides?: string[];
  /** By kind of forgery: why it is right that a forged example is not seen through. Only `rule-lint --mutate` reads this. */
  survives?: Record<string, string>;
}

/** One value, or several that are told together: `1 WETH and 2,000 USDC`. */
export type CaptureEntry = Record<string, unknown> | Record<string, unknown>[];

/** What an error means: words, or a phrase whose values are read from the arguments of the error. */
export type Cause = string | { phrase: string; with: Record<string, CaptureEntry> };

/** A call that means the rule's act where the transaction reverted; long form. */
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
  /** `unseen`: the leg may be missing only where ether could have moved unseen. */
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
  /** Where the calls are read. Left out where `each` reads steps: these run in the contract's own frame. */
  inner?: { from?: string; to: string; value?: string; data: string; delegate?: string };
  actor?: string;
  proof?: { event: string; emitter?: string; join?: Record<string, string>; ok?: string };
  bubbles?: unknown;
  fees_to?: string;
  when?: unknown;
  suffix?: number;
}

/**
 * What the codes of a program mean: names of steps in `abi` (several are versions of the input), or a contract that is called with the
 * input as calldata.
 */
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
