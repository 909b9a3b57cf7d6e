import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Reporter } from "../../documents/reporter.ts";
import { suggest } from "../../documents/suggest.ts";
import { decide } from "../../engine/decide.ts";
import { type CaseFile, type CaseFileV1, upgradeCase } from "../../model/case-file.ts";
import type { Decision } from "../../model/decision.ts";
import type { Evidence } from "../../model/evidence.ts";
import type { Labels } from "../../model/label.ts";
import type { FileScope } from "../../ruleset/compile/spot.ts";
import type { ExampleEntry } from "../../ruleset/document/rule-document.ts";
import type { LoadedFile } from "../../ruleset/load.ts";
import type { Ruleset } from "../../ruleset/ruleset.ts";
import { untrustedCopies } from "./derived.ts";
import { buildCase } from "./given.ts";
import { GivenNames, type ScopeLookup } from "./given-names.ts";
import { GivenError } from "./given-values.ts";
import { contractsOf, replaceByUntrusted } from "./untrusted.ts";

/** What examples run against. */
export interface ExampleWorld {
  ruleset: Ruleset;
  labels: Labels;
  /** Folder of recorded case files, `<hash>.json`. */
  recordingsDir: string;
  scopes: ScopeLookup;
}

/** Runs every example of a file against the whole rule set; what does not come out as stated is reported (RL602, RL604). */
export function runExamples(file: LoadedFile, world: ExampleWorld, reporter: Reporter): void {
  const { document, scope } = file;
  if (document === undefined || scope === undefined) return;
  const run = new ExampleRun(document.examples ?? [], scope, world, reporter);
  for (let i = 0; i < (document.examples ?? []).length; i++) run.check(i);
}

/** An example with the case that it stands for. */
export interface ExampleCase {
  example: ExampleEntry;
  caseFile: CaseFile;
}

/** The examples of a file as cases, frozen. Those with mistakes are left out: lint reports them. */
export function exampleCases(file: LoadedFile, world: ExampleWorld): ExampleCase[] {
  const { document, scope } = file;
  if (document === undefined || scope === undefined) return [];
  const silent: Reporter = { file: file.source.file, report: () => undefined };
  return new ExampleRun(document.examples ?? [], scope, world, silent).cases();
}

type At = (string | number)[];

class ExampleRun {
  readonly #examples: readonly ExampleEntry[];
  readonly #scope: FileScope;
  readonly #world: ExampleWorld;
  readonly #reporter: Reporter;
  /** Cases by example; undefined for those with mistakes, which are reported once. */
  readonly #cases: Map<number, CaseFile | undefined> = new Map();

  constructor(examples: readonly ExampleEntry[], scope: FileScope, world: ExampleWorld, reporter: Reporter) {
    this.#examples = examples;
    this.#scope = scope;
    this.#world = world;
    this.#reporter = reporter;
  }

  check(index: number): void {
    const example = this.#examples[index] as ExampleEntry;
    const file = this.#case(index, []);
    if (file === undefined) return;
    const at = ["examples", index];
    const stands = this.#compare(example, this.#decide(file), at);
    if (example.rule !== undefined && stands) this.#checkUntrusted(example.rule, file, at);
  }

