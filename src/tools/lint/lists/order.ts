import { basename, dirname } from "node:path";
import { compareText } from "../../../kernel/canonical.ts";
import { type ActionTypes, tierNames, tierRank } from "../../../rules/ruleset/actions.ts";
import { placeOf } from "../../../rules/ruleset/compile/compile-attempts.ts";
import { listOf } from "../../../rules/ruleset/compile/scope.ts";
import type { LoadedFile, LoadedRuleset } from "../../../rules/ruleset/compile-documents.ts";
import { controlKinds } from "../../../rules/ruleset/control.ts";
import { comparing, specificityText } from "../../../rules/ruleset/precedence.ts";
import { isUsable, type RuleView, viewRules } from "../rule-view.ts";

/** Rules by precedence, one on each line. Overrides concern two rules, so they end the overriding rule's line. */
export function precedenceList({ files, ruleset }: LoadedRuleset): string {
  return blocksOf(sortViews(files), rankedHeading(ruleset.actions));
}

/** What determines {@link precedenceList}, in files that different authors can change: `<family>/<protocol>.txt`, and `actions.txt`. */
export function precedenceFiles({ files, ruleset }: LoadedRuleset): Map<string, string> {
  const made = new Map([["actions.txt", actionText(ruleset.actions)]]);
  for (const file of files) {
    const views = sortViews([file]);
    const name = `${basename(dirname(file.source.file))}/${file.document?.protocol}.txt`;
    const text = blocksOf(views, (view) => headingOf(view, ruleset.actions));
    if (views.length > 0) made.set(name, text);
  }
  return made;
}

/** Below each, rules of other protocols with the same action: before, level, behind. */
export function precedenceOf(protocol: string, { files, ruleset }: LoadedRuleset): string {
  const heading = rankedHeading(ruleset.actions);
  const isOwn = ({ file }: RuleView) => file.document.protocol === protocol;
  const views = sortViews(files);
  const rivals = views.filter((view) => !isOwn(view));
  return blocksOf(views.filter(isOwn), heading, (view) => {
    const same = rivals.filter((other) => heading(other) === heading(view) && other.rule.status === view.rule.status);
    const bySign = Map.groupBy(same, (other) => Math.sign(bySpecificity(placed(view), placed(other))));
    return [["before", -1] as const, ["level with", 0] as const, ["behind", 1] as const].flatMap(([word, sign]) => {
      const others = bySign.get(sign);
      return others === undefined ? [] : [`       ${word} ${someOf(others)}`];
    });
  });
}

const namedMax = 4;

function someOf(views: readonly RuleView[]): string {
  const ids = views.slice(0, namedMax).map(({ rule }) => rule.id);
  const rest = views.length - ids.length;
  return rest > 0 ? `${ids.join(", ")} and ${rest} more` : ids.join(", ");
}

/** The strongest first, each rule once. */
function sortViews(files: readonly LoadedFile[]): RuleView[] {
  const keyOf = ({ rule }: RuleView) => `${rule.id} ${rule.attempt} ${specificityText(rule.specificity)}`;
  const views = files.filter(isUsable).flatMap(viewRules);
  return [...new Map(views.map((view) => [keyOf(view), view])).values()].sort(compareViews);
}

const byGroup = comparing(["yields", "tier", "control", "place", "rank"]);
const bySpecificity = comparing(["specificity"]);
const withinAction = comparing(["defers", "specificity", "id"]);

/** Lists know no transaction, so the position is 0. */
function placed({ rule }: RuleView) {
  return { rule, position: 0 };
}

/** Keeps the rules of one action together. */
function compareViews(one: RuleView, other: RuleView): number {
  const [a, b] = [placed(one), placed(other)];
  return (
    byGroup(a, b) ||
    compareText(a.rule.action, b.rule.action) ||
    withinAction(a, b) ||
    (a.rule.attempt ?? -1) - (b.rule.attempt ?? -1)
  );
}

function blocksOf(
  views: readonly RuleView[],
  headingOf: (view: RuleView) => string,
  notes: (view: RuleView) => readonly string[] = () => [],
): string {
  const lines: string[] = [];
  let heading = "";
  for (const view of views) {
    const title = headingOf(view);
    if (title !== heading) lines.push(...(heading === "" ? [] : [""]), title);
    heading = title;
    lines.push(lineOf(view), ...notes(view));
  }
  return `${lines.join("\n")}\n`;
}

/** The strongest tier first; equal ranks by name. */
function actionText(actions: ActionTypes): string {
  const sorted = [...actions.values()].sort((a, b) => a.rank - b.rank || compareText(a.id, b.id));
  const tiers = [...new Set([...actions.values()].map(({ tier }) => tier))];
  const lines = tiers.flatMap((tier) => [
    tier,
    ...sorted.flatMap((one) => (one.tier === tier ? `  ${one.rank}  ${one.id}` : [])),
  ]);
  return `${lines.join("\n")}\n`;
}

function rankedHeading(actions: ActionTypes): (view: RuleView) => string {
  return (view) => headingOf(view, actions, [`rank ${view.rule.rank}`]);
}

function headingOf({ rule }: RuleView, actions: ActionTypes, more: readonly string[] = []): string {
  const tier = tierNames[rule.tier] as string;
  const own = actions.get(rule.action)?.tier;
  const raised = rule.tier === tierRank("act") || rule.control;
  const moved = own === tier ? [] : [`${raised ? "raised" : "capped"} from ${own}`];
  const control = rule.control ? [`control ${controlKinds[rule.controlRank]}`] : [];
  const standing = (["yields", "defers"] as const).filter((word) => rule[word]);
  return `${rule.action} (${[`tier ${tier}`, ...moved, ...control, ...more, ...standing].join(", ")})`;
}

function lineOf(view: RuleView): string {
  const { rule } = view;
  const reverted = rule.status === "reverted" ? " reverted" : "";
  const overrides = rule.overrides.length === 0 ? "" : `; over ${[...rule.overrides].sort(compareText).join(", ")}`;
  return `  ${specificityText(rule.specificity)}  ${rule.id}${reverted}: ${anchorText(view)}${overrides}`;
}

function anchorText({ entry, attempt }: RuleView): string {
  if (attempt !== null) return `call ${names(attempt.attempt.call)} at ${names(placeOf(entry, attempt.attempt))}`;
  const calls = `call ${names(entry.call)} at ${names(entry.call_at ?? entry.at)}`;
  if (entry.event !== undefined)
    return `event ${names(entry.event)} at ${names(entry.at)}${entry.call === undefined ? "" : ` beside ${calls}`}`;
  if (entry.transfer !== undefined) return `transfer from ${names(entry.transfer.from)} to ${names(entry.transfer.to)}`;
  if (entry.authorization !== undefined)
    return `authorization ${entry.authorization}${entry.acts_for === undefined ? " by whom is not known" : ""}`;
  return entry.call === undefined ? "money flow" : `call ${names(entry.call)} at ${names(entry.at)}`;
}

function names(list: string | string[] | undefined): string {
  const all = listOf(list);
  return all.length === 0 ? "any" : all.join(", ");
}
