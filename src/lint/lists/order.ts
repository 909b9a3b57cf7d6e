import { type ActionType, tierNames, tierRank } from "../../ruleset/actions.ts";
import { listOf } from "../../ruleset/compile/scope.ts";
import type { LoadedRuleset } from "../../ruleset/load.ts";
import { comparing, specificityText } from "../../ruleset/precedence.ts";
import { compareText } from "../../ruleset/ruleset.ts";
import { isUsable, type RuleView, viewRules } from "../rule-view.ts";

/**
 * Every rule in the order of precedence. A rule that has several calls is one line. Overrides matter between two rules only: they
 * are written behind the rule that has them.
 */
export function precedenceList({ files, ruleset }: LoadedRuleset): string {
  const lines = new Map<string, RuleView>();
  for (const file of files.filter(isUsable))
    for (const view of viewRules(file))
      lines.set(`${view.rule.id} ${view.rule.status} ${specificityText(view.rule.specificity)}`, view);
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

const byGroup = comparing(["yields", "tier", "rank"]);
const withinAction = comparing(["defers", "specificity", "id"]);

/** Precedence, with the rules of one action together. */
function compareViews(one: RuleView, other: RuleView): number {
  const [a, b] = [
    { rule: one.rule, position: 0 },
    { rule: other.rule, position: 0 },
  ];
  return (
    byGroup(a, b) ||
    compareText(a.rule.action, b.rule.action) ||
    withinAction(a, b) ||
    compareText(a.rule.status, b.rule.status)
  );
}

function headingOf({ rule }: RuleView, actions: ReadonlyMap<string, ActionType>): string {
  const tier = tierNames[rule.tier] as string;
  const own = actions.get(rule.action)?.tier;
  const moved = own === tier ? [] : [`${rule.tier === tierRank("act") ? "raised" : "capped"} from ${own}`];
  return `${rule.action} (${[`tier ${tier}`, ...moved, `rank ${rule.rank}`, ...(rule.yields ? ["yields"] : []), ...(rule.defers ? ["defers"] : [])].join(", ")})`;
}

function lineOf(view: RuleView): string {
  const { rule } = view;
  const reverted = rule.status === "reverted" ? " reverted" : "";
  const overrides = rule.overrides.length === 0 ? "" : `; over ${[...rule.overrides].sort(compareText).join(", ")}`;
  return `  ${specificityText(rule.specificity)}  ${rule.id}${reverted}: ${anchorText(view)}${overrides}`;
}

/** The anchor in the words of the file. */
function anchorText({ entry, attempt }: RuleView): string {
  if (attempt) return `call ${names(entry.attempts)} at ${names(entry.attempts_at ?? entry.call_at ?? entry.at)}`;
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
