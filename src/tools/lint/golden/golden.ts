import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { decide } from "../../../engine/spine.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import { uniqueNames } from "../distinct-names.ts";
import { deriveAttemptCases } from "../examples/attempt-case.ts";
import { exampleCases } from "../examples/examples.ts";
import { readRecording } from "../examples/recording.ts";
import { type LintSources, SourceError } from "../sources.ts";
import { type OnFile, openSources, refuseMistakes, withProgress } from "../world.ts";
import { type GoldenAnswer, goldenAnswer } from "./golden-answer.ts";
import { compareGolden, formatChanges, type GoldenFiles } from "./golden-change.ts";
import { readGolden, readGoldenAt, writeGolden } from "./golden-store.ts";

interface GoldenOptions {
  dir: string;
  write: boolean;
  /** A git revision to compare with; null: the folder's files. */
  since: string | null;
  /** `NAME=DIR` */
  cases: readonly string[];
  onFile?: OnFile | undefined;
}

/** `changed`: differences that were not written. Throws SourceError. */
export function runGolden(sources: LintSources, recordings: string, options: GoldenOptions) {
  const dir = resolve(options.dir);
  const recorded = existsSync(recordings) ? [{ name: "recordings", dir: recordings }] : [];
  const folders = [...recorded, ...options.cases.map(readFolder)];
  // Read first, so that a wrong revision is reported at once.
  const before = options.since === null ? readGolden(dir) : readGoldenAt(options.since, dir);
  const now = collectGolden(sources, { recordings, folders, onFile: options.onFile });
  const changes = compareGolden(within(before, sources, now), now);
  if (options.write) writeGolden(dir, now);
  return { text: formatChanges(changes), changed: changes.length > 0 && !options.write };
}

/** Drops files that this run cannot compare: rule files that were not asked for, and missing folders of cases. */
function within(before: GoldenFiles, { wanted, rules }: LintSources, now: GoldenFiles): GoldenFiles {
  const whole = rules.every(({ file }) => wanted.has(file));
  return new Map([...before].filter(([name]) => now.has(name) || (whole && name.startsWith("rules/"))));
}

function readFolder(text: string): CaseFolder {
  const [, name, dir] = /^([a-z0-9/-]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || dir === undefined || !existsSync(dir))
    throw new SourceError(`--cases expects NAME=DIR with a folder that is there, got ${JSON.stringify(text)}`);
  return { name, dir };
}

/** `<hash>.json`; `name`: of the golden file. */
export interface CaseFolder {
  name: string;
  dir: string;
}

/**
 * Every example, every reverted call of attempts, and every case of the folders. One golden file a rule file, so that pull requests do not
 * collide. Throws SourceError for rules with mistakes.
 */
export function collectGolden(
  sources: LintSources,
  { recordings, folders, onFile }: { recordings: string; folders: readonly CaseFolder[]; onFile?: OnFile | undefined },
): GoldenFiles {
  const { loaded, wanted, world } = openSources(sources, recordings);
  refuseMistakes(loaded.diagnostics);
  const { ruleset, labels } = world;
  const answer = ({ name, caseFile }: { name: string; caseFile: CaseFile }) =>
    goldenAnswer(name, decide(caseFile, ruleset, labels));
  const golden = new Map<string, GoldenAnswer[]>();
  for (const file of withProgress(wanted, onFile)) {
    const examples = exampleCases(file, world).map(({ example: { name, tx }, caseFile }, index) => {
      return { name: name ?? tx ?? `example ${index + 1}`, caseFile };
    });
    const answers = [...examples, ...deriveAttemptCases(file, world)].map(answer);
    // Examples need no name, and two examples may use the same recording.
    const names = uniqueNames(answers.map(({ name }) => name));
    const named = answers.map((one, i) => ({ ...one, name: names[i] as string }));
    if (named.length > 0) golden.set(file.source.file.replace(/\.ya?ml$/, ".txt"), named);
  }
  for (const { name, dir } of folders) {
    const cases = readdirSync(dir).filter((entry) => entry.endsWith(".json"));
    const answers = cases.sort().map((entry) => {
      const caseFile = readRecording(join(dir, entry));
      if ("problem" in caseFile) throw new SourceError(`${join(dir, entry)} ${caseFile.problem}`);
      return answer({ name: entry.replace(/\.json$/, ""), caseFile });
    });
    golden.set(`${name}.txt`, answers);
  }
  return golden;
}
