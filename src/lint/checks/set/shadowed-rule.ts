import type { Address } from "../../../kernel/address.ts";
import { canonicalJson } from "../../../kernel/canonical.ts";
import { listOf } from "../../../ruleset/compile/scope.ts";
import type { Gate } from "../../../ruleset/compiled.ts";
import type { RuleView } from "../../rule-view.ts";
import { conjuncts } from "./condition-clash.ts";
import { namesOf } from "./overlap.ts";
import { comparePrecedence, pairsOf, type RuleSet } from "./rule-set.ts";

/** RL705: a rule that another one always beats: it asks for no less, and the other goes first on the same log or call. */
export function checkShadows(set: RuleSet): void {
  const told = new Set<RuleView["entry"]>();
  for (const [key, group] of set.byEvidence) {
    if (key === "none" || key === "transfer") continue;
    for (const [a, b] of pairsOf(group)) {
      const order = comparePrecedence(a, b, set.overrides);
      if (a.entry === b.entry || order === 0) continue;
      const [first, second] = order < 0 ? [a, b] : [b, a];
      if (told.has(second.entry) || second.attempt !== null || !asksNoMore(first, second)) continue;
      told.add(second.entry);
      const message = `\`${second.rule.id}\` can never stand: \`${first.rule.id}\` fits whenever it does and goes first`;
      const related = [
        {
          file: first.file.source.file,
          range: first.file.source.rangeOf([...first.at, "id"]),
          message: `\`${first.rule.id}\` is here`,
        },
      ];
      set.reporter(second.file).report("RL705", [...second.at, "id"], message, { related });
    }
  }
}

/** Whether `first` fits every time that `second` does, as far as their texts show. */
function asksNoMore(first: RuleView, second: RuleView): boolean {
  const [a, b] = [first.rule, second.rule];
  if (a.status !== b.status || a.yields || first.attempt !== null) return false;
  if (a.anchor.kind === "event" && b.anchor.kind === "event") {
    if (!admitsAll(a.anchor.gate, b.anchor.gate)) return false;
    if (a.anchor.companion !== null) {
      const selectors = new Set(a.anchor.companion.call.map((call) => call.hash));
      const companion = b.anchor.companion;
      if (
        companion === null ||
        !companion.call.every((call) => selectors.has(call.hash)) ||
        !admitsAll(a.anchor.companion.gate, companion.gate)
      )
        return false;
    }
  } else if (a.anchor.kind === "call" && b.anchor.kind === "call") {
    if (!admitsAll(a.anchor.gate, b.anchor.gate)) return false;
    // A call that only calldata shows needs money to be believed: then a rule without flow or legs does not fit.
    if (bare(first) && !bare(second)) return false;
  } else if (a.anchor.kind !== "authorization") return false;
  return asksForLess(first, second);
}

function asksForLess(first: RuleView, second: RuleView): boolean {
  const [one, other] = [first.entry, second.entry];
  const keyed = (view: RuleView, paths: string[]) => paths.map((path) => namesOf(view).key(path));
  const who = keyed(first, listOf(one.who));
  const rivals = keyed(second, listOf(other.who));
  if (who.length > 0 && (rivals.length === 0 || !rivals.every((path) => who.includes(path)))) return false;
  if (one.acts_for !== other.acts_for || Object.keys(one.legs ?? {}).length > 0) return false;
  for (const side of ["gives", "gets"] as const) {
    const wanted = one.flow?.[side];
    if (wanted !== undefined && wanted !== "any" && canonicalJson(wanted) !== canonicalJson(other.flow?.[side] ?? null))
      return false;
  }
  const known = new Set(conjuncts(other.where).map((part) => canonicalJson(part)));
  return conjuncts(one.where).every((part) => first.file === second.file && known.has(canonicalJson(part)));
}

function bare(view: RuleView): boolean {
  return view.rule.flow === null && view.rule.legs.length === 0;
}

function admitsAll(wide: Gate, narrow: Gate): boolean {
  if (wide.kind === "any") return true;
  if (narrow.kind === "either") return narrow.gates.every((gate) => admitsAll(wide, gate));
  if (wide.kind === "either") return wide.gates.some((gate) => admitsAll(gate, narrow));
  if (wide.kind === "set" && narrow.kind === "set") return subset(narrow.addresses, wide.addresses);
  return wide.kind === "proof" && narrow.kind === "proof" && wide.member === narrow.member;
}

function subset(few: ReadonlySet<Address>, many: ReadonlySet<Address>): boolean {
  return [...few].every((address) => many.has(address));
}
