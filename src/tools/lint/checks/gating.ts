import { canonicalJson } from "../../../kernel/canonical.ts";
import { type ActionTypes, tierRank } from "../../../rules/ruleset/actions.ts";
import { anchorStrength } from "../../../rules/ruleset/compile/anchor.ts";
import { gateStrength } from "../../../rules/ruleset/compile/gate.ts";
import { listOf } from "../../../rules/ruleset/compile/scope.ts";
import { parseTemplate, placeholdersOf } from "../../../rules/ruleset/compile/template.ts";
import type { Anchor, Gate } from "../../../rules/ruleset/compiled.ts";
import type { PlacedAttempt } from "../../../rules/ruleset/document/attempt-entry.ts";
import type { AttemptEntry } from "../../../rules/ruleset/document/rule-document.ts";
import type { LintFinding, RuleView } from "../rule-view.ts";
import { conjuncts } from "./set/condition-clash.ts";

/**
 * Anyone can emit any event. So RL610 asks each rule of the protocol tier where its evidence must come from, and RL611 asks each rule what
 * ties an event to the subject.
 */
export function* checkGating(views: readonly RuleView[], actions: ActionTypes): Generator<LintFinding> {
  for (const view of views) {
    const action = actions.get(view.rule.action);
    const isProtocolTier = action?.tier === "protocol";
    const isOpen = action?.open === true && view.file.document.kind === "standard";
    if (view.attempt !== null) yield* checkAttempt(view, view.attempt, isProtocolTier && !isOpen);
    else {
      yield* checkNaming(view);
      yield* checkActor(view);
      if (isProtocolTier && !(isOpen && movesNothing(view))) yield* checkPlace(view);
      yield* checkTie(view);
    }
  }
}

/**
 * Whether the account itself called the emitter, and neither gave nor got anything. Then a forged event could make no theft look like
 * something else.
 */
function movesNothing({ entry, rule: { anchor, flow } }: RuleView): boolean {
  const own = anchor.kind === "event" && anchor.companion !== null && listOf(entry.who).length > 0;
  return own && flow?.gives?.max === 0 && flow.gets?.max === 0;
}

/**
 * RL610: `acts_for` that believes a value of an event which anyone can emit. Allowed are `emitter`, because a contract may speak for
 * itself, and fields of the envelope, because strangers do not write them.
 */
function* checkActor({ entry, at, rule }: RuleView): Generator<LintFinding> {
  if (anchorStrength(rule.anchor) >= 2 || !/^(?:args|input|legs|move)\./.test(entry.acts_for ?? "")) return;
  const message =
    "`subject: { for }` believes an event that anyone can emit; contracts or members were expected in `at`";
  yield ["RL610", [...at, "acts_for"], message];
}

function* checkPlace(view: RuleView): Generator<LintFinding> {
  const { entry, at, file, rule } = view;
  const standard = file.document.kind === "standard";
  // Nobody can forge what money flow and the envelope show. Such a rule stays below the protocol tier and cannot name a protocol.
  const shown = (rule.anchor.kind === "none" && (standard || rule.action === "swap")) || isDeposit(view);
  if (anchorStrength(rule.anchor) === 0 && !shown) {
    const path = [...at, listOf(entry.at).length > 0 ? "at" : "action"];
    const message = `\`${entry.action}\` needs a proven place, and this rule fits anywhere; contracts or members were expected`;
    yield ["RL610", path, message];
  } else if (usesMoved(rule.anchor) && (!standard || !bindsEmitter(view))) {
    const message = standard
      ? "`moved` proves nothing by itself; a leg with `token: emitter` that must be there was expected"
      : "`moved` admits any token; contracts or members were expected in the file of a protocol";
    yield ["RL610", [...at, "at"], message];
  }
}

/**
 * Whether the rule asks for a deposit transaction (OP Stack, type 0x7e). Only the chain itself makes them, so the envelope is the proof. An
 * event inside one proves nothing, because anyone on the other chain may cause a deposit that calls his contract.
 */
