import { type RuleView, relatedTo } from "../../rule-view.ts";
import { mayBothFit, sameEvidence } from "./overlap.ts";
import { comparePrecedence, pairsOf, type RuleSet, type SetFinding } from "./rule-set.ts";

/** RL701: two rules with different meanings fit the same evidence, and only their names decide which one is told. */
export function* checkTies(set: RuleSet): Generator<SetFinding> {
  const told = new Set<string>();
  for (const [a, b] of [...set.byEvidence.values()].flatMap((group) => pairsOf(group, set))) {
    if (a.entry === b.entry || comparePrecedence(a, b, set.overrides) !== 0) continue;
    const pair = `${a.rule.id} ${b.rule.id}`;
    if (told.has(pair) || (a.rule.action === b.rule.action && !saysTwice(a, b)) || !mayBothFit(a, b)) continue;
    told.add(pair);
    yield* [tied(a, b), tied(b, a)];
  }
}

/** Whether two rules of one action read the same evidence. Then there are two sentences for it, and only the names choose. */
function saysTwice(a: RuleView, b: RuleView): boolean {
  return sameEvidence(a, b) && (a.rule.protocol !== b.rule.protocol || ![a, b].every(isBare));
}

/** Whether an attempt has neither captures nor a sentence. Two such attempts of one protocol say the same. */
function isBare({ attempt }: RuleView): boolean {
  return attempt !== null && attempt.attempt.capture === undefined && attempt.attempt.does === undefined;
}

function tied(view: RuleView, rival: RuleView): SetFinding {
  const pathOf = ({ at, attempt }: RuleView) => [...at, ...(attempt?.path ?? ["id"])];
  const meaning = view.rule.action === rival.rule.action ? "read the same evidence" : "can fit the same evidence";
  const message = `\`${view.rule.id}\` and \`${rival.rule.id}\` ${meaning} with equal standing; one that goes first was expected`;
  const related = relatedTo(rival.file, pathOf(rival), `\`${rival.rule.id}\` is here`);
  return [view.file, "RL701", pathOf(view), message, { related }];
}
