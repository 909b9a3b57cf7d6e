import { type ParseArgsConfig, parseArgs } from "node:util";
import { suggest } from "../documents/suggest.ts";

/** A wrong command line. The message says what was expected. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** One command of a program. `usage` is the only place that says what it takes: reading, help and completion are made from it. */
export interface CommandEntry {
  /**
   * The words and options after the name, such as `<hash>… [--json] [--rpc URL]…`. Capitals stand for the value of an option. `a|b`: these
   * are its only values. `…`: it may be given more than once. Lower-case words by themselves (`[list | drop FILE]`) are typed as they are.
   */
  usage: string;
  /** One line for the list of commands. */
  help: string;
  /** More lines, shown only in the command's own help. */
  more?: string;
  /** The meaning of options in this command, where it differs from the program's `options`. */
  options?: Readonly<Record<string, string>>;
}

/** A program with all its commands, by their names. */
export interface Program {
  name: string;
  /** What the program does, as a sentence. */
  about: string;
  commands: Readonly<Record<string, CommandEntry>>;
  /** The command that runs when the first word is not the name of a command. */
  fallback?: string;
  /** The meaning of options, by their names without `--`. */
  options: Readonly<Record<string, string>>;
  /** Lines at the end of the help, such as exit statuses. */
  closing: string;
}

/** An option that a usage line names. */
export interface CommandOption {
  name: string;
  /** `DIR`, or `json|sarif` for one of these; null: it takes no value. */
  value: string | null;
  /** Whether it may be given more than once. */
  many: boolean;
}

const optionPattern = /--([a-z][\w-]*)(?: ([A-Z][A-Z=]*|[\w-]+(?:\|[\w-]+)+))?\]?(…?)/g;

/** The options in a usage line, in their order. */
export function optionsOf(usage: string): CommandOption[] {
  const found = [...usage.matchAll(optionPattern)];
  return found.map(([, name = "", value, mark]) => ({ name, value: value ?? null, many: mark === "…" }));
}

/** The operands in a usage line: words that are typed as they are, and paths. */
export function operandsOf(usage: string): { words: string[]; paths: "files" | "folders" | null } {
  const rest = usage.replace(optionPattern, "");
  const words = [...rest.replace(/<[^>]*>|\w+…/g, "").matchAll(/[a-z][\w-]+/g)].map(([word]) => word);
  const files = /<[^>]*(?:\.json|file)|paths…|\bFILE\b/.test(rest);
  return { words, paths: files ? "files" : rest.includes("<dir>") ? "folders" : null };
}

/**
 * Reads a command line: its words, and the options that `usage` names. An option that may be given more than once gives a list. Throws
 * UsageError.
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
    // An empty value, as in `--out "$FOLDER"` with a variable that is not set.
    const empty = known.find(({ name }) => [values[name]].flat().includes(""));
    if (empty !== undefined) throw new Error(`--${empty.name}`);
    return { values: { ...values }, positionals };
  } catch (error) {
    throw new UsageError(tellMistake(error as Error, known));
  }
}

/** Checks that a value is one of the known ones, and gives it. Throws UsageError, with a suggestion where one is close. */
export function oneOf<Word extends string>(given: string, known: readonly Word[], what: string): Word {
  if (known.includes(given as Word)) return given as Word;
  const close = suggest(given, known);
  const hint = close === undefined ? "" : `; did you mean ${close}?`;
  throw new UsageError(`${what} is one of ${known.join(", ")}, not ${JSON.stringify(given)}${hint}`);
}

/** Says what is wrong with the options, without the advice that Node.js adds. */
function tellMistake({ message }: Error, known: readonly CommandOption[]): string {
  const [, name = ""] = /--([\w-]+)/.exec(message) ?? [];
  const option = known.find((one) => one.name === name);
  // The option is known, so only its value can be wrong.
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
