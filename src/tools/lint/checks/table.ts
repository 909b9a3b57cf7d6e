import type { Diagnostic } from "../../../model/diagnostic.ts";
import { runExamples } from "../examples/examples.ts";
import { runMessageExamples } from "../messages/message-examples.ts";
import { type LintFinding, type PlacedEntry, type UsableFile, viewRules } from "../rule-view.ts";
import type { LintSources } from "../sources.ts";
import type { ExampleWorld } from "../world.ts";
import { checkAbiUse } from "./abi-use.ts";
import { checkAnchorSaid, checkAnchors } from "./anchor.ts";
import { checkAttempts, checkSpareAttempts } from "./attempt-told.ts";
import { checkCaptures } from "./capture-use.ts";
import { checkSchemes } from "./chain-scheme.ts";
import { checkLabelSources, checkSources } from "./cited-source.ts";
import { checkContradictions, checkIdleConditions } from "./condition.ts";
import { checkCopies, checkCoverage } from "./example-cover.ts";
import { checkComments } from "./file-comment.ts";
import { checkGating } from "./gating.ts";
import { checkLegOrder } from "./leg-order.ts";
import { checkNeverTold } from "./never-told.ts";
import { checkSignatures } from "./proven-signature.ts";
import { checkNames, checkTopics } from "./set/contradicting-fact.ts";
import { checkIds, checkLabels, checkRoles, checkUnwrappers } from "./set/defined-twice.ts";
import { checkOverrides } from "./set/override-edge.ts";
import type { RuleSet, SetFinding } from "./set/rule-set.ts";
import { checkShadows } from "./set/shadowed-rule.ts";
import { checkTies } from "./set/tied-rules.ts";
import { checkTemplates } from "./template-text.ts";
import { checkUnreadFees } from "./unread-fee.ts";
import { checkLiterals, checkSite, checkStatedHashes } from "./written-fact.ts";

/** What a check may know besides what it looks at. */
export interface CheckKnowledge {
  world: ExampleWorld;
  /** The same, with a mark for each sentence that a rule could not fill. */
  marked: ExampleWorld;
  /** Of label files: schemes of chains, and names by address. */
  schemes: ReadonlySet<string>;
  names: ReadonlyMap<string, string>;
}

/** `codes`: all that it finds. `early`: also of a file that the loader refuses. */
export type Check = { codes: readonly string[]; early?: true } & (
  | { rule(placed: PlacedEntry, file: UsableFile, known: CheckKnowledge): Iterable<LintFinding> }
  | { file(file: UsableFile, known: CheckKnowledge): Iterable<LintFinding> }
  | { set(set: RuleSet, known: CheckKnowledge): Iterable<SetFinding> }
  | { texts(sources: LintSources): readonly Diagnostic[] }
);

/** Found while files are read and compiled, before any check. */
export const loaderCodes: readonly string[] = [
  ...["RL101", "RL102", "RL103", "RL104", "RL201", "RL202", "RL203", "RL204", "RL205", "RL207", "RL208"],
  ...["RL211", "RL212", "RL216", "RL220", "RL301", "RL302", "RL303", "RL304", "RL305", "RL306", "RL312"],
  ...["RL315", "RL316", "RL401", "RL402", "RL403", "RL404", "RL405", "RL501", "RL612"],
];

/** About the run itself: comments that excuse nothing, and a check that crashes. */
export const runCodes: readonly string[] = ["RL801", "RL901"];

/** Every check of lint. codes.yaml has the words of each code. */
export const checks: readonly Check[] = [
  { codes: ["RL209", "RL210"], texts: checkComments },
  { codes: ["RL213", "RL214"], texts: checkLabelSources },
  { codes: ["RL213", "RL214"], file: checkSources, early: true },
  { codes: ["RL205"], file: checkLiterals, early: true },
  { codes: ["RL206"], file: checkSite },
  { codes: ["RL208"], set: checkIds },
  { codes: ["RL215"], file: checkRoles },
  { codes: ["RL307"], file: checkStatedHashes, early: true },
  { codes: ["RL308", "RL309"], file: (file, { world }) => checkSignatures(file, world.recordingsDir) },
  { codes: ["RL313", "RL502"], rule: checkCaptures },
  { codes: ["RL314"], rule: (placed, _, { schemes }) => checkSchemes(placed, schemes) },
  { codes: ["RL317"], file: checkLegOrder },
  { codes: ["RL404"], rule: checkContradictions },
  { codes: ["RL404"], rule: checkIdleConditions },
  {
    codes: ["RL501", "RL503", "RL504", "RL505", "RL508"],
    rule: (placed, file, { world }) => checkTemplates(placed, file, world.ruleset.verbs),
    early: true,
  },
  { codes: ["RL506"], file: checkAbiUse },
  { codes: ["RL507"], rule: checkNeverTold },
  { codes: ["RL509"], file: checkUnreadFees },
  { codes: ["RL601"], rule: checkCoverage },
  { codes: ["RL602", "RL604", "RL608", "RL609"], file: (file, { world }) => runExamples(file, world) },
  { codes: ["RL602", "RL604"], file: (file, { world }) => runMessageExamples(file, world) },
  { codes: ["RL603"], file: checkCopies },
  { codes: ["RL605", "RL606"], file: (file, { marked }) => checkAttempts(file, marked) },
  { codes: ["RL607"], rule: checkSpareAttempts },
  { codes: ["RL610", "RL611"], file: (file, { world }) => checkGating(viewRules(file), world.ruleset.actions) },
  { codes: ["RL612"], rule: checkAnchors },
  { codes: ["RL613", "RL614"], rule: checkAnchorSaid },
  { codes: ["RL701"], set: checkTies },
  { codes: ["RL702", "RL703", "RL704"], set: checkOverrides },
  { codes: ["RL705"], set: checkShadows },
  { codes: ["RL706"], set: checkUnwrappers },
  { codes: ["RL707"], set: checkLabels },
  { codes: ["RL708"], file: (file, { names }) => checkNames(file, names) },
  { codes: ["RL709"], set: checkTopics },
];
