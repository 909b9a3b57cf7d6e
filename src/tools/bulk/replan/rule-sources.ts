import { version } from "../../../engine/build-engine.ts";
import type { EngineFolders } from "../../../engine/engine.ts";
import { canonicalJson } from "../../../kernel/canonical.ts";
import { digestOf } from "../../../kernel/hash.ts";
import { compileLabelFacts } from "../../../rules/labels/load.ts";
import { gateAddresses } from "../../../rules/ruleset/compile/gate.ts";
import type { LoadedFile, LoadedRuleset } from "../../../rules/ruleset/compile-documents.ts";
import type { CompiledRule, Gate } from "../../../rules/ruleset/compiled.ts";
import { engineVersion } from "../../../rules/ruleset/document/engine-version.ts";
import { compileSources } from "../../../rules/ruleset/load.ts";
import { findSources } from "../../lint/sources.ts";
import {
  anything,
  contractKey,
  errorKey,
  failureKey,
  placedKey,
  selectorKey,
  setCodeKey,
  topicKey,
} from "./holding-key.ts";

/**
 * Stamps by key (holding-key.ts) of all that rules and labels say about it. Equal stamps: the same about everything that only this key
 * reaches.
 */
export type RuleSources = Readonly<Record<string, string>>;

export function sourcesOf({ rulesDir, labelsDir }: EngineFolders): RuleSources {
  const sources = findSources([rulesDir, labelsDir].flat());
  return stampSources(compileSources(sources.rules), compileLabelFacts(sources.labels).facts);
}

/** As {@link sourcesOf}, for compiled rules and labels. */
export function stampSources(
  { files, ruleset, wording }: Pick<LoadedRuleset, "files" | "ruleset" | "wording">,
  { names, decimals, ...rest }: ReturnType<typeof compileLabelFacts>["facts"],
): RuleSources {
  const stamps = new Stamps();
  // What concerns everything: a change here may change any answer.
  const tables = [[...ruleset.actions], [...ruleset.verbs], wording];
  stamps.add([anything], canonicalJson([version, engineVersion, tables, rest]));
  for (const { address, ...label } of names) stamps.add([contractKey(address)], canonicalJson(label));
  for (const { address, decimals: places } of decimals) stamps.add([contractKey(address)], `decimals ${places}`);
  for (const file of files) addFile(stamps, file);
  // An error may carry another one, and events tell of some: what errors mean is said of everything that failed.
  const told = ruleset.failures.flatMap(({ event, reason }) => (reason === null ? [] : [topicKey(event.hash)]));
  for (const { document } of files)
    if (document?.causes !== undefined) stamps.add([failureKey, ...told], canonicalJson(document.causes));
  return stamps.sealed();
}

/** Different stamps, or only one has it. */
export function changedKeys(before: RuleSources, after: RuleSources): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => before[key] !== after[key]);
}

class Stamps {
  readonly #all: Map<string, string[]> = new Map();

  add(keys: readonly string[], stamp: string): void {
    const short = stamp.length > 64 ? digestOf(stamp) : stamp;
    for (const key of keys) this.#all.set(key, [...(this.#all.get(key) ?? []), short]);
  }

  /** In any order of adding. */
  sealed(): RuleSources {
    const sorted = [...this.#all].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([key, stamps]) => [key, digestOf(stamps.sort().join("\n")).slice(0, 16)]));
  }
}

function addFile(stamps: Stamps, { rules, unwrappers, scope, document }: LoadedFile): void {
  if (scope === undefined || document === undefined) return;
  for (const rule of rules) stamps.add(ruleKeys(rule), `${rule.id} ${rule.attempt} ${rule.version()}`);
  for (const { address, ...name } of scope.names) stamps.add([contractKey(address)], canonicalJson(name));
  const { unwrap = [], subjects = [], signers = [], accounts = [], fees = [], grants = [], failures = [] } = document;
  const items = [...scope.abi.values()];
  for (const { hash, kind, signature } of items) if (kind === "error") stamps.add([errorKey(hash)], signature);
  if (unwrap.length > 0) {
    const stamp = canonicalJson([unwrap, document.steps ?? {}, scope.facts()]);
    for (const { call, gate } of unwrappers) stamps.add(placed(selectorKey(call.hash), gate), stamp);
  }
  const hints = [subjects, signers, accounts, fees, grants, failures].flat();
  if (hints.length === 0) return;
  // Hints name events and functions of the file. Accounts that are known only by the code they run have no event, so that hint concerns
  // everything.
  const said = canonicalJson([hints, scope.facts()]);
  stamps.add(accounts.some(({ event }) => event === undefined) ? [anything] : [], said);
  const named = new Set(
    hints.flatMap((hint) => ["event" in hint ? hint.event : undefined, "call" in hint ? hint.call : undefined]),
  );
  for (const name of named) {
    const item = name === undefined ? undefined : scope.abi.get(name);
    if (item !== undefined) stamps.add([item.kind === "event" ? topicKey(item.hash) : selectorKey(item.hash)], said);
  }
}

/** A transaction must have at least one for the rule to fit. */
function ruleKeys({ anchor }: CompiledRule): string[] {
  switch (anchor.kind) {
    case "event":
      return placed(topicKey(anchor.event.hash), anchor.gate);
    case "call":
      if (anchor.call !== null) return placed(selectorKey(anchor.call.hash), anchor.gate);
      return (gateAddresses(anchor.gate) ?? [undefined]).map((one) =>
        one === undefined ? anything : contractKey(one),
      );
    case "transfer": {
      const known = gateAddresses(anchor.from) ?? gateAddresses(anchor.to);
      return known === null ? [anything] : known.map(contractKey);
    }
    case "authorization":
      return [setCodeKey];
    case "none":
      return [anything];
  }
}

function placed(key: string, gate: Gate): string[] {
  const addresses = gateAddresses(gate);
  return addresses === null ? [key] : addresses.map((address) => placedKey(key, address));
}
