import { existsSync } from "node:fs";
import { join } from "node:path";
import { weigherOf } from "../../../engine/money/weight.ts";
import { decide } from "../../../engine/spine.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { Decision } from "../../../model/decision.ts";
import type { Evidence } from "../../../model/evidence.ts";
import type { DocumentPath } from "../../../rules/documents/source-document.ts";
import { suggest } from "../../../rules/documents/suggest.ts";
import type { LoadedFile } from "../../../rules/ruleset/compile-documents.ts";
import { isMessageEntry } from "../../../rules/ruleset/document/message-entry.ts";
import type { ExampleEntry } from "../../../rules/ruleset/document/rule-document.ts";
import { seenInstead } from "../checks/proven-signature.ts";
import { isMessageGiven } from "../messages/given-message.ts";
import { isUsable, type LintFinding, type UsableFile } from "../rule-view.ts";
import { type TrialWorld, tryCase } from "../trial.ts";
import type { ExampleWorld } from "../world.ts";
import { buildCase } from "./given.ts";
import { GivenNames } from "./given-names.ts";
import { GivenError } from "./given-values.ts";
import { missedPart } from "./missed-part.ts";
import { readRecording } from "./recording.ts";
import { contractsOf, replaceByUntrusted, untrustedCopies } from "./untrusted.ts";

/** Decides with the whole ruleset: mistakes (RL604), other outcomes (RL602), trifles that test little (RL608), what no word tells (RL609). */
export function runExamples(file: UsableFile, world: ExampleWorld): LintFinding[] {
  const run = new ExampleRun(file, world);
  for (const one of run.cases()) run.check(one);
  return run.found;
}

export interface ExampleCase {
  example: ExampleEntry;
  at: DocumentPath;
  caseFile: CaseFile;
}

/** Frozen; without those with mistakes, which lint reports. */
export function exampleCases(file: LoadedFile, world: ExampleWorld): ExampleCase[] {
  return isUsable(file) ? new ExampleRun(file, world).cases() : [];
}

interface Outcome {
  /** By the name that an example gives a rule. */
  stands(name: string): boolean;
  standing: string;
  /** Why not, as far as that is known. */
  missing?(name: string): string;
  explanation: { action_type: string; summary: string };
}

/** RL602: another outcome than the example expects. */
export function* otherOutcomes(
  { rule, not, action, summary }: ExampleEntry,
  at: DocumentPath,
  { stands, standing, missing = () => standing, explanation }: Outcome,
): Generator<LintFinding> {
  const refused = (field: keyof ExampleEntry, message: string): LintFinding => ["RL602", [...at, field], message];
  if (rule !== undefined && !stands(rule))
    yield refused("rule", `the rule \`${rule}\` was expected to stand; ${missing(rule)}`);
  if (not !== undefined && stands(not))
    yield refused("not", `the rule \`${not}\` stands, but was not to: ${inTicks(explanation.summary)}`);
  if (action !== undefined && explanation.action_type !== action)
    yield refused(
      "action",
      `the action \`${action}\` was expected, \`${explanation.action_type}\` came out; ${standing}`,
    );
  if (summary !== undefined && !saysSo(explanation.summary, summary))
    yield refused("summary", `the summary is ${inTicks(explanation.summary)}; another one was expected; ${standing}`);
}

class ExampleRun {
  readonly #examples: readonly ExampleEntry[];
  readonly #file: UsableFile;
  readonly #world: ExampleWorld;
  readonly found: LintFinding[] = [];
  /** By example; undefined for a mistake, reported once. */
  readonly #cases: Map<number, CaseFile | undefined> = new Map();

  constructor(file: UsableFile, world: ExampleWorld) {
    this.#examples = file.document.examples ?? [];
    this.#file = file;
    this.#world = world;
  }

