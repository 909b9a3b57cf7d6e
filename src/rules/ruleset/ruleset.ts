import { compareText } from "../../kernel/canonical.ts";
import { addTo } from "../../kernel/lists.ts";
import type { NameLabel } from "../../model/label.ts";
import type { FunctionItem } from "../abi/signature.ts";
import type { ActionTypes } from "./actions.ts";
import { type AccountHints, type FileHints, joinAccounts } from "./compile/compile-hints.ts";
import { gateAddresses } from "./compile/gate.ts";
import type { FileScope } from "./compile/spot.ts";
import type { Anchor, CompiledCapture, CompiledMember, CompiledRule, Gate } from "./compiled.ts";
import type { CompiledUnwrapper } from "./compiled-unwrapper.ts";
import { type GrantTable, indexGrants } from "./grant-table.ts";
import type { ChargeHint, FailureEvent, FeeHint, SubjectHint, TokenNote } from "./hints.ts";
import type { MessageRule } from "./message-rule.ts";
import type { VerbTable } from "./verbs.ts";
import type { Wording } from "./wording/wording.ts";

/** rules/ compiled, with indexes. Never changes. */
export interface Ruleset {
  actions: ActionTypes;
  /** Of rules/verbs.yaml. */
  verbs: VerbTable;
  /** In order of id. */
  rules: readonly CompiledRule[];
  /** Event rules by topic0. */
  byTopic: ReadonlyMap<string, CompiledRule[]>;
  /** Call rules by selector. */
  bySelector: ReadonlyMap<string, CompiledRule[]>;
  /** Any call of a known contract, by its address. */
  byTarget: ReadonlyMap<string, CompiledRule[]>;
  /** By the known party. */
  byParty: ReadonlyMap<string, CompiledRule[]>;
  /** Money flow and the envelope decide. */
  unanchored: readonly CompiledRule[];
  /** EIP-7702. */
  authorized: readonly CompiledRule[];
  /** By EIP-712 type hash, the best proven first. */
  messages: ReadonlyMap<string, MessageRule[]>;
  /** Those with `...`, by the name of the struct. */
  openMessages: ReadonlyMap<string, MessageRule[]>;
  unwrappers: ReadonlyMap<string, CompiledUnwrapper[]>;
  subjects: readonly SubjectHint[];
  signers: readonly SubjectHint[];
  accounts: AccountHints;
  /** Gas that was paid in tokens. */
  fees: readonly FeeHint[];
  /** What services cost, as their contracts say. */
  charges: readonly ChargeHint[];
  grants: GrantTable;
  failures: readonly FailureEvent[];
  /** Tokens with a limited supply. */
  limitedTokens: readonly CompiledMember[];
  /** Run by nodes: their calls have no frames in a call tree. */
  precompiles: readonly Gate[];
  /** Previews, about tokens. */
  notes: readonly TokenNote[];
  /** By selector; left out where two files differ. */
  errors: ReadonlyMap<string, FunctionItem>;
  /** By selector, or by the text. */
  causes: ReadonlyMap<string, string>;
  /** By selector, with values of the error. */
  phrasedCauses: ReadonlyMap<string, CompiledCapture>;
  names: readonly NameLabel[];
  /** SHA-256 of rule files, action table and wording, in any order. */
  fingerprint: string;
  /** The product's phrases. */
  wording: Wording;
}

interface FileParts extends FileHints {
  rules: readonly CompiledRule[];
  messages: readonly MessageRule[];
  unwrappers: readonly CompiledUnwrapper[];
  scope: Pick<FileScope, "abi" | "members" | "names" | "document"> | undefined;
}

