import { canonicalJson } from "../../../kernel/canonical.ts";
import { digestOf } from "../../../kernel/hash.ts";
import { type ActionType, type ActionTypes, tierOf, tierRank } from "../actions.ts";
import type { Anchor, CompiledRule, Getter } from "../compiled.ts";
import { controlRank } from "../control.ts";
import { isAttemptOnly } from "../document/attempt-entry.ts";
import type { RuleEntry } from "../document/rule-document.ts";
import { anchorProof, anchorStrength, anchorsOf } from "./anchor.ts";
import { compileCaptures, inNameOrder } from "./capture.ts";
import { type BuildRule, compileAttempts } from "./compile-attempts.ts";
import { compileGate, homeOf } from "./gate.ts";
import { compileCarried } from "./messages/carried.ts";
import { compileFlow, compileLeg } from "./money-flow.ts";
import { listOf } from "./scope.ts";
import { type FileScope, Spot } from "./spot.ts";
import { parseTemplate } from "./template.ts";
import { compileWhere } from "./where.ts";

/** A rule for each anchor and each attempt of an entry. */
export function compileRule(file: FileScope, entry: RuleEntry, position: number, actions: ActionTypes): CompiledRule[] {
  const spot = new Spot(file, ["rules", position]);
  const action = actions.get(entry.action) ?? reportAction(spot.in("action"), entry.action, actions);
  if (action === undefined) return [];
  const build = builderOf(file, entry, action);
  const anchors = isAttemptOnly(entry) ? [] : anchorsOf(spot, entry);
  const acts = anchors.map((anchor) => compileAct(spotOf(spot, entry, anchor), entry, anchor, build));
  return [...acts, ...compileAttempts(spot, entry, build)];
}

function compileAct(spot: Spot, entry: RuleEntry, anchor: Anchor, build: BuildRule): CompiledRule {
  const { premise, kind, rest: where } = compileWhere(spot.in("where"), entry.where, entry.flow !== undefined);
  return build(spot, anchor, entry, {
    status: "success",
    who: spot
      .in("who")
      .each<string, Getter>(withoutSubject(entry.who), (at, text) => at.getter(text, "address", "bytes")),
    flow: compileFlow(spot.in("flow"), entry.flow, anchorStrength(anchor) >= 2),
    legs: Object.entries(entry.legs ?? {}).map(([name, leg]) => compileLeg(spot.in("legs", name), name, leg)),
    absorbs: absorbed(spot.in("absorbs"), entry),
    premise,
    kind,
    where,
    captures: inNameOrder(compileCaptures(spot.in("capture"), entry.capture)),
    carries: compileCarried(spot.in("carries"), entry.carries),
    by: entry.by ?? null,
    attempt: null,
  });
}

/** `subject` says that the event names nobody: the rule is told for whoever the transaction ran for. So it is no condition. */
function withoutSubject(who: RuleEntry["who"]): RuleEntry["who"] {
  return listOf(who).includes("subject") ? undefined : who;
}

/** What an act and its attempts share. Fields that every trial reads come first: neighbours in memory share a cache line. */
function builderOf(file: FileScope, entry: RuleEntry, action: ActionType): BuildRule {
  const { kind, name, protocol } = file.document;
  return (spot, anchor, said, parts) => {
    const strength = anchorStrength(anchor);
    const standing = standingOf(entry, parts.status, tierOf(action, strength, said.acts_for !== undefined));
    return {
      anchor,
      actsFor: spot.in("acts_for").getter(said.acts_for, "address") ?? null,
      legsFirst: said.acts_for?.startsWith("legs.") ?? false,
      control: standing.control,
      who: parts.who,
      premise: parts.premise,
      kind: parts.kind,
      flow: parts.flow,
      exchanges: action.exchanges ?? false,
      legs: parts.legs,
      where: parts.where,
      status: parts.status,
      specificity: {
        place: strength,
        evidence: anchorProof(anchor),
        legs: Math.min(parts.legs.filter((leg) => !leg.optional).length, 9),
      },
      tier: standing.tier,
      controlRank: standing.controlRank,
      rank: action.rank,
      yields: entry.yields ?? false,
      defers: entry.defers ?? false,
      id: `${protocol}/${entry.id}`,
      overrides: (said.overrides ?? []).map((other) => file.idOf(other)),
      attempt: parts.attempt,
      absorbs: parts.absorbs,
      home: homeOf(file),
      action: action.id,
      // Without a proven place no protocol is named, not even where the sentence falls back to the words of the action type.
      protocol: kind === "protocol" && strength > 0 ? (name ?? protocol) : null,
      etherPays: action.ether_pays,
      captures: parts.captures,
      does: parseTemplate(said.does ?? entry.does),
      carries: parts.carries,
      by: parts.by,
      file: file.reporter.file,
      // Hashed on demand, because most versions are never asked for. It is a function and not a getter: with a getter, reading any other
      // field is slow.
      version: () => digestOf(file.facts() + canonicalJson(entry)).slice(0, 12),
    };
  };
}

/** A change of control has at least the control tier. An attempt of one is ranked alike, but changed nothing. */
function standingOf(
  { control }: RuleEntry,
  status: CompiledRule["status"],
  tier: number,
): Pick<CompiledRule, "tier" | "control" | "controlRank"> {
  if (control === undefined) return { tier, control: false, controlRank: controlRank(null) };
  const raised = Math.min(tier, tierRank("control"));
  return { tier: raised, control: status !== "reverted", controlRank: controlRank(control) };
}

function spotOf(spot: Spot, entry: RuleEntry, anchor: Anchor): Spot {
  const [call, ...others] = (anchor.kind === "event" && anchor.companion?.call) || [];
  const item = anchor.kind === "event" ? anchor.event : anchor.kind === "call" ? anchor.call : null;
  return spot.reading({
    args: item?.inputs ?? null,
    input: others.length === 0 ? (call?.inputs ?? null) : null,
    legs: Object.keys(entry.legs ?? {}),
    many: Object.entries(entry.legs ?? {}).flatMap(([name, leg]) => (leg.many ? name : [])),
    anchor: anchor.kind,
    count: "gate" in anchor ? anchor.gate : { kind: "any" },
  });
}

function absorbed(spot: Spot, entry: RuleEntry): CompiledRule["absorbs"] {
  return (entry.absorbs ?? []).flatMap((item, i) => {
    const { event: name, at } = typeof item === "string" ? { event: item, at: entry.at } : item;
    const event = spot.in(i).event(name);
    const gate = compileGate(spot.in(i), at);
    return event === undefined ? [] : [{ event, gate }];
  });
}

/** RL204. The nearest type lets the rest of the rule compile, so that all mistakes are reported. */
function reportAction(spot: Spot, action: string, actions: ActionTypes): ActionType | undefined {
  const { nearest, hint, help } = spot.file.help?.aboutAction(action, actions) ?? { hint: "" };
  spot.report("RL204", () => `\`${action}\` is no action type${hint}`, {
    suggest: nearest,
    ...(help && { help }),
  });
  return actions.get(nearest ?? "") ?? [...actions.values()][0];
}