  #report(...finding: LintFinding): undefined {
    this.found.push(finding);
  }

  cases(): ExampleCase[] {
    return this.#examples.flatMap((example, index) => {
      if (isMessageGiven(example.given)) return [];
      const caseFile = this.#case(index, []);
      return caseFile === undefined ? [] : [{ example, at: ["examples", index], caseFile }];
    });
  }

  check({ example, at, caseFile }: ExampleCase): void {
    const { rule } = example;
    const id = rule === undefined ? undefined : this.#file.scope.idOf(rule);
    if (!this.#compare(example, caseFile, at) || id === undefined) return;
    // A gate promises that the rule of a positive example does not stand at untrusted contracts.
    const { ruleset, labels } = this.#world;
    const forms = ruleset.rules.filter((one) => one.id === id);
    for (const copy of untrustedCopies(caseFile, forms, labels)) {
      const { evidence, explanation } = this.#decide(copy);
      const message = `the rule \`${rule}\` stands at untrusted contracts too: ${inTicks(explanation.summary)}`;
      if (standsIn(evidence(), id)) this.#report("RL602", at, message);
    }
    if (example.given !== undefined && movesTrifles(caseFile, id, this.#world))
      this.#report("RL608", at, `the example of \`${rule}\` gives or gets nothing but trifles`);
  }

  #decide(file: CaseFile): Decision {
    return decide(file, this.#world.ruleset, this.#world.labels);
  }

  #case(index: number, trail: readonly number[]): CaseFile | undefined {
    if (!this.#cases.has(index)) {
      const example = this.#examples[index] as ExampleEntry;
      this.#cases.set(index, deepFreeze(this.#make(example, ["examples", index], [...trail, index])));
    }
    return this.#cases.get(index);
  }

  #make(example: ExampleEntry, at: DocumentPath, trail: readonly number[]): CaseFile | undefined {
    if (example.given !== undefined) return this.#given(example.given, [...at, "given"]);
    if (example.tx !== undefined) return this.#recorded(example.tx, [...at, "tx"]);
    if (example.like === undefined)
      return this.#report("RL604", at, "the example has none of `tx`, `given` and `like`");
    const original = this.#like(example.like, [...at, "like"], trail);
    const { scope } = this.#file;
    const known = [...scope.contracts.keys(), ...scope.members.keys()];
    const roles = example.untrusted ?? [];
    const wrong = roles.findIndex((role) => !known.includes(role));
    if (wrong >= 0) {
      const role = roles[wrong] as string;
      const message = `\`${role}\` is no contract role or member of this file`;
      return this.#report("RL604", [...at, "untrusted", wrong], message, { suggest: suggest(role, known) });
    }
    return original && replaceByUntrusted(original, contractsOf(scope, roles), this.#world.labels);
  }

  #given(given: Record<string, unknown>, at: DocumentPath): CaseFile | undefined {
    try {
      return buildCase(given, new GivenNames(this.#file.scope, this.#world.scopes, this.#world.labels));
    } catch (error) {
      if (!(error instanceof GivenError)) throw error;
      const { suggestion, key } = error;
      return this.#report("RL604", [...at, ...error.at], error.message, { suggest: suggestion, key });
    }
  }

  #recorded(hash: string, at: DocumentPath): CaseFile | undefined {
    const path = join(this.#world.recordingsDir, `${hash}.json`);
    const shown = `\`${hash.slice(0, 10)}…\``;
    if (!existsSync(path)) {
      const help = `\`txgloss record ${hash}\` writes it`;
      return this.#report("RL604", at, `there is no recording of ${shown}`, { help });
    }
    const read = readRecording(path);
    return "problem" in read ? this.#report("RL604", at, `the recording of ${shown} ${read.problem}`) : read;
  }

  #like(name: string, at: DocumentPath, trail: readonly number[]): CaseFile | undefined {
    const index = this.#examples.findIndex((other) => other.name === name || other.tx === name);
    if (index < 0 && /^0x[0-9a-f]{64}$/.test(name)) return this.#recorded(name, at);
    if (index >= 0 && !trail.includes(index)) return this.#case(index, trail);
    if (index >= 0) return this.#report("RL604", at, `\`${name}\` refers back to this example`);
    const names = this.#examples.flatMap((other) => other.name ?? []);
    const message = `\`${name}\` names no example of this file`;
    return this.#report("RL604", at, message, { suggest: suggest(name, names) });
  }

  /** True when the rule that the example names fits. */
  #compare(example: ExampleEntry, caseFile: CaseFile, at: DocumentPath): boolean {
    const { explanation, evidence: read } = this.#decide(caseFile);
    const evidence = read();
    const { idOf } = this.#file.scope;
    const stands = (name: string) => standsIn(evidence, idOf(name));
    const missing = (name: string) => {
      const id = idOf(name);
      const forms = this.#world.ruleset.rules.filter((one) => one.id === id && one.attempt === null);
      const anchors = forms.map(({ anchor }) => anchor);
      const instead = example.tx && seenInstead(anchors, caseFile);
      const won = winners(evidence, id);
      if (instead !== undefined) return `${won}. ${instead}`;
      const part = won.endsWith(unmatched) ? missedPart(id, caseFile, this.#world) : undefined;
      return part === undefined ? won : `${won}: ${part}`;
    };
    this.found.push(...otherOutcomes(example, at, { stands, standing: winners(evidence), missing, explanation }));
    for (const field of ["rule", "not"] as const) this.#knowRule(example[field], [...at, field]);
    const fits = example.rule !== undefined && stands(example.rule);
    const untold = fits && evidence.actions.length === 1 ? this.#untold(explanation.summary) : undefined;
    if (untold !== undefined)
      this.#report("RL609", at, `no word of \`${example.rule}\` tells a part of the example: ${inTicks(untold)}`);
    return fits;
  }

  /** What the engine adds to the sentence of a single act: what it gave or allowed besides, or what went to others. */
  #untold(summary: string): string | undefined {
    const { phrases } = this.#world.ruleset.wording;
    const starts = (["summary.also", "summary.by_this"] as const).flatMap((name) => {
      const [opening] = phrases[name].other;
      const start = typeof opening === "string" ? summary.indexOf(` ${opening}`) : -1;
      return start < 0 ? [] : start;
    });
    return starts.length === 0 ? undefined : summary.slice(Math.min(...starts) + 1);
  }

  #knowRule(name: string | undefined, at: DocumentPath): void {
    const { document, scope } = this.#file;
    if (name === undefined || this.#world.ruleset.rules.some((rule) => rule.id === scope.idOf(name))) return;
    const own = (document.rules ?? []).flatMap((rule) => (isMessageEntry(rule) ? [] : rule.id));
    this.#report("RL604", at, `\`${name}\` is no rule`, { suggest: suggest(name, own) });
  }
}

