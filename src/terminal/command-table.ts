import { type ParseArgsConfig, parseArgs } from "node:util";
import { suggest } from "../documents/suggest.ts";

/** A wrong command line. The message says what was expected. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** One command of a program. What it takes stands in `usage` alone: reading, help and completion follow it. */
export interface CommandEntry {
  /**
   * What may stand behind the name, such as `<hash>… [--json] [--rpc URL]…`. Capitals are the value of an option, `a|b` its only
   * values, `…` says that it may be given more than once. Lower-case words of their own (`[list | drop FILE]`) are to be typed as they are.
   */
  usage: string;
  /** One line, in the list of commands. */
  help: string;
  /** Whole lines that only the command's own help shows. */
  more?: string;
  /** What options mean here, where that differs from the program's `options`. */
  options?: Readonly<Record<string, string>>;
}

/** A program with all its commands, by their names. */
export interface Program {
  name: string;
  /** What it is, as a sentence. */
  about: string;
  commands: Readonly<Record<string, CommandEntry>>;
  /** The command that runs when the first word is no command's name. */
  fallback?: string;
  /** What options mean, by their names without `--`. */
  options: Readonly<Record<string, string>>;
  /** Whole lines at the end of the help: exit status and the like. */
  closing: string;
}

/** An option that a usage line names. */
export interface CommandOption {
  name: string;
  /** `DIR`, or `json|sarif` for one of these; null: it takes no value. */
  value: string | null;
  /** It may be given more than once. */
  many: boolean;
}

const optionPattern = /--([a-z][\w-]*)(?: ([A-Z][A-Z=]*|[\w-]+(?:\|[\w-]+)+))?\]?(…?)/g;

/** The options that a usage line names, in its order. */
export function optionsOf(usage: string): CommandOption[] {
  const found = [...usage.matchAll(optionPattern)];
  return found.map(([, name = "", value, mark]) => ({ name, value: value ?? null, many: mark === "…" }));
}

/** What may stand beside the options: words to be typed as they are, and paths. */
export function operandsOf(usage: string): { words: string[]; paths: "files" | "folders" | null } {
  const rest = usage.replace(optionPattern, "");
  const words = [...rest.replace(/<[^>]*>|\w+…/g, "").matchAll(/[a-z][\w-]+/g)].map(([word]) => word);
  const files = /<[^>]*(?:\.json|file)|paths…|\bFILE\b/.test(rest);
  return { words, paths: files ? "files" : rest.includes("<dir>") ? "folders" : null };
}

/**
 * The words of a command line and the options that `usage` names. An option that may be given more than once gives a list.
 * Throws UsageError.
 */
export function readOptions(
  args: readonly string[],
  usage: string,
): { values: Record<string, unknown>; positionals: string[] } {
  const known = optionsOf(usage);
  const options: ParseArgsConfig["options"] = {};
  for (const { name, value, many } of known)
    options[name] = { type: value === null ? "boolean" : "string", multiple: many };
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    // `--out "$FOLDER"` of a variable that is not set.
    const empty = known.find(({ name }) => [values[name]].flat().includes(""));
    if (empty !== undefined) throw new Error(`--${empty.name}`);
    return { values: { ...values }, positionals };
  } catch (error) {
    throw new UsageError(tellMistake(error as Error, known));
  }
}

/** One of the values that an option or a word may have. Throws UsageError that suggests one. */
export function oneOf<Word extends string>(given: string, known: readonly Word[], what: string): Word {
  if (known.includes(given as Word)) return given as Word;
  const close = suggest(given, known);
  const hint = close === undefined ? "" : `; did you mean ${close}?`;
  throw new UsageError(`${what} is one of ${known.join(", ")}, not ${JSON.stringify(given)}${hint}`);
}

/** What is wrong with the options, without the runtime's advice. */
function tellMistake({ message }: Error, known: readonly CommandOption[]): string {
  const [, name = ""] = /--([\w-]+)/.exec(message) ?? [];
  const option = known.find((one) => one.name === name);
  // Of an option that is known, only the value can be wrong.
  if (option !== undefined)
    return option.value === null ? `--${name} takes no value` : `--${name} needs a value: --${name} ${option.value}`;
  const [, text = `--${name}`] = /'(-[^']*)'/.exec(message) ?? [];
  const close = suggest(
    name,
    known.map((one) => one.name),
  );
  const list = known.map((one) => `--${one.name}`).join(", ");
  const takes = known.length === 0 ? "this command takes none" : `this command takes ${list}`;
  return `there is no option ${text} here; ${close === undefined ? takes : `did you mean --${close}?`}`;
}
