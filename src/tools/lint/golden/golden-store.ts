import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { SourceError, shownPath } from "../sources.ts";
import { formatGolden, type GoldenAnswer, parseGolden } from "./golden-answer.ts";
import type { GoldenFiles } from "./golden-change.ts";

/** Empty when the folder is missing. Throws {@link SourceError} for a broken file. */
export function readGolden(dir: string): GoldenFiles {
  const names = existsSync(dir) ? readdirSync(dir, { recursive: true, encoding: "utf8" }) : [];
  return parseAll(names, (name) => readFileSync(join(dir, name), "utf8"));
}

/** Throws {@link SourceError} where git fails or a file is broken. */
export function readGoldenAt(revision: string, dir: string): GoldenFiles {
  git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
  const listed = git(["ls-tree", "-r", "-z", "--name-only", revision, "--", dir]);
  const names = listed.split("\0").map((path) => relative(dir, resolve(path)));
  return parseAll(names, (name) => git(["show", `${revision}:./${shownPath(join(dir, name))}`]));
}

/** Removes those of rule files that are gone. Throws {@link SourceError}, before any change, for a rule file above the current folder. */
export function writeGolden(dir: string, golden: GoldenFiles): void {
  const outside = [...golden.keys()].find((name) => relative(dir, join(dir, name)).startsWith(".."));
  if (outside !== undefined)
    throw new SourceError(
      `${outside.replace(/txt$/, "yaml")} is not below this folder; go to a folder above the rules`,
    );
  for (const name of readGolden(dir).keys())
    if (name.startsWith("rules/") && !golden.has(name)) rmSync(join(dir, name));
  for (const [name, answers] of golden) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), formatGolden(answers));
  }
}

function parseAll(names: readonly string[], read: (name: string) => string): GoldenFiles {
  const texts = names.filter((name) => name.endsWith(".txt"));
  return new Map(texts.map((name) => [name.split(sep).join("/"), parse(name, read(name))]));
}

function parse(name: string, text: string): GoldenAnswer[] {
  try {
    return parseGolden(text);
  } catch (error) {
    throw new SourceError(`${name} is no golden file: ${(error as Error).message}`);
  }
}

function git(args: readonly string[]): string {
  try {
    return execFileSync("git", args, { encoding: "utf8", maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    const reason = stderr?.trim() || "it names no commit";
    throw new SourceError(`git ${args.find((arg) => !arg.startsWith("-"))} failed: ${reason}`);
  }
}
