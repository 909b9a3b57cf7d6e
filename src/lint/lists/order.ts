import { type ActionType, actTier, tierText } from "../../ruleset/actions.ts";
import { placeOf } from "../../ruleset/compile/compile-attempts.ts";
import { listOf } from "../../ruleset/compile/scope.ts";
import type { LoadedRuleset } from "../../ruleset/load.ts";
import { compareText } from "../../ruleset/ruleset.ts";
import { isUsable, type RuleView, viewRules } from "../rule-view.ts";

/**
 * Every rule in the order in which evidence is given to it: tier, the action's place in it, specificity, name. A rule that has
 * several calls is one line; overrides, which only matter between two rules, stand beside the rule that has them.
 */
export function precedenceList({ files, ruleset }: LoadedRuleset): string {
  const lines = new Map<string, RuleView>();
  for (const file of files.filter(isUsable))
    for (const view of viewRules(file))
      lines.set(`${view.rule.id} ${view.rule.attempt} ${view.rule.specificity}`, view);
  const blocks: string[] = [];
  let heading = "";
  for (const view of [...lines.values()].sort(compareViews)) {
    const title = headingOf(view, ruleset.actions);
    if (title !== heading) blocks.push(`${blocks.length === 0 ? "" : "\n"}${title}`);
    heading = title;
    blocks.push(lineOf(view));
  }
  return `${blocks.join("\n")}\n`;
}

function compareViews({ rule: a }: RuleView, { rule: b }: RuleView): number {
  return (
    Number(a.yields) - Number(b.yields) ||
    a.tier - b.tier ||
    a.rank - b.rank ||
    compareText(a.action, b.action) ||
    Number(a.defers) - Number(b.defers) ||
    b.specificity - a.specificity ||
    compareText(a.id, b.id) ||
    (a.attempt ?? -1) - (b.attempt ?? -1)
  );
}

function headingOf({ rule }: RuleView, actions: ReadonlyMap<string, ActionType>): string {
  const tier = tierText(rule.tier);
  const own = actions.get(rule.action)?.tier;
  const moved = own === tier ? [] : [`${rule.tier === actTier ? "raised" : "capped"} from ${own}`];
  return `${rule.action} (${[`tier ${tier}`, ...moved, `rank ${rule.rank}`, ...(rule.yields ? ["yields"] : []), ...(rule.defers ? ["defers"] : [])].join(", ")})`;
}

function lineOf(view: RuleView): string {
  const { rule } = view;
  const reverted = rule.status === "reverted" ? " reverted" : "";
  const overrides = rule.overrides.length === 0 ? "" : `; over ${[...rule.overrides].sort(compareText).join(", ")}`;
  return `  ${String(rule.specificity).padStart(3)}  ${rule.id}${reverted}: ${anchorText(view)}${overrides}`;
}

/** The anchor in the words of the file. */
function anchorText({ entry, attempt }: RuleView): string {
  if (attempt !== null) return `call ${names(attempt.attempt.call)} at ${names(placeOf(entry, attempt.attempt))}`;
  const calls = `call ${names(entry.call)} at ${names(entry.call_at ?? entry.at)}`;
  if (entry.event !== undefined)
    return `event ${entry.event} at ${names(entry.at)}${entry.call === undefined ? "" : ` beside ${calls}`}`;
  if (entry.transfer !== undefined) return `transfer from ${names(entry.transfer.from)} to ${names(entry.transfer.to)}`;
  return entry.call === undefined ? "money flow" : `call ${names(entry.call)} at ${names(entry.at)}`;
}

function names(list: string | string[] | undefined): string {
  const all = listOf(list);
  return all.length === 0 ? "any" : all.join(", ");
}
