import { parseArgs } from "node:util";
import { suggest } from "../../rules/documents/suggest.ts";
import { formatFields } from "./table.ts";

/** A wrong command line. The message says what was expected. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** An option as `parseArgs` of node:util takes it, with what its usage line and its help say. */
export interface CommandOption {
  type: "boolean" | "string";
  multiple?: true;
  default?: false | string[];
  /** What stands for the value in the usage line, such as `DIR`, or the only words that it may be. */
  value?: string | readonly string[];
  meaning: string;
  /** One of the options with this mark has to be given. The command itself checks it. */
  needed?: true;
}

export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** An option without a value; false where it is not given. */
export function flag(meaning: string) {
  return { type: "boolean", default: false, meaning } as const;
}

/** An option with one value; undefined where it is not given. */
export function valued(value: string | readonly string[], meaning: string) {
  return { type: "string", value, meaning } as const;
}

/** An option that may be given more than once. Its value is a list, empty where it is not given. */
export function repeated(value: string, meaning: string) {
  return { type: "string", multiple: true, default: [] as string[], value, meaning } as const;
}

/** One command of a program: what it takes. Reading, usage and help are made from it. */
export interface CommandEntry {
  /** The words after the name, as the usage line shows them, such as `<hash>…`. */
  operands: string;
  options: CommandOptions;
  /** One line for the list of commands. */
  help: string;
  /** More lines, shown only in the command's own help. */
  more?: string;
}

/** A program with all its commands, by their names. */
export interface Program {
  name: string;
  /** What the program does, as a sentence. */
  about: string;
  commands: Readonly<Record<string, CommandEntry>>;
  /** The command that runs when the first word is not the name of a command. */
  fallback?: string;
  /** Lines at the end of the help, such as exit statuses. */
  closing: string;
}

/** Reads the words and options after the name of a command. Throws UsageError. */
export function readOptions<Options extends CommandOptions>(args: readonly string[], options: Options) {
  // parseArgs says nothing of an empty value, and its own messages tell a user how to call parseArgs.
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  for (const token of tokens) if (token.kind === "option") refuseMistake(token, options);
  return parseArgs({ args, options, allowPositionals: true });
}

/** The values that `readOptions` gives for these options. */
export type OptionValues<Options extends CommandOptions> = ReturnType<typeof readOptions<Options>>["values"];

function refuseMistake(
  { name, rawName, value, inlineValue }: { name: string; rawName: string; value?: string; inlineValue?: boolean },
  options: CommandOptions,
): void {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) throw new UsageError(unknownOption(rawName, Object.keys(options)));
  if (option.type === "boolean") {
    if (value !== undefined) throw new UsageError(`--${name} takes no value`);
    return;
  }
  // `--out "$FOLDER"` with a variable that is not set, or `--out --json`. A value that begins with a hyphen is given as `--out=-x`.
  const missing = value === undefined || value === "" || (!inlineValue && /^-./.test(value));
  if (missing) throw new UsageError(`--${name} needs a value: --${name} ${placeholder(option)}`);
}

function unknownOption(rawName: string, known: readonly string[]): string {
  const close = rawName.startsWith("--") ? suggest(rawName.slice(2), known) : undefined;
  const takes = known.length === 0 ? "none" : known.map((name) => `--${name}`).join(", ");
  const hint = close === undefined ? `this command takes ${takes}` : `did you mean --${close}?`;
  return `there is no option ${rawName} here; ${hint}`;
}

/** Checks that a value is one of the known ones, and gives it. Throws UsageError, with a suggestion where one is close. */
export function oneOf<Word extends string>(given: string, known: readonly Word[], what: string): Word {
  if (known.includes(given as Word)) return given as Word;
  const close = suggest(given, known);
  const hint = close === undefined ? "" : `; did you mean ${close}?`;
  throw new UsageError(`${what} is one of ${known.join(", ")}, not ${JSON.stringify(given)}${hint}`);
}

/** The width of help texts in columns: a little more than a common terminal has. */
const columns = 100;

/** The text of the program's `--help`: every command on one line, and how to read more. */
export function programHelp({ name, about, commands, fallback, closing }: Program): string {
  const list = formatFields(
    Object.entries(commands).map(([command, { help }]) => [`  ${command}`, help]),
    columns,
  );
  const plain = fallback === undefined ? "" : `       ${name} [${fallback}] [paths and options]\n`;
  return `${about}

usage: ${name} <command> [words and options]
${plain}       ${name} --help | --version

${list}
\`${name} <command> --help\` tells what a command takes.

${closing}`;
}

/** The text of a command's `--help`: its usage, what it does, and each option. */
export function commandHelp(program: Program, command: string): string {
  const { operands, options, help, more } = program.commands[command] as CommandEntry;
  const name = command === program.fallback ? `[${command}]` : command;
  const meanings = Object.entries(options).map(([option, { value, meaning, multiple }]): [string, string] => {
    // A list of words is too long for the column of names, so it goes before the meaning.
    const [given, list] = Array.isArray(value) ? ["…", `${value.join("|")}: `] : [value ?? "", ""];
    return [`  --${option} ${given}`.trimEnd(), `${list}${meaning}${multiple ? "; may be given more than once" : ""}`];
  });
  return [
    usageLines([program.name, name, operands, ...usageOf(options)]),
    `${help.charAt(0).toUpperCase()}${help.slice(1)}.\n`,
    ...(more === undefined ? [] : [more]),
    ...(meanings.length === 0 ? [] : [formatFields(meanings, columns)]),
  ].join("\n");
}

/** The options as the usage line shows them: `(--tx HASH | --message FILE)` where one is needed, `[--json]`, `[--rpc URL]…`. */
function usageOf(options: CommandOptions): string[] {
  const all = Object.entries(options).map(([name, option]) => ({
    ...option,
    text: `--${name} ${placeholder(option)}`.trimEnd(),
  }));
  const needed = all.filter((option) => option.needed).map(({ text }) => text);
  const free = all.filter((option) => !option.needed).map(({ text, multiple }) => `[${text}]${multiple ? "…" : ""}`);
  return needed.length === 0 ? free : [`(${needed.join(" | ")})`, ...free];
}

function placeholder({ value = "" }: CommandOption): string {
  return typeof value === "string" ? value : value.join("|");
}

/** The usage, broken into lines between its parts. */
function usageLines(parts: readonly string[]): string {
  const whole = parts.filter((part) => part !== "").map((part) => part.replaceAll(" ", "\u00a0"));
  return formatFields([["usage:", whole.join(" ")]], columns).replaceAll("\u00a0", " ");
}

/** The command of a command line, or the program's fallback; undefined when there is neither. */
export function commandNamed({ commands, fallback }: Program, [name]: readonly string[]): string | undefined {
  if (name !== undefined && Object.hasOwn(commands, name)) return name;
  return fallback;
}

/** A hint where to read more after a mistake in a command line. */
export function helpHint(program: Program, args: readonly string[]): string {
  const command = commandNamed(program, args);
  return `${[program.name, ...(command === undefined ? [] : [command])].join(" ")} --help says more.`;
}

/** Whether a command line asks for help. */
export function asksForHelp(args: readonly string[]): boolean {
  return args[0] === "help" || args.some((word) => word === "--help" || word === "-h");
}

/** The help for a command line such as `explain --help` or `help explain`. */
export function helpFor(program: Program, args: readonly string[]): string {
  const words = args.filter((word) => word !== "help" && !word.startsWith("-"));
  const [name] = words;
  return name !== undefined && Object.hasOwn(program.commands, name)
    ? commandHelp(program, name)
    : programHelp(program);
}