function isDeposit({ entry, rule }: RuleView): boolean {
  if (rule.anchor.kind === "event") return false;
  const asked = new Set(['{"==":[{"var":"tx.type"},"deposit"]}', '{"==":["deposit",{"var":"tx.type"}]}']);
  return conjuncts(entry.where).some((part) => asked.has(canonicalJson(part)));
}

/** RL610: `{protocol}` in the sentence of a rule that fits anywhere, or of a standard, which has no name. */
function* checkNaming({ entry, at, file, rule }: RuleView): Generator<LintFinding> {
  const standard = file.document.kind === "standard";
  if (!standard && anchorStrength(rule.anchor) > 0) return;
  const message = `${standard ? "a standard" : "a rule that fits anywhere"} cannot name a protocol`;
  for (const { capture, offset } of placeholdersOf(parseTemplate(entry.does)))
    if (capture === "protocol")
      yield ["RL610", [...at, "does"], message, { inside: { offset, length: capture.length } }];
}

function* checkAttempt(
  view: RuleView,
  { path, attempt }: PlacedAttempt,
  isProtocolTier: boolean,
): Generator<LintFinding> {
  const { at, file, rule } = view;
  const place = [...at, ...path, ...(attempt.at === undefined ? [] : ["at"])];
  if (rule.anchor.kind === "none" ? shownByEnvelope(view, attempt) : isProven(rule.anchor)) return;
  const anywhere = rule.anchor.kind !== "call" || rule.anchor.call === null;
  if (!anywhere && !isProtocolTier && file.document.kind !== "protocol") return;
  const problem = anywhere
    ? "`any` call anywhere is no attempt at anything"
    : "the attempt fits anywhere, and its sentence names the protocol";
  yield ["RL610", place, `${problem}; contracts were expected in \`at\``];
}

/**
 * An attempt of a standard needs no place where conditions on the envelope decide, or where its action is the fallback for reverted
 * transactions.
 */
function shownByEnvelope({ rule, file }: RuleView, { where }: AttemptEntry): boolean {
  return file.document.kind === "standard" && (where !== undefined || rule.tier === tierRank("fallback"));
}

function isProven(anchor: Anchor): boolean {
  return anchor.kind === "call" && gateStrength(anchor.gate) > 0;
}

function* checkTie({ rule, entry, at }: RuleView): Generator<LintFinding> {
  if (rule.anchor.kind !== "event") return;
  const legs = Object.values(entry.legs ?? {}).filter((leg) => !leg.optional);
  const tied =
    rule.anchor.companion !== null ||
    rule.actsFor !== null ||
    rule.who.length > 0 ||
    listOf(entry.who).includes("subject") ||
    (rule.flow?.gives?.min ?? 0) > 0 ||
    (rule.flow?.gets?.min ?? 0) > 0 ||
    legs.some((leg) => leg.from === "subject" || leg.to === "subject") ||
    conjuncts(entry.where).some(isTie);
  if (tied) return;
  const message = `nothing ties \`${listOf(entry.event).join("`, `")}\` to the subject; \`subject\`, a leg, a counted \`gives\` or \`gets\`, or \`within\` was expected`;
  yield ["RL611", [...at, "event"], message];
}

/**
 * Whether a condition that must hold names the subject, what moved for it, or what it called: that the subject is *not* somebody ties
 * nothing.
 */
function isTie(condition: unknown): boolean {
  const [[operator] = [""]] = Object.entries(condition ?? {});
  if (operator === "!" || operator === "or") return false;
  return /"var":"(?:subject"|flow\.|tx\.(?:from|to)"|call\.|target|emitter\.asked)/.test(JSON.stringify(condition));
}

function usesMoved(anchor: Anchor): boolean {
  const moved = (gate: Gate): boolean => gate.kind === "moved" || (gate.kind === "either" && gate.gates.some(moved));
  return "gate" in anchor && moved(anchor.gate) && anchorStrength(anchor) === 1;
}

function bindsEmitter({ entry }: RuleView): boolean {
  return Object.values(entry.legs ?? {}).some((leg) => /^(?:emitter|call\.to)$/.test(leg.token ?? "") && !leg.optional);
}
