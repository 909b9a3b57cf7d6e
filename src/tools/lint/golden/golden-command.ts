import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type LintSources, SourceError } from "../sources.ts";
import type { OnFile } from "../with-progress.ts";
import { type CaseFolder, collectGolden } from "./collect-golden.ts";
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
