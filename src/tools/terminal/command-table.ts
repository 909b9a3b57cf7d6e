import { parseArgs } from "node:util";
import { suggest } from "../../rules/documents/suggest.ts";
import { formatFields } from "./table.ts";

/** The message says what was expected. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** As `parseArgs` of node:util takes it, with words for usage and help. */
export interface CommandOption {
  type: "boolean" | "string";
  multiple?: true;
  default?: false | string[];
  /** Such as `DIR`, or the only allowed words. */
  value?: string | readonly string[];
  meaning: string;
  /** One of those with this mark is required; the command checks it. */
  needed?: true;
}

export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** No value; false when missing. */
export function flag(meaning: string) {
  return { type: "boolean", default: false, meaning } as const;
}

/** undefined when missing. */
export function valued(value: string | readonly string[], meaning: string) {
  return { type: "string", value, meaning } as const;
}

/** A list, empty when missing. */
export function repeated(value: string, meaning: string) {
  return { type: "string", multiple: true, default: [] as string[], value, meaning } as const;
}

/** Reading, usage and help come from it. */
export interface CommandEntry {
  /** For the usage line, such as `<hash>…`. */
  operands: string;
  options: CommandOptions;
  /** One line. */
  help: string;
  /** Only in the command's own help. */
  more?: string;
}

export interface Program {
  name: string;
  /** A sentence. */
  about: string;
  commands: Readonly<Record<string, CommandEntry>>;
  /** Where the first word names no command. */
  fallback?: string;
  /** Such as exit statuses. */
  closing: string;
}

/** After the name of a command. Throws UsageError. */
export function readOptions<Options extends CommandOptions>(args: readonly string[], options: Options) {
  // parseArgs says nothing of an empty value, and its own messages tell a user how to call parseArgs.
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  for (const token of tokens) if (token.kind === "option") refuseMistake(token, options);
  return parseArgs({ args, options, allowPositionals: true });
}

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

/** Throws UsageError, with a suggestion where one is close. */
export function oneOf<Word extends string>(given: string, known: readonly Word[], what: string): Word {
  if (known.includes(given as Word)) return given as Word;
  const close = suggest(given, known);
  const hint = close === undefined ? "" : `; did you mean ${close}?`;
  throw new UsageError(`${what} is one of ${known.join(", ")}, not ${JSON.stringify(given)}${hint}`);
}

/** A little more than a common terminal. */
const columns = 100;

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

/** `(--tx HASH | --message FILE)` where one is required, `[--json]`, `[--rpc URL]…`. */
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

function usageLines(parts: readonly string[]): string {
  const whole = parts.filter((part) => part !== "").map((part) => part.replaceAll(" ", "\u00a0"));
  return formatFields([["usage:", whole.join(" ")]], columns).replaceAll("\u00a0", " ");
}

/** The named command, or the fallback. */
export function commandNamed({ commands, fallback }: Program, [name]: readonly string[]): string | undefined {
  if (name !== undefined && Object.hasOwn(commands, name)) return name;
  return fallback;
}

export function helpHint(program: Program, args: readonly string[]): string {
  const command = commandNamed(program, args);
  return `${[program.name, ...(command === undefined ? [] : [command])].join(" ")} --help says more.`;
}

export function asksForHelp(args: readonly string[]): boolean {
  return args[0] === "help" || args.some((word) => word === "--help" || word === "-h");
}

/** `explain --help` or `help explain`. */
export function helpFor(program: Program, args: readonly string[]): string {
  const words = args.filter((word) => word !== "help" && !word.startsWith("-"));
  const [name] = words;
  return name !== undefined && Object.hasOwn(program.commands, name)
    ? commandHelp(program, name)
    : programHelp(program);
}
