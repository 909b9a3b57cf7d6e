import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { suggest } from "../../rules/documents/suggest.ts";
import type { LabelFile } from "../../rules/labels/load.ts";
import { ruleSchema, tableSchemas } from "../../rules/ruleset/document/rule-schemas.ts";
import { listYaml } from "../../rules/ruleset/load.ts";
import type { RuleSource } from "../../rules/ruleset/rule-cache.ts";
import { ruleLint } from "./program.ts";

/** Rules are compiled as a whole set; `wanted`: files whose findings are reported. */
export interface LintSources {
  rules: RuleSource[];
  labels: LabelFile[];
  wanted: ReadonlySet<string>;
  /** By rule file, relative to it. */
  schemas?: ReadonlyMap<string, string>;
}

/** Status 2: a path that cannot be read, for example. */
export class SourceError extends Error {
  override readonly name: string = "SourceError";
}

const packageRoot = fileURLToPath(new URL("../../..", import.meta.url));
const actionTable = "actions.yaml";

/**
 * A rule file belongs to the nearest folder above with an actions.yaml, and is compiled with all of it; else alone, with the tables of the
 * package. `base`: folders without findings of their own; `shipped`: the package's. Throws {@link SourceError}.
 */
export function findSources(paths: readonly string[], base: readonly string[] = []): LintSources {
  const wanted = paths.flatMap(listFiles);
  if (wanted.length === 0) throw new SourceError(`there is no YAML file in ${paths.join(", ")}`);
  const texts = new Map<string, string>();
  const read = (path: string): string => {
    const text = texts.get(path) ?? reading(shownPath(path), () => readFileSync(path, "utf8"));
    texts.set(path, text);
    return text;
  };
  const labels = wanted.filter((path) => isLabelFile(read(path)));
  const rules = wanted.filter((path) => !labels.includes(path));
  const roots = new Set(rules.map(rulesRoot));
  const whole = [...roots].flatMap((root) => (root === undefined ? [] : listYaml(root)));
  const below = base.flatMap((path) => (path === "shipped" ? shippedPaths() : [path])).flatMap(listFiles);
  const isLabel = (path: string) => isLabelFile(read(path));
  const ruleFiles = [...new Set([...below.filter((path) => !isLabel(path)), ...whole, ...rules])];
  for (const table of tableSchemas.keys())
    if (!ruleFiles.some((path) => basename(path) === table)) ruleFiles.push(join(packageRoot, "rules", table));
  const own = labels.length > 0 || base.length > 0 ? labels : listYaml(labelsBeside([...roots][0]));
  const labelFiles = [...new Set([...below.filter(isLabel), ...own])];
  return {
    rules: ruleFiles.map((path) => ({ file: shownPath(path), text: read(path) })),
    labels: labelFiles.map((path) => ({ path: shownPath(path), text: read(path) })),
    wanted: new Set(wanted.map(shownPath)),
    schemas: new Map(ruleFiles.flatMap((path) => schemaOf(path) ?? [])),
  };
}

/** The folder in a checkout; the installed package has none. */
export function defaultRecordings(): string {
  return join(packageRoot, "test", "transactions");
}

/**
 * Given, else the package's, perhaps missing. Throws {@link SourceError} for the rules of an installed package: their examples need
 * recordings.
 */
export function recordingsFor(paths: readonly string[], given: string | undefined): string {
  const folder = given ?? defaultRecordings();
  if (paths.length === 0 && ownPaths().length === 0 && !existsSync(folder))
    throw new SourceError(
      "the package holds no recordings, which the examples of its rules need: name rule files or folders of your own, or a folder of recordings by --recordings DIR (no_recordings)",
    );
  return folder;
}

/** `rules` and `labels` here, else the package's. */
export function defaultPaths(): string[] {
  const own = ownPaths();
  return own.length > 0 ? own : shippedPaths();
}

function ownPaths(): string[] {
  return ["rules", "labels"].filter((path) => existsSync(path));
}

/** Arguments that are no paths are ignored. */
export function watchedFolders(args: readonly string[]): string[] {
  const paths = args.filter((path) => existsSync(path)).map((path) => resolve(path));
  const given = paths.length > 0 ? paths : defaultPaths().map((path) => resolve(path));
  const folders = given.map((path) => rulesRoot(path) ?? (statSync(path).isDirectory() ? path : dirname(path)));
  const distinct = [...new Set(folders)];
  return distinct.filter((one) => !distinct.some((other) => one !== other && one.startsWith(`${other}${sep}`)));
}

export function shippedPaths(): string[] {
  return ["rules", "labels"].map((name) => join(packageRoot, name));
}

function listFiles(path: string): string[] {
  const absolute = resolve(path);
  // An empty path would mean the current folder. Most often it is a shell variable that is not set.
  if (path === "") throw new SourceError("the path is empty");
  if (!existsSync(absolute)) throw new SourceError(missing(path));
  return reading(path, () => (statSync(absolute).isDirectory() ? listYaml(absolute) : [absolute]));
}

/** A single word may be a mistyped command. */
function missing(path: string): string {
  if (!/^[a-z-]+$/.test(path)) return `there is no file or folder ${path}`;
  const close = suggest(path, Object.keys(ruleLint.commands));
  return `there is no command, file or folder ${path}${close === undefined ? "" : `; did you mean ${close}?`}`;
}

/** Throws {@link SourceError} with the reason. */
function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new SourceError(`${path} cannot be read (${reason})`);
  }
}

/** They begin with `schema: tokens/v1` or similar; rule files have no such key. */
function isLabelFile(text: string): boolean {
  return /^schema:/m.test(text);
}

function rulesRoot(path: string): string | undefined {
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    if (existsSync(join(dir, actionTable))) return dir;
    if (dir === dirname(dir)) return undefined;
  }
}

/** The schema of schemas/ beside the folder with actions.yaml. */
function schemaOf(path: string): [[string, string]] | undefined {
  const root = rulesRoot(path);
  if (root === undefined) return undefined;
  const { name } = tableSchemas.get(basename(path)) ?? ruleSchema;
  const schema = join(dirname(root), "schemas", name);
  return existsSync(schema) ? [[shownPath(path), relative(dirname(path), schema).split(sep).join("/")]] : undefined;
}

function labelsBeside(root: string | undefined): string {
  const beside = root === undefined ? undefined : join(dirname(root), "labels");
  return beside !== undefined && existsSync(beside) ? beside : join(packageRoot, "labels");
}

/** Relative, with forward slashes. */
export function shownPath(path: string): string {
  return relative(process.cwd(), path).split(sep).join("/");
}
