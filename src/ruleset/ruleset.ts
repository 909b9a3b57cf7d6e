import type { FunctionItem } from "../abi/signature.ts";
import type { Address } from "../kernel/address.ts";
import type { NameLabel } from "../model/label.ts";
import type { ActionType } from "./actions.ts";
import { gateAddresses } from "./compile/gate.ts";
import type { AccountHints } from "./compile/wrapper/compile-accounts.ts";
import type { CompiledRule, CompiledUnwrapper, FailureEvent, FeeHint, SubjectHint } from "./compiled.ts";
import { type FileGrants, type GrantTable, indexGrants } from "./grant-table.ts";
import type { VerbTable } from "./verbs.ts";
import type { Wording } from "./wording/wording.ts";

/** Everything that was compiled from rules/, indexed for exact lookup. Immutable after loading. */
export interface Ruleset {
  actions: ReadonlyMap<string, ActionType>;
  /** Past tenses of rules/verbs.yaml. */
  verbs: VerbTable;
  /** In order of id. */
  rules: readonly CompiledRule[];
  /** Event rules by topic0. */
  byTopic: ReadonlyMap<string, CompiledRule[]>;
  /** Call rules by selector. */
  bySelector: ReadonlyMap<string, CompiledRule[]>;
  /** Rules for any call of a known contract, by its address. */
  byTarget: ReadonlyMap<string, CompiledRule[]>;
  /** Transfer rules by the known party's address. */
  byParty: ReadonlyMap<string, CompiledRule[]>;
  /** Rules without an anchor: money flow and the envelope decide. */
  unanchored: readonly CompiledRule[];
  /** Rules about EIP-7702 authorizations. */
  authorized: readonly CompiledRule[];
  unwrappers: ReadonlyMap<string, CompiledUnwrapper[]>;
  subjects: readonly SubjectHint[];
  accounts: AccountHints;
  fees: readonly FeeHint[];
  grants: GrantTable;
  failures: readonly FailureEvent[];
  /** Custom errors by selector; those that two files spell differently are left out. */
  errors: ReadonlyMap<string, FunctionItem>;
  names: readonly NameLabel[];
  /** SHA-256 over all rule files, the action table and the wording: independent of file and key order. */
  fingerprint: string;
  /** What is said beside the rules' sentences. */
  wording: Wording;
}

type Index = Map<string, CompiledRule[]>;

/** Builds the indexes. The order of the input does not matter. */
export function indexRules(parts: {
  actions: Map<string, ActionType>;
  verbs: VerbTable;
  rules: CompiledRule[];
  unwrappers: CompiledUnwrapper[];
  subjects: SubjectHint[];
  accounts: AccountHints;
  fees: FeeHint[];
  grants: readonly FileGrants[];
  failures: FailureEvent[];
  errors: FunctionItem[];
  names: NameLabel[];
  wording: Wording;
  fingerprint: string;
}): Ruleset {
  const rules = [...parts.rules].sort((a, b) => compareText(a.id, b.id) || (a.attempt ?? -1) - (b.attempt ?? -1));
  const byTopic: Index = new Map();
  const bySelector: Index = new Map();
  const byTarget: Index = new Map();
  const byParty: Index = new Map();
  const unanchored: CompiledRule[] = [];
  const authorized: CompiledRule[] = [];
  for (const rule of rules) {
    const { anchor } = rule;
    if (anchor.kind === "event") push(byTopic, anchor.event.hash, rule);
    else if (anchor.kind === "none") unanchored.push(rule);
    else if (anchor.kind === "authorization") authorized.push(rule);
    else if (anchor.kind === "transfer") {
      const known = gateAddresses(anchor.from) ?? gateAddresses(anchor.to) ?? [];
      for (const address of known) push(byParty, address, rule);
    } else if (anchor.call !== null) push(bySelector, anchor.call.hash, rule);
    else for (const address of gateAddresses(anchor.gate) ?? []) push(byTarget, address, rule);
  }
  const unwrappers = new Map<string, CompiledUnwrapper[]>();
  for (const unwrapper of [...parts.unwrappers].sort((a, b) => compareText(a.id, b.id)))
    push(unwrappers, unwrapper.call.hash, unwrapper);
  return {
    actions: parts.actions,
    verbs: parts.verbs,
    rules,
    byTopic,
    bySelector,
    byTarget,
    byParty,
    ...{ unanchored, authorized },
    unwrappers,
    ...{ subjects: parts.subjects, accounts: parts.accounts },
    fees: parts.fees,
    grants: indexGrants(parts.grants),
    failures: parts.failures,
    errors: indexErrors(parts.errors),
    names: [...parts.names].sort((a, b) => compareText(a.address, b.address) || compareText(a.label, b.label)),
    fingerprint: parts.fingerprint,
    wording: parts.wording,
  };
}

/** Code-unit order: the same everywhere, whatever the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether an address may stand where the gate asks for a plain set or anyone. Proofs are the decoder's business. */
export function inSet(addresses: ReadonlySet<Address>, address: Address | null): boolean {
  return address !== null && addresses.has(address);
}

function indexErrors(errors: FunctionItem[]): Map<string, FunctionItem> {
  const found = new Map<string, FunctionItem>();
  const clashes = new Set<string>();
  for (const error of errors) {
    const other = found.get(error.hash);
    if (other !== undefined && other.signature !== error.signature) clashes.add(error.hash);
    if (other === undefined) found.set(error.hash, error);
  }
  for (const hash of clashes) found.delete(hash);
  return found;
}

function push<T>(index: Map<string, T[]>, key: string, item: T): void {
  const list = index.get(key);
  if (list === undefined) index.set(key, [item]);
  else list.push(item);
}
