import { type ActionType, tierNames } from "../ruleset/actions.ts";
import type { Anchor, CompiledRule, Gate } from "../ruleset/compiled.ts";
import { compareText, type Ruleset } from "../ruleset/ruleset.ts";

/**
 * Every rule in the order in which evidence is given to it: tier, the action's place in it, specificity, name. A rule that has
 * several calls is one line; overrides, which only matter between two rules, stand beside the rule that has them.
 */
export function precedenceList(ruleset: Ruleset): string {
  const lines = new Map<string, { rule: CompiledRule; anchors: string[] }>();
  for (const rule of ruleset.rules) {
    const key = `${rule.id} ${rule.status} ${rule.specificity}`;
    const line = lines.get(key);
    if (line === undefined) lines.set(key, { rule, anchors: [anchorText(rule.anchor)] });
    else line.anchors.push(anchorText(rule.anchor));
  }
  const ordered = [...lines.values()].sort((a, b) => compareRules(a.rule, b.rule));
  const blocks: string[] = [];
  let heading = "";
  for (const { rule, anchors } of ordered) {
    const title = headingOf(rule, ruleset.actions);
    if (title !== heading) blocks.push(`${blocks.length === 0 ? "" : "\n"}${title}`);
    heading = title;
    blocks.push(lineOf(rule, anchors));
  }
  return `${blocks.join("\n")}\n`;
}

function compareRules(a: CompiledRule, b: CompiledRule): number {
  return (
    Number(a.yields) - Number(b.yields) ||
    a.tier - b.tier ||
    a.rank - b.rank ||
    compareText(a.action, b.action) ||
    b.specificity - a.specificity ||
    compareText(a.id, b.id) ||
    compareText(a.status, b.status)
  );
}

function headingOf(rule: CompiledRule, actions: ReadonlyMap<string, ActionType>): string {
  const tier = tierNames[rule.tier] ?? String(rule.tier);
  const own = actions.get(rule.action)?.tier;
  const notes = [
    `tier ${tier}`,
    ...(own === tier ? [] : [`capped from ${own}`]),
    `rank ${rule.rank}`,
    ...(rule.yields ? ["yields"] : []),
  ];
  return `${rule.action} (${notes.join(", ")})`;
}

function lineOf(rule: CompiledRule, anchors: readonly string[]): string {
  const reverted = rule.status === "reverted" ? " reverted" : "";
  const overrides = rule.overrides.length === 0 ? "" : `; over ${[...rule.overrides].sort(compareText).join(", ")}`;
  return `  ${String(rule.specificity).padStart(3)}  ${rule.id}${reverted}: ${joinAnchors(anchors)}${overrides}`;
}

/** `call a at pool`, `call b at pool` → `call a, b at pool`. */
function joinAnchors(anchors: readonly string[]): string {
  const byPlace = new Map<string, string[]>();
  for (const anchor of [...new Set(anchors)].sort(compareText)) {
    const [, verb = "", name = "", place = ""] = /^(\S+) (\S+)( at .*)$/.exec(anchor) ?? [];
    if (verb !== "call") return [...new Set(anchors)].sort(compareText).join(", ");
    byPlace.set(place, [...(byPlace.get(place) ?? []), name]);
  }
  return [...byPlace].map(([place, names]) => `call ${names.join(", ")}${place}`).join("; ");
}

function anchorText(anchor: Anchor): string {
  switch (anchor.kind) {
    case "event": {
      const beside =
        anchor.beside === null
          ? ""
          : ` beside call ${anchor.beside.call.map((call) => call.name).join(", ")} at ${gateText(anchor.beside.gate)}`;
      return `event ${anchor.event.name} at ${gateText(anchor.gate)}${beside}`;
    }
    case "call":
      return `call ${anchor.call?.name ?? "any"} at ${gateText(anchor.gate)}`;
    case "transfer":
      return `transfer from ${gateText(anchor.from)} to ${gateText(anchor.to)}`;
    case "none":
      return "money flow";
  }
}

function gateText(gate: Gate): string {
  switch (gate.kind) {
    case "set":
      return gate.addresses.size === 1 ? "1 address" : `${gate.addresses.size} addresses`;
    case "proof":
      return `proven ${gate.member.role}`;
    case "either":
      return gate.gates.map(gateText).join(" or ");
    default:
      return gate.kind;
  }
}
