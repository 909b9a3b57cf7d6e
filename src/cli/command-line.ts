import { type ParseArgsConfig, parseArgs } from "node:util";
import { chain } from "../kernel/chain-profile.ts";
import { type Hash, readHash } from "../kernel/hex.ts";
import { formatFields } from "./table.ts";

/** A wrong command line. The message says what was expected. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What the options of a command line say. */
interface Values {
  json: boolean;
  why: boolean;
  rpc: readonly string[];
  out: string | null;
  dir: string | null;
  from: string | null;
  to: string | null;
  value: string | null;
  data: string | null;
}

interface CommandRow {
  /** What may stand behind the name. The command has the options that stand here; capitals are the value of one. */
  usage: string;
  help: string;
  /** The command from the words behind its name and from the options. Throws UsageError. */
  read(words: readonly string[], values: Values): object;
}

const commands = {
  explain: {
    usage: "<hash> [--json] [--why] [--rpc URL]…",
    help: "explain a transaction",
    read: (words, { json, why, rpc }) => {
      return { hash: readOneHash(only(words, "one transaction hash")), rpcUrls: rpc.flatMap(readUrls), json, why };
    },
  },
  preview: {
    usage: "[<request.json>] [--from ADDRESS] [--to ADDRESS] [--value WEI] [--data HEX] [--json] [--why] [--rpc URL]…",
    help: "tell what a transaction would do before it is signed",
    read: ([path = null, ...words], { json, why, rpc, from, to, value, data }) => {
      none(words);
      const given = { from, to, value, data };
      const fields = Object.entries(given).flatMap(([name, text]) =>
        text === null ? [] : [[name, asField(name, text)]],
      );
      if (path === null && fields.length === 0)
        throw new UsageError("expected a file with the request, or --from and --to");
      return { path, fields: Object.fromEntries(fields) as object, rpcUrls: rpc.flatMap(readUrls), json, why };
    },
  },
  replay: {
    usage: "<case.json> [--json] [--why]",
    help: "explain a recorded case, without any network",
    read: (words, { json, why }) => ({ path: only(words, "one case file"), json, why }),
  },
  audit: {
    usage: "<case.json>…",
    help: "(also replay --audit) check the answers by the case files alone: each violation of a law on a line",
    read: (paths) => {
      if (paths.length === 0) throw new UsageError("expected at least one case file");
      return { paths };
    },
  },
  record: {
    usage: "<hash>… [--rpc URL]… [--dir DIR]",
    help: "write case files: <hash>.json",
    read: (words, { rpc, dir }) => {
      if (words.length === 0) throw new UsageError("expected at least one transaction hash");
      return { hashes: [...new Set(words.map(readOneHash))], rpcUrls: rpc.flatMap(readUrls), dir };
    },
  },
  coverage: {
    usage: "<dir> [--json]",
    help: "how much of a folder of case files is explained, and what is not",
    read: (words, { json }) => ({ dir: only(words, "one folder of case files"), json }),
  },
  "import-erc7730": {
    usage: "<file|dir> [--out DIR]",
    help: "rule files of intents from ERC-7730 descriptors; what is left out: stderr",
    read: (words, { out }) => ({ path: only(words, "one descriptor or a folder of them"), out }),
  },
  serve: { usage: "", help: "answer over HTTP (HOST, PORT)", read: none },
  ledger: {
    usage: "[reconcile | export | import FILE] [--json]",
    help: "passes, payments and open settlements of an instance that charges",
    read: ([task, ...words], { json }) => {
      if (task === "import") return { task, path: only(words, "one file that export wrote"), json };
      if (task === "export" || task === "reconcile") return { ...none(words), task, path: null, json };
      return { ...none(task === undefined ? [] : [task]), task: null, path: null, json };
    },
  },
} satisfies Record<string, CommandRow>;

