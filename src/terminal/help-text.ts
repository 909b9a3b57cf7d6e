import { type CommandEntry, optionsOf, type Program } from "./command-table.ts";
import { formatFields } from "./table.ts";

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
\`${name} <command> --help\` tells what a command takes. \`${name} completion --help\` tells how a shell completes it.

${closing}`;
}

/** The text of a command's `--help`: its usage, what it does, and each option. */
export function commandHelp(program: Program, command: string): string {
  const entry = program.commands[command] as CommandEntry;
  const { usage, help, more } = entry;
  const name = command === program.fallback ? `[${command}]` : command;
  const options = optionsOf(usage).map(({ name: option, value, many }): [string, string] => {
    const meaning = entry.options?.[option] ?? program.options[option] ?? "";
    // A list of words is too long for the column of names, so it goes before the meaning.
    const list = value?.includes("|") ? `${value}: ` : "";
    const given = value === null ? "" : list === "" ? ` ${value}` : " …";
    return [`  --${option}${given}`, `${list}${meaning}${many ? "; may be given more than once" : ""}`];
  });
  return [
    usageLines(`${program.name} ${name} ${usage}`.trimEnd()),
    `${help.charAt(0).toUpperCase()}${help.slice(1)}.\n`,
    ...(more === undefined ? [] : [more]),
    ...(options.length === 0 ? [] : [formatFields(options, columns)]),
  ].join("\n");
}

/** The usage, broken into lines. Text in brackets is not broken. */
function usageLines(usage: string): string {
  const whole = usage.replace(/\[[^\]]*\]/g, (part) => part.replaceAll(" ", "\u00a0"));
  return formatFields([["usage:", whole]], columns).replaceAll("\u00a0", " ");
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
