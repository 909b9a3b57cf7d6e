import { type CommandOption, operandsOf, optionsOf, type Program } from "./command-table.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** What a shell may offer after a command. It is read from the table of commands once, for all shells. */
interface Offer extends ReturnType<typeof operandsOf> {
  command: string;
  help: string;
  options: (CommandOption & { meaning: string })[];
}

/** How to use the completion scripts of a program, for its help. */
export function completionHelp(name: string): string {
  return `  bash   source <(${name} completion bash)      in ~/.bashrc
  zsh    source <(${name} completion zsh)       in ~/.zshrc, after compinit
  fish   ${name} completion fish > ~/.config/fish/completions/${name}.fish
`;
}

/** The script with which a shell completes the commands, options and paths of a program. */
export function completionScript(program: Program, shell: Shell): string {
  const offers = Object.entries(program.commands).map(([command, { usage, help, options: own }]): Offer => {
    const options = optionsOf(usage).map((one) => ({
      ...one,
      meaning: own?.[one.name] ?? program.options[one.name] ?? "",
    }));
    const asked = { name: "help", value: null, many: false, meaning: "what the command takes" };
    return { command, help, options: [...options, asked], ...operandsOf(usage) };
  });
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](program, offers);
}

/** What the value of an option may be: some words, or paths. */
function takenBy(value: string): Pick<Offer, "words" | "paths"> {
  if (value.includes("|")) return { words: value.split("|"), paths: null };
  const folder = value === "DIR" || value === "FOLDER";
  return { words: [], paths: folder ? "folders" : value.includes("FILE") || value.includes("DIR") ? "files" : null };
}

function bashScript({ name, fallback }: Program, offers: readonly Offer[]): string {
  const id = `_${name.replaceAll("-", "_")}`;
  const commands = offers.map(({ command }) => command).join(" ");
  const values = offers.flatMap(({ command, options }) =>
    options.flatMap(({ name: option, value }) => {
      if (value === null) return [];
      const { words, paths } = takenBy(value);
      return [`    '${command} --${option}') words='${words.join(" ")}' paths=${paths ?? "none"} options= ;;`];
    }),
  );
  const takes = offers.map(({ command, options, words, paths }) => {
    const names = options.map((one) => `--${one.name}`).join(" ");
    return `      ${command}) words='${words.join(" ")}' paths=${paths ?? "none"} options='${names}' ;;`;
  });
  return `# bash completion of ${name}
${id}() {
  local IFS=$' \\t\\n' current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  local words= paths=none options=
  case " ${commands} " in
    *" $command "*) ;;
    *) command=${fallback ?? "none"} ;;
  esac
  case "$command $previous" in
${values.join("\n")}
    *) case $command in
${takes.join("\n")}
    esac
    ((COMP_CWORD == 1)) && words='${commands}' ;;
  esac
  ((COMP_CWORD == 1)) && options+=' --help --version'
  [[ $current == -* ]] && words=$options paths=none
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  IFS=$'\\n'
  case $paths in
    files) compopt -o filenames 2> /dev/null; COMPREPLY+=($(compgen -f -- "$current")) ;;
    folders) compopt -o filenames 2> /dev/null; COMPREPLY+=($(compgen -d -- "$current")) ;;
  esac
}
complete -F ${id} ${name}
`;
}

function zshScript({ name, fallback }: Program, offers: readonly Offer[]): string {
  const id = `_${name.replaceAll("-", "_")}`;
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = (text: string) => text.replaceAll(/[[\]:\\]/g, (mark) => `\\${mark}`);
  const action = ({ words, paths }: Pick<Offer, "words" | "paths">) =>
    paths === "files" ? "_files" : paths === "folders" ? "_files -/" : words.length > 0 ? `(${words.join(" ")})` : " ";
  const specs = ({ options, words, paths }: Offer) => [
    ...options.map(({ name: option, value, many, meaning }) => {
      const behind = value === null ? "" : `:${escaped(value)}:${action(takenBy(value))}`;
      return quoted(`${many ? "*" : ""}--${option}[${escaped(meaning)}]${behind}`);
    }),
    ...(words.length > 0 ? [quoted(`1:word:(${words.join(" ")})`)] : []),
    ...(paths === null ? [] : [quoted(`*:path:${action({ words: [], paths })}`)]),
  ];
  const branch = (offer: Offer) => `    ${offer.command}) _arguments ${specs(offer).join(" ")} ;;`;
  const plain = offers.find(({ command }) => command === fallback);
  return `#compdef ${name}
${id}() {
  local -a commands
  commands=(${offers.map(({ command, help }) => quoted(`${command}:${help.replaceAll(":", "\\:")}`)).join(" ")})
  if (( CURRENT == 2 )); then
    _describe command commands
    ${plain === undefined ? "_arguments '--help[how to use it]' '--version'" : `_arguments ${specs(plain).join(" ")}`}
    return
  fi
  local command=${fallback ?? "none"}
  case " ${offers.map(({ command }) => command).join(" ")} " in
    *" $words[2] "*) command=$words[2]; shift words; (( CURRENT-- )) ;;
  esac
  case $command in
${offers.map(branch).join("\n")}
  esac
}
if [[ $funcstack[1] == ${id} ]]; then ${id} "$@"; else compdef ${id} ${name}; fi
`;
}

function fishScript({ name, fallback }: Program, offers: readonly Offer[]): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const fishPaths = { files: "-F", folders: "-a '(__fish_complete_directories)'" };
  const lines = offers.flatMap(({ command, help, options, words, paths }) => {
    const seen = `__fish_seen_subcommand_from ${command}`;
    const when = `complete -c ${name} -n ${quoted(command === fallback ? `${seen}; or __fish_use_subcommand` : seen)}`;
    return [
      `complete -c ${name} -n __fish_use_subcommand -a ${command} -d ${quoted(help)}`,
      ...options.map(({ name: option, value, meaning }) => {
        const given = value === null ? null : takenBy(value);
        const list = given?.words.length ? ` -a ${quoted(given.words.join(" "))}` : "";
        const kind = given === null ? "" : given.paths === null ? ` -x${list}` : ` -r ${fishPaths[given.paths]}`;
        return `${when} -l ${option}${kind} -d ${quoted(meaning)}`;
      }),
      ...(words.length > 0 ? [`${when} -a ${quoted(words.join(" "))}`] : []),
      ...(paths === null ? [] : [`${when} ${fishPaths[paths]}`]),
    ];
  });
  return `# fish completion of ${name}
complete -c ${name} -f
${lines.join("\n")}
`;
}