/** Files may come in any order. */
export function indexRules({
  files,
  ...tables
}: Pick<Ruleset, "actions" | "verbs" | "wording" | "fingerprint"> & { files: readonly FileParts[] }): Ruleset {
  const rules = files
    .flatMap((file) => file.rules)
    .sort((a, b) => compareText(a.id, b.id) || (a.attempt ?? -1) - (b.attempt ?? -1));
  const indexed = (keysOf: (anchor: Anchor) => readonly string[]) => indexBy(rules, ({ anchor }) => keysOf(anchor));
  const unwrappers = files.flatMap((file) => file.unwrappers).sort((a, b) => compareText(a.id, b.id));
  const items = files.flatMap(({ scope }) => [...(scope?.abi.values() ?? [])]);
  const names = files.flatMap(({ scope }) => scope?.names ?? []);
  return {
    ...tables,
    rules,
    byTopic: indexed((anchor) => (anchor.kind === "event" ? [anchor.event.hash] : [])),
    bySelector: indexed((anchor) => (anchor.kind === "call" && anchor.call !== null ? [anchor.call.hash] : [])),
    byTarget: indexed((one) => (one.kind === "call" && one.call === null ? (gateAddresses(one.gate) ?? []) : [])),
    byParty: indexed((anchor) =>
      anchor.kind === "transfer" ? (gateAddresses(anchor.from) ?? gateAddresses(anchor.to) ?? []) : [],
    ),
    unanchored: rules.filter(({ anchor }) => anchor.kind === "none"),
    authorized: rules.filter(({ anchor }) => anchor.kind === "authorization"),
    ...indexMessages(files.flatMap((file) => file.messages)),
    unwrappers: Map.groupBy(unwrappers, ({ call }) => call.hash as string),
    subjects: files.flatMap((file) => file.subjects),
    signers: files.flatMap((file) => file.signers),
    accounts: joinAccounts(files.map((file) => file.accounts)),
    fees: files.flatMap((file) => file.fees),
    charges: files.flatMap((file) => file.charges),
    grants: indexGrants(files.map((file) => file.grants)),
    failures: files.flatMap((file) => file.failures),
    limitedTokens: files.flatMap(({ scope }) =>
      [...(scope?.members.values() ?? [])].filter(({ supplyMax }) => supplyMax !== undefined),
    ),
    precompiles: files.flatMap((file) => file.precompiles),
    notes: files.flatMap((file) => file.notes),
    errors: indexErrors(items.filter((item): item is FunctionItem => item.kind === "error")),
    causes: new Map(
      files.flatMap(({ scope }) =>
        Object.entries(scope?.document.causes ?? {}).flatMap(([error, words]): [string, string][] =>
          typeof words === "string" ? [[scope?.abi.get(error)?.hash ?? error, words]] : [],
        ),
      ),
    ),
    phrasedCauses: new Map(files.flatMap((file) => file.phrasedCauses)),
    names: names.sort((a, b) => compareText(a.address, b.address) || compareText(a.label, b.label)),
  };
}

/** Each list by precedence: the better proven place, then the order of the file. */
function indexMessages(rules: readonly MessageRule[]): Pick<Ruleset, "messages" | "openMessages"> {
  const inOrder = [...rules].sort(
    (a, b) => Number(a.yields) - Number(b.yields) || b.strength - a.strength || compareText(a.file, b.file),
  );
  const isOpen = ({ message }: MessageRule) => message.open;
  return {
    // A message with a Merkle tree has a type hash for each height of the tree.
    messages: indexBy(
      inOrder.filter((rule) => !isOpen(rule)),
      ({ message: { hash, tree } }) => [hash, ...(tree?.taller ?? [])],
    ),
    openMessages: Map.groupBy(inOrder.filter(isOpen), ({ message }) => message.name),
  };
}

function indexErrors(errors: FunctionItem[]): Map<string, FunctionItem> {
  const groups = [...Map.groupBy(errors, ({ hash }) => hash as string)];
  const clear = groups.filter(([, [first, ...others]]) => others.every((one) => one.signature === first?.signature));
  return new Map(clear.map(([hash, [error]]) => [hash, error as FunctionItem]));
}

function indexBy<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): Map<string, T[]> {
  const index = new Map<string, T[]>();
  for (const item of items) for (const key of keysOf(item)) addTo(index, key, item);
  return index;
}