  /** What a gate promises: at untrusted contracts the rule of a positive example does not stand. */
  #checkUntrusted(name: string, file: CaseFile, at: At): void {
    const { ruleset, labels } = this.#world;
    const id = this.#fullId(name);
    const forms = ruleset.rules.filter((rule) => rule.id === id);
    for (const copy of untrustedCopies(file, forms, labels)) {
      const decision = this.#decide(copy);
      if (standsIn(decision.evidence(), id))
        this.#reporter.report(
          "RL602",
          at,
          `the rule \`${name}\` stands at untrusted contracts too: ${told(decision.explanation.summary)}`,
        );
    }
  }

  #decide(file: CaseFile): Decision {
    return decide(file, this.#world.ruleset, this.#world.labels);
  }

  cases(): ExampleCase[] {
    return this.#examples.flatMap((example, index) => {
      const caseFile = this.#case(index, []);
      return caseFile === undefined ? [] : [{ example, caseFile }];
    });
  }

  #case(index: number, trail: readonly number[]): CaseFile | undefined {
    if (this.#cases.has(index)) return this.#cases.get(index);
    const example = this.#examples[index] as ExampleEntry;
    const made = this.#make(example, ["examples", index], [...trail, index]);
    const frozen = made === undefined ? undefined : deepFreeze(made);
    this.#cases.set(index, frozen);
    return frozen;
  }

  #make(example: ExampleEntry, at: At, trail: readonly number[]): CaseFile | undefined {
    if (example.given !== undefined) return this.#given(example.given, [...at, "given"]);
    if (example.tx !== undefined) return this.#recorded(example.tx, [...at, "tx"]);
    if (example.like === undefined)
      return this.#reporter.report("RL604", at, "the example has none of `tx`, `given` and `like`");
    const original = this.#like(example.like, [...at, "like"], trail);
    const roles = example.untrusted ?? [];
    const wrong = roles.findIndex((role) => !this.#scope.contracts.has(role) && !this.#scope.members.has(role));
    if (wrong >= 0) {
      const known = [...this.#scope.contracts.keys(), ...this.#scope.members.keys()];
      const role = roles[wrong] as string;
      return this.#reporter.report(
        "RL604",
        [...at, "untrusted", wrong],
        `\`${role}\` is no contract role or member of this file`,
        { suggest: suggest(role, known) },
      );
    }
    return original === undefined
      ? undefined
      : replaceByUntrusted(original, contractsOf(this.#scope, roles), this.#world.labels);
  }

  #given(given: Record<string, unknown>, at: At): CaseFile | undefined {
    try {
      return buildCase(given, new GivenNames(this.#scope, this.#world.scopes, this.#world.labels));
    } catch (error) {
      if (!(error instanceof GivenError)) throw error;
      return this.#reporter.report("RL604", [...at, ...error.at], error.message, {
        suggest: error.suggestion,
        key: error.key,
      });
    }
  }

  #recorded(hash: string, at: At): CaseFile | undefined {
    const path = join(this.#world.recordingsDir, `${hash}.json`);
    if (!existsSync(path))
      return this.#reporter.report("RL604", at, `there is no recording of \`${hash.slice(0, 10)}…\``, {
        help: `\`txgloss record ${hash}\` writes it`,
      });
    try {
      return upgradeCase(JSON.parse(readFileSync(path, "utf8")) as CaseFile | CaseFileV1);
    } catch {
      return this.#reporter.report("RL604", at, `the recording of \`${hash.slice(0, 10)}…\` is not JSON`);
    }
  }

  #like(name: string, at: At, trail: readonly number[]): CaseFile | undefined {
    const index = this.#examples.findIndex((other) => other.name === name || other.tx === name);
    if (index < 0 && /^0x[0-9a-f]{64}$/.test(name)) return this.#recorded(name, at);
    if (index >= 0 && !trail.includes(index)) return this.#case(index, trail);
    const names = this.#examples.flatMap((other) => other.name ?? []);
    const message = index < 0 ? `\`${name}\` names no example of this file` : `\`${name}\` refers back to this example`;
    return this.#reporter.report("RL604", at, message, { suggest: index < 0 ? suggest(name, names) : undefined });
  }

  /** True when the rule of the example stands. */
  #compare(example: ExampleEntry, decision: Decision, at: At): boolean {
    const evidence = decision.evidence();
    const { explanation } = decision;
    const stands = (rule: string) => standsIn(evidence, this.#fullId(rule));
    if (example.rule !== undefined && !stands(example.rule))
      this.#reporter.report(
        "RL602",
        [...at, "rule"],
        `the rule \`${example.rule}\` was expected to stand; ${winners(evidence, this.#fullId(example.rule))}`,
      );
    if (example.not !== undefined && stands(example.not))
      this.#reporter.report(
        "RL602",
        [...at, "not"],
        `the rule \`${example.not}\` stands, but was not to: ${told(explanation.summary)}`,
      );
    if (example.action !== undefined && explanation.action_type !== example.action)
      this.#reporter.report(
        "RL602",
        [...at, "action"],
        `the action \`${example.action}\` was expected, \`${explanation.action_type}\` came out; ${winners(evidence)}`,
      );
    if (example.summary !== undefined && explanation.summary !== example.summary)
      this.#reporter.report(
        "RL602",
        [...at, "summary"],
        `the summary is ${told(explanation.summary)}; another one was expected; ${winners(evidence)}`,
      );
    if (example.rule !== undefined || example.not !== undefined) this.#knowRule(example, at);
    return example.rule !== undefined && stands(example.rule);
  }

  #knowRule(example: ExampleEntry, at: At): void {
    for (const field of ["rule", "not"] as const) {
      const name = example[field];
      if (name === undefined || this.#world.ruleset.rules.some((rule) => rule.id === this.#fullId(name))) continue;
      const own = (this.#scope.document.rules ?? []).map((rule) => rule.id);
      this.#reporter.report("RL604", [...at, field], `\`${name}\` is no rule`, { suggest: suggest(name, own) });
    }
  }

  #fullId(rule: string): string {
    return rule.includes("/") ? rule : `${this.#scope.document.protocol}/${rule}`;
  }
}

function standsIn(evidence: Evidence, id: string): boolean {
  return evidence.actions.some((action) => action.rule === id);
}

/** Which rules stand, and why the wanted one does not, as far as the evidence says. */
function winners(evidence: Evidence, wanted?: string): string {
  const standing = evidence.actions.map((action) => `\`${action.rule}\``).join(", ") || "no rule";
  const lost = evidence.superseded.find((entry) => entry.rule === wanted);
  const why =
    wanted === undefined
      ? ""
      : lost === undefined
        ? ", and it did not match"
        : `, and it lost to \`${lost.by}\`: ${lost.reason}`;
  return `${standing} ${evidence.actions.length > 1 ? "stand" : "stands"}${why}`;
}

function told(summary: string): string {
  return `\`${summary.replaceAll("`", "'")}\``;
}

/** A case that a stage changed would make the next example lie. */
function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
