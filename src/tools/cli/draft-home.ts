import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { packageRoot } from "../../serve/settings/config.ts";
import { publishedSchema } from "../lint/scaffold/file-text.ts";
import { folderFor } from "../lint/scaffold/guess.ts";
import {
  defaultPaths,
  defaultRecordings,
  findSources,
  type LintSources,
  shippedPaths,
  shownPath,
} from "../lint/sources.ts";
import { UsageError } from "../terminal/command-table.ts";
import { folderProblem } from "../terminal/file-problem.ts";

/**
 * Where a draft goes: the folder rules here. With a table of actions it is a whole set with families; else its rules add to the package's.
 * Throws UsageError for an unknown family, and inside the npm package.
 */
export function openDraftHome(family: string | undefined) {
  const inside = holds(packageRoot, process.cwd());
  const checkout = inside && existsSync(defaultRecordings());
  if (inside && !checkout)
    throw new UsageError(
      "here is the npm package itself; start rule-lint new in a folder of your own (inside_package)",
    );
  const whole = defaultPaths().find(
    (path) => existsSync(join(path, "actions.yaml")) && (checkout || !holds(packageRoot, resolve(path))),
  );
  const root = whole ?? "rules";
  const families = [root, ...(whole === undefined ? shippedPaths() : [])].flatMap(foldersOf);
  if (family !== undefined && !families.includes(family))
    throw new UsageError(`--family is one of ${[...new Set(families)].sort().join(", ")}`);
  return {
    sources: whole === undefined ? sourcesBeside() : findSources(defaultPaths()),
    /** In the draft's first line; undefined: the one beside the rules. */
    schema: whole === undefined ? publishedSchema : undefined,
    pathOf: (protocol: string, action: string) =>
      join(root, family ?? (whole === undefined ? "" : folderFor(action)), `${protocol}.yaml`),
    /** undefined: those of a checkout. */
    stepsFor: (file: string, protocol: string, recordings: string | null) =>
      checkout ? undefined : ownSteps(file, protocol, { beside: whole === undefined, recordings }),
  };
}

/** Where recordings are read and written: the given folder, else one here. Throws UsageError for a file. */
export function recordingFolders(given: string | undefined): { read: string[]; write: string } {
  const wrong = given !== undefined && existsSync(given) ? folderProblem(given) : undefined;
  if (wrong !== undefined) throw new UsageError(wrong);
  if (given !== undefined) return { read: [given], write: given };
  const own = [join("test", "transactions"), "recordings"].filter((path) => existsSync(path));
  return { read: [...own, defaultRecordings()], write: own[0] ?? "recordings" };
}

/** The author's files and those of the package to which they add. */
function sourcesBeside(): LintSources {
  const own = ["rules", "labels"].filter(
    (path) => existsSync(path) && readdirSync(path, { recursive: true }).some((name) => /\.ya?ml$/.test(String(name))),
  );
  return own.length === 0 ? findSources(shippedPaths()) : findSources(own, ["shipped"]);
}

function ownSteps(
  file: string,
  protocol: string,
  { beside, recordings }: { beside: boolean; recordings: string | null },
): string[] {
  const added = beside ? " --with shipped" : "";
  const elsewhere = recordings !== null && resolve(recordings) !== resolve(defaultRecordings());
  const recorded = elsewhere ? ` --recordings ${shownPath(recordings)}` : "";
  return [
    `npx rule-lint ${file}${added}${recorded}`,
    `npx rule-lint --mutate ${file}${added}${recorded}`,
    `npx rule-lint order rules --of ${protocol}${added}`,
    `npx rule-lint golden rules --golden golden --write${added}${recorded}`,
  ];
}

function foldersOf(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? one.name : []));
}

function holds(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`);
}