/** What `--help` prints. */
export const helpText = `txgloss explains ${chain.name} transactions in plain English.

${formatFields(Object.entries(commands).map(([name, { usage, help }]) => [`  txgloss ${name} ${usage}`, help]))}\
  txgloss --help | --version

  reconcile   ask the chain about open settlements and close them; exit status 1 when one stays open
  export      the whole ledger as lines of JSON on stdout, its sums on stderr; while instances go on, it shows one moment
  import      read such lines into a ledger, all of them or none; may be repeated
  --to none   it creates a contract; the code stands in --data. A request file has the fields of POST /preview; options win over it
  --json      the JSON of POST /explain (of coverage: its figures), and nothing else, on stdout
  --why       the evidence: unwrapped calls, rules that stand and what they claim, rules that lost, value left over;
              with --json as a second line
  --rpc URL   this endpoint instead of the recordings and RPC_URLS; may be given more than once, tried in order
  --out DIR   where rule files go, such as rules/intents; without it one goes to stdout
  --dir DIR   where case files go; default: RECORDINGS_DIR

Exit status: 0 done, 1 an audit found a violation, or the transaction cannot be explained ({"error", "message", "retryable"} on stderr), 2 wrong usage,
settings, rules or case file. Settings are read from the environment as the server reads them.
`;

type CommandTable = typeof commands;

/** What a command line asks for. */
export type Command =
  | { [Name in keyof CommandTable]: { name: Name } & ReturnType<CommandTable[Name]["read"]> }[keyof CommandTable]
  | { name: "help" | "version" };

export type CommandOf<Name extends Command["name"]> = Command & { name: Name };

/** Reads the arguments after the program's name. Throws UsageError. */
export function readCommandLine([name, ...rest]: readonly string[]): Command {
  if (name === undefined) throw new UsageError("a command is missing");
  if (name === "--version" || name === "-v") return { name: "version" };
  if (name === "help" || [name, ...rest].some((word) => word === "--help" || word === "-h")) return { name: "help" };
  if (!Object.hasOwn(commands, name)) throw new UsageError(`there is no command ${JSON.stringify(name)}`);
  // `replay --audit FILE…` is another name of `audit FILE…`.
  if (name === "replay" && rest.includes("--audit"))
    return readCommandLine(["audit", ...rest.filter((word) => word !== "--audit")]);
  const command: CommandRow = commands[name as keyof CommandTable];
  const { values, positionals } = readOptions(rest, command.usage);
  const unset = { out: null, dir: null, from: null, to: null, value: null, data: null };
  const given = { json: false, why: false, rpc: [], ...unset, ...values };
  return { name, ...command.read(positionals, given) } as Command;
}

/**
 * The words of a command and the options that its usage names, such as `[--json] [--rpc URL]…`; `…`: it may be given more than
 * once, and its value is a list. Throws UsageError that ends with `more`.
 */
export function readOptions(
  args: readonly string[],
  usage: string,
  more = "",
): { values: Record<string, unknown>; positionals: string[] } {
  const options: ParseArgsConfig["options"] = {};
  for (const [, name = "", value, mark] of usage.matchAll(/--(\w+)( [A-Z]+\]?(…?))?/g))
    options[name] = { type: value === undefined ? "boolean" : "string", multiple: mark === "…" };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split("\n")[0]}${more}`);
  }
}

/** The receiver `none` stands for a creation. */
function asField(name: string, text: string): string | null {
  return name === "to" && text === "none" ? null : text;
}

function only(words: readonly string[], what: string): string {
  const [first] = words;
  if (first === undefined || words.length > 1) throw new UsageError(`expected ${what}`);
  return first;
}

function none([first]: readonly string[]): object {
  if (first !== undefined) throw new UsageError(`expected nothing after it, got ${JSON.stringify(first)}`);
  return {};
}

function readOneHash(text: string): Hash {
  const hash = readHash(text);
  if (hash === undefined) throw new UsageError(`${JSON.stringify(text)} is not 0x followed by 64 hex digits`);
  return hash;
}

/** A URL may hold a key, so a wrong one is not shown. */
function readUrls(text: string): string[] {
  const urls = text.split(",").map((url) => url.trim().replace(/\/+$/, ""));
  if (!urls.every((url) => /^https?:\/\//.test(url) && URL.canParse(url)))
    throw new UsageError("--rpc expects a URL that starts with http:// or https://");
  return urls;
}
