import { createHash } from "node:crypto";
import { suggest } from "../../documents/suggest.ts";
import { canonicalJson } from "../../kernel/canonical.ts";
import { type ActionType, tierOf, tierRank } from "../actions.ts";
import type { Anchor, CompiledCapture, CompiledLeg, CompiledRule } from "../compiled.ts";
import { controlRank } from "../control.ts";
import { isAttemptOnly } from "../document/attempt-entry.ts";
import type { RuleEntry } from "../document/rule-document.ts";
import { anchorProof, anchorStrength, anchorsOf } from "./anchor.ts";
import { compileCapture, getter } from "./capture.ts";
import { compileAttempts } from "./compile-attempts.ts";
import { compileLeg } from "./compile-leg.ts";
import { compileSide } from "./flow-side.ts";
import { compileGate } from "./gate.ts";
import type { PathScope } from "./path.ts";
import { countScope, eventNamed, type FileScope, listOf } from "./scope.ts";
import { parseTemplate } from "./template.ts";
import { whereOf } from "./where.ts";

/** Compiles one entry of `rules:` to one rule per anchor (a list of calls gives several), plus its attempts. */
export function compileRule(
  file: FileScope,
  entry: RuleEntry,
  position: number,
  actions: Map<string, ActionType>,
): CompiledRule[] {
  const at = ["rules", position];
  const action = actions.get(entry.action);
  if (action === undefined)
    return (
      file.reporter.report("RL204", [...at, "action"], `\`${entry.action}\` is no action type`, {
        suggest: suggest(entry.action, [...actions.keys()]),
      }) ?? []
    );
  const anchors = isAttemptOnly(entry) ? [] : anchorsOf(file, entry, at);
  const rules = anchors.map((anchor) => compileAnchored(file, entry, at, action, anchor));
  const act = identity(file, entry, action);
  return [...rules, ...compileAttempts(file, entry, at, action, act, () => versionOf(file, entry))];
}

function compileAnchored(
  file: FileScope,
  entry: RuleEntry,
  at: (string | number)[],
  action: ActionType,
  anchor: Anchor,
): CompiledRule {
  const scope = scopeOf(file, entry, anchor);
  const path = (...rest: (string | number)[]) => [...at, ...rest];
  const who = listOf(entry.who).flatMap(
    (text, i) => getter(file, scope, text, ["address"], path("who", ...(Array.isArray(entry.who) ? [i] : []))) ?? [],
  );
  const gives = compileSide(file, scope, entry.flow?.gives, path("flow", "gives"));
  const gets = compileSide(file, scope, entry.flow?.gets, path("flow", "gets"));
  const strength = anchorStrength(anchor);
  const base = identity(file, entry, action);
  if (strength >= 2)
    for (const side of [gives, gets])
      if (side !== null && side.kind !== "nft" && side.kind !== "erc20" && side.min > 0) side.unseen = true;
  const captures = new Map<string, CompiledCapture>();
  for (const [name, capture] of Object.entries(entry.capture ?? {})) {
    const compiled = compileCapture(file, scope, capture, path("capture", name));
    if (compiled !== undefined) captures.set(name, compiled);
  }
  const legs = Object.entries(entry.legs ?? {}).map(([name, leg]) =>
    compileLeg(file, scope, name, leg, path("legs", name)),
  );
  return {
    ...base,
    get version() {
      return versionOf(file, entry);
    },
    // Without a proven place no protocol is named, not even in words that stand in for the template.
    protocol: strength === 0 ? null : base.protocol,
    ...controlOf(entry, tierOf(action, strength, entry.acts_for !== undefined)),
    specificity: { place: strength, evidence: anchorProof(anchor), legs: neededLegs(legs) },
    status: "success",
    anchor,
    who,
    legsFirst: entry.acts_for?.startsWith("legs.") ?? false,
    actsFor:
      entry.acts_for === undefined
        ? null
        : (getter(file, scope, entry.acts_for, ["address"], path("acts_for")) ?? null),
    flow:
      entry.flow === undefined
        ? null
        : { gives, gets, open: { gives: entry.flow.gives === "any", gets: entry.flow.gets === "any" } },
    legs,
    absorbs: absorbed(file, entry, path("absorbs")),
    where: whereOf(file, scope, entry.where, path("where")),
    captures,
    does: parseTemplate(entry.does),
    by: entry.by ?? null,
    attempt: null,
    yields: entry.yields ?? false,
    defers: entry.defers ?? false,
    overrides: (entry.overrides ?? []).map((other) => file.idOf(other)),
  };
}

/** A change of control is told before mere allowances and transfers, whatever its action. */
function controlOf({ control }: RuleEntry, tier: number): Pick<CompiledRule, "tier" | "control" | "controlRank"> {
  const kind = control ?? null;
  const raised = kind === null ? tier : Math.min(tier, tierRank("control"));
  return { tier: raised, control: kind !== null, controlRank: controlRank(kind) };
}

function neededLegs(legs: readonly CompiledLeg[]): number {
  return Math.min(legs.filter((leg) => !leg.optional).length, 9);
}

function identity(file: FileScope, entry: RuleEntry, action: ActionType) {
  return {
    id: `${file.document.protocol}/${entry.id}`,
    file: file.reporter.file,
    protocol: file.document.kind === "protocol" ? (file.document.name ?? file.document.protocol) : null,
    action: action.id,
    rank: action.rank,
    exchanges: action.exchanges ?? false,
  };
}

/** Hashed when it is first asked for: most rules never tell their version. */
function versionOf(file: FileScope, entry: RuleEntry): string {
  return createHash("sha256").update(file.facts()).update(canonicalJson(entry)).digest("hex").slice(0, 12);
}

function scopeOf(file: FileScope, entry: RuleEntry, anchor: Anchor): PathScope {
  const companion = anchor.kind === "event" ? anchor.companion : null;
  const args =
    anchor.kind === "event" ? anchor.event.inputs : anchor.kind === "call" ? (anchor.call?.inputs ?? null) : null;
  return {
    args,
    input: companion !== null && companion.call.length === 1 ? (companion.call[0]?.inputs ?? null) : null,
    item: null,
    legs: Object.keys(entry.legs ?? {}),
    anchor: anchor.kind,
    contracts: file.contracts,
    count: countScope(file, "gate" in anchor ? anchor.gate : { kind: "any" }),
  };
}

function absorbed(file: FileScope, entry: RuleEntry, at: (string | number)[]): CompiledRule["absorbs"] {
  return (entry.absorbs ?? []).flatMap((item, i) => {
    const name = typeof item === "string" ? item : item.event;
    const event = eventNamed(file, name, [...at, i]);
    const gate = compileGate(file, typeof item === "string" ? entry.at : item.at, [...at, i]);
    return event === undefined ? [] : [{ event, gate }];
  });
}