/** `0x…` in the expected text is any address. */
function saysSo(summary: string, expected: string): boolean {
  if (!expected.includes("0x…")) return summary === expected;
  const parts = expected.split("0x…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("0x(?:[0-9a-fA-F]{4}…[0-9a-fA-F]{4}|[0-9a-fA-F]{40})")}$`).test(summary);
}

function standsIn(evidence: Evidence, id: string): boolean {
  return evidence.actions.some((action) => action.rule === id);
}

const unmatched = "did not match";

/** Names the rules that fit, and why the wanted one does not, as far as the evidence shows. */
function winners(evidence: Evidence, wanted?: string): string {
  const standing = evidence.actions.map((action) => `\`${action.rule}\``).join(", ") || "no rule";
  const stands = `${standing} ${evidence.actions.length > 1 ? "stand" : "stands"}`;
  if (wanted === undefined) return stands;
  const lost = evidence.superseded.find((entry) => entry.rule === wanted);
  return `${stands}, and it ${lost === undefined ? unmatched : `lost to \`${lost.by}\`: ${lost.reason}`}`;
}

export function inTicks(summary: string): string {
  return `\`${summary.replaceAll("`", "'")}\``;
}

/** Freezes what is inside too: a stage that changed a case would make the next example wrong. */
function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

/**
 * All given, or all received, are trifles of ether and listed tokens. No forgeries of such a side: the loss of a trifle need not be stated.
 */
function movesTrifles(caseFile: CaseFile, id: string, world: TrialWorld): boolean {
  const action = tryCase(caseFile, world).actions.find(({ rule }) => rule.id === id);
  if (action === undefined) return false;
  const weigh = weigherOf(caseFile, world.labels);
  const { gives, gets } = action.context.flow;
  return [gives, gets].some(
    (side) => side.length > 0 && side.every((asset) => asset.kind !== "nft" && weigh(asset) === 1n),
  );
}
