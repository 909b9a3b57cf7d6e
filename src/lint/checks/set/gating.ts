import type { Reporter } from "../../../documents/reporter.ts";
import { canonicalJson } from "../../../kernel/canonical.ts";
import { type ActionType, tierRank } from "../../../ruleset/actions.ts";
import { anchorStrength } from "../../../ruleset/compile/anchor.ts";
import { gateStrength } from "../../../ruleset/compile/gate.ts";
import { listOf } from "../../../ruleset/compile/scope.ts";
import { parseTemplate, placeholdersOf } from "../../../ruleset/compile/template.ts";
import type { Anchor, Gate } from "../../../ruleset/compiled.ts";
import type { PlacedAttempt } from "../../../ruleset/document/attempt-entry.ts";
import type { AttemptEntry } from "../../../ruleset/document/rule-document.ts";
import type { RuleView } from "../../rule-view.ts";
import { conjuncts } from "./condition-clash.ts";
import type { RuleSet } from "./rule-set.ts";

/** Anyone can emit any event: RL610 and RL611 ask each rule of the protocol tier who says so, and what the subject has to do with it; the latter also asks changes of control. */
export function checkGating(set: RuleSet, actions: ReadonlyMap<string, ActionType>): void {
  const told = new Set<RuleView["entry"]>();
  for (const view of set.views) {
    const reporter = set.reporter(view.file);
    if (view.attempt !== null) checkAttempt(view, view.attempt, actions, reporter);
    else if (!told.has(view.entry)) {
      told.add(view.entry);
      checkPlace(view, actions, reporter);
      checkTie(view, actions, reporter);
    }
  }
}

function isProtocolTier(view: RuleView, actions: ReadonlyMap<string, ActionType>): boolean {
  return actions.get(view.rule.action)?.tier === "protocol";
}

function checkPlace(view: RuleView, actions: ReadonlyMap<string, ActionType>, reporter: Reporter): void {
  const { entry, at, file, rule } = view;
  const strength = anchorStrength(rule.anchor);
  const standard = file.document.kind === "standard";
  reportNaming(view, strength, reporter);
  // An emitter may speak for itself, and the envelope's own fields are not written by strangers.
  if (entry.acts_for !== undefined && strength < 2 && /^(?:args|input|legs|move)\./.test(entry.acts_for))
    reporter.report(
      "RL610",
      [...at, "acts_for"],
      "`acts_for` believes an event that anyone can emit; contracts or members were expected in `at`",
    );
  if (!isProtocolTier(view, actions)) return;
  // What money flow and the envelope alone show, nobody can forge; it stays below the protocol tier and names nobody.
  const shown = (rule.anchor.kind === "none" && (standard || rule.action === "swap")) || isDeposit(view);
  if (strength === 0 && !shown)
    reporter.report(
      "RL610",
      placeOf(view),
      `\`${entry.action}\` needs a proven place, and this rule fits anywhere; contracts or members were expected`,
    );
  else if (usesMoved(rule.anchor) && (!standard || !bindsEmitter(view)))
    reporter.report(
      "RL610",
      [...at, "at"],
      standard
        ? "`moved` proves nothing by itself; a leg with `token: emitter` that must be there was expected"
        : "`moved` admits any token; contracts or members were expected in the file of a protocol",
    );
}

/**
 * Only the chain itself makes deposit transactions (OP Stack, type 0x7e), so the envelope is the proof. Not of what strangers say
 * inside one: anyone on the other chain may cause a deposit that calls them.
 */
function isDeposit({ entry, rule }: RuleView): boolean {
  if (rule.anchor.kind === "event") return false;
  const asked = new Set(['{"==":[{"var":"tx.type"},"deposit"]}', '{"==":["deposit",{"var":"tx.type"}]}']);
  return conjuncts(entry.where).some((part) => asked.has(canonicalJson(part)));
}

/** `{protocol}` in a sentence of a rule that fits anywhere, or of a standard, which has no name. */
function reportNaming({ entry, at, file }: RuleView, strength: number, reporter: Reporter): void {
  const standard = file.document.kind === "standard";
  if (!standard && strength > 0) return;
  for (const part of placeholdersOf(parseTemplate(entry.does)))
    if (part.capture === "protocol")
      reporter.report(
        "RL610",
        [...at, "does"],
        standard ? "a standard cannot name a protocol" : "a rule that fits anywhere cannot name a protocol",
        {
          inside: { offset: part.offset, length: "protocol".length },
        },
      );
}

function checkAttempt(
  view: RuleView,
  { path, attempt }: PlacedAttempt,
  actions: ReadonlyMap<string, ActionType>,
  reporter: Reporter,
): void {
  const { at, file, rule } = view;
  const place = [...at, ...path, ...(attempt.at === undefined ? [] : ["at"])];
  if (rule.anchor.kind === "none" ? shownByEnvelope(view, attempt) : isProven(rule.anchor)) return;
  if (rule.anchor.kind !== "call" || rule.anchor.call === null)
    reporter.report("RL610", place, "`any` call anywhere is no attempt at anything; contracts were expected in `at`");
  else if (isProtocolTier(view, actions) || file.document.kind === "protocol")
    reporter.report(
      "RL610",
      place,
      "the attempt fits anywhere, and its sentence names the protocol; contracts were expected in `at`",
    );
}

/** What the envelope alone decides needs no place; neither does the word for whatever else reverted. */
function shownByEnvelope({ rule, file }: RuleView, { where }: AttemptEntry): boolean {
  return file.document.kind === "standard" && (where !== undefined || rule.tier === tierRank("fallback"));
}

function isProven(anchor: Anchor): boolean {
  return anchor.kind === "call" && gateStrength(anchor.gate) > 0;
}

function checkTie(view: RuleView, actions: ReadonlyMap<string, ActionType>, reporter: Reporter): void {
  const { rule, entry, at } = view;
  if (rule.anchor.kind !== "event" || !(isProtocolTier(view, actions) || rule.control)) return;
  const legs = Object.values(entry.legs ?? {}).filter((leg) => leg.optional !== true);
  const tied =
    rule.anchor.companion !== null ||
    rule.actsFor !== null ||
    rule.who.length > 0 ||
    (rule.flow?.gives?.min ?? 0) > 0 ||
    (rule.flow?.gets?.min ?? 0) > 0 ||
    legs.some((leg) => leg.from === "subject" || leg.to === "subject") ||
    /"var":"(?:subject|flow\.|tx\.(?:from|to)"|call\.|target)/.test(JSON.stringify(entry.where ?? null));
  if (!tied)
    reporter.report(
      "RL611",
      [...at, "event"],
      `nothing ties \`${entry.event}\` to the subject; \`who\`, \`flow\`, a leg or a call beside it was expected`,
    );
}

function usesMoved(anchor: Anchor): boolean {
  const moved = (gate: Gate): boolean => gate.kind === "moved" || (gate.kind === "either" && gate.gates.some(moved));
  return "gate" in anchor && moved(anchor.gate) && anchorStrength(anchor) === 1;
}

function bindsEmitter({ entry }: RuleView): boolean {
  return Object.values(entry.legs ?? {}).some(
    (leg) => /^(?:emitter|call\.to)$/.test(leg.token ?? "") && leg.optional !== true,
  );
}

/** The place where the gate is or would be written. */
function placeOf({ entry, at }: RuleView): (string | number)[] {
  return [...at, listOf(entry.at).length > 0 ? "at" : "action"];
}
