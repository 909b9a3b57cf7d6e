import { type ParseArgsConfig, parseArgs } from "node:util";
import { chain } from "../kernel/chain-profile.ts";
import { type Hash, readHash } from "../kernel/hex.ts";
import { limits } from "../kernel/limits.ts";
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
  resume: string | null;
  threads: string | null;
  /** All of them, for a command that reads its own. */
  all: Readonly<Record<string, unknown>>;
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
    usage: "<hash | -> [--json] [--why] [--rpc URL]… [--threads N] [--resume OUT]",
    help: "explain a transaction; -: each line of stdin",
    read: (words, { json, why, rpc, ...more }) => {
      const hash = only(words, "one transaction hash");
      const filter = readFilter(hash, more);
      return { hash: filter ? null : readOneHash(hash), filter, rpcUrls: rpc.flatMap(readUrls), json, why };
    },
  },
  replay: {
    usage: "<case.json | -> [--json] [--why] [--threads N] [--resume OUT]",
    help: "explain a recorded case, without any network; -: each line of stdin",
    read: (words, { json, why, ...more }) => {
      const path = only(words, "one case file");
      return { path, filter: readFilter(path, more), json, why };
    },
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
  bulk: {
    usage:
      "<plan --from BLOCK --to BLOCK [--size N] [--format F] [--retries N] [--untraced] [--stateless] | work | status | parts> [--dir DIR] [--rpc URL]… [--json]",
    help: "explain ranges of blocks with any number of workers, in PostgreSQL's order (DATABASE_URL)",
    read: (words, { all, rpc }) => ({ words, options: all, rpcUrls: rpc.flatMap(readUrls) }),
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
  --json      the JSON of POST /explain (of coverage: its figures), and nothing else, on stdout
  --why       the evidence: unwrapped calls, rules that stand and what they claim, rules that lost, value left over;
              with --json as a second line
  --rpc URL   this endpoint instead of the recordings and RPC_URLS; may be given more than once, tried in order
  --out DIR   where rule files go, such as rules/intents; without it one goes to stdout
  --dir DIR   where case files go; default: RECORDINGS_DIR
  -           NDJSON in (hashes, case files, {"transaction", "receipt", …}), NDJSON out, in order; failures are error objects in place
  --threads N how many lines are worked on at once; default: one for each core
  --from, --to BLOCK, --size N  the blocks of bulk plan, and how many a job has; --format ndjson or parquet; --retries N a job
  --untraced, --stateless  without call trees; without asking contracts for token metadata, proofs and the price
  --resume OUT  write to OUT, behind the answers that an earlier run left there

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
  const given = {
    json: false,
    why: false,
    rpc: [],
    out: null,
    dir: null,
    resume: null,
    threads: null,
    all: values,
    ...values,
  };
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

function only(words: readonly string[], what: string): string {
  const [first] = words;
  if (first === undefined || words.length > 1) throw new UsageError(`expected ${what}`);
  return first;
}

/** The options of a filter where the word is `-`; undefined otherwise, and then they may not be there. */
function readFilter(word: string, { resume, threads }: Pick<Values, "resume" | "threads">) {
  if (word === "-") return { resume, threads: threads === null ? null : readThreads(threads) };
  if (resume !== null || threads !== null) throw new UsageError("--resume and --threads are for -, the lines of stdin");
  return undefined;
}

function readThreads(text: string): number {
  const count = /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > limits.threadsMax)
    throw new UsageError(`--threads expects a whole number from 1 to ${limits.threadsMax}`);
  return count;
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
