import { readAddress } from "../../kernel/address.ts";
import { chain } from "../../kernel/chain-profile.ts";
import { type Hash, readPastedHash } from "../../kernel/hex.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import {
  asksForHelp,
  type CommandEntry,
  type CommandOptions,
  flag,
  type OptionValues,
  oneOf,
  type Program,
  readOptions,
  repeated,
  UsageError,
  valued,
} from "../terminal/command-table.ts";

/** `parse` reads the arguments after the name. It throws UsageError, as `read` does. */
function command<const Options extends CommandOptions, Read extends object>({
  read,
  ...entry
}: CommandEntry & { options: Options; read(words: readonly string[], values: OptionValues<Options>): Read }) {
  const parse = (args: readonly string[]): Read => {
    const { values, positionals } = readOptions(args, entry.options);
    return read(positionals, values);
  };
  return { ...entry, parse };
}

const forPrograms = "what a program reads, and nothing else, on stdout";
const json = flag(forPrograms);
const why = flag(
  "the evidence: unwrapped calls, rules that stand and what they claim, rules that lost, value left over; with --json as a second line",
);
const svg = valued("FILE", "draw who moved what to whom, as an image of its own");
const rpc = repeated("URL", "this endpoint instead of RPC_URLS, tried in order");
const ofLines = {
  threads: valued("N", "with -: threads that answer lines; default: one for each core"),
  resume: valued("OUT", "with -: write to OUT, behind the answers that an earlier run left there"),
};

const filterHelp = `  -         NDJSON in (hashes, case files, {"transaction", "receipt", …}), NDJSON out, in order;
            failures are error objects in place
`;

const commands = {
  explain: command({
    operands: "<hash|->",
    options: {
      json: flag(`${forPrograms}: the bytes of POST /explain`),
      ...{ why, svg },
      rpc: repeated("URL", "this endpoint instead of the recordings and RPC_URLS, tried in order"),
      ...ofLines,
    },
    help: "explain a transaction; -: each line of stdin",
    more: filterHelp,
    read: (words, { json, why, svg = null, rpc, ...more }) => {
      const hash = only(words, "one transaction hash");
      const filter = readFilter(hash, { ...more, svg });
      return { hash: filter ? null : readOneHash(hash), filter, rpcUrls: rpc.flatMap(readUrls), json, why, svg };
    },
  }),
  preview: command({
    operands: "[<request.json>]",
    options: {
      from: valued("ADDRESS", "who would send it"),
      to: valued("ADDRESS", "whom it would call; none: it creates a contract, whose code stands in --data"),
      value: valued("WEI", "wei that it would send"),
      data: valued("HEX", "its calldata"),
      json: flag(`${forPrograms}: the bytes of POST /preview`),
      ...{ why, rpc },
    },
    help: "tell what a transaction would do before it is signed",
    read: ([path = null, ...words], { json, why, rpc, from, to, value, data }) => {
      none(words);
      const given = { from, to, value, data };
      const fields = Object.entries(given).flatMap(([name, text]) =>
        text === undefined ? [] : [[name, asField(name, text)]],
      );
      if (path === null && (from === undefined || to === undefined))
        throw new UsageError("expected a file with the request, or --from and --to; --to none creates a contract");
      return { path, fields: Object.fromEntries(fields) as object, rpcUrls: rpc.flatMap(readUrls), json, why };
    },
  }),
  replay: command({
    operands: "<case.json|->",
    options: { json: flag(`${forPrograms}: the bytes of POST /explain`), why, svg, ...ofLines },
    help: "explain a recorded case, without any network; -: each line of stdin",
    more: filterHelp,
    read: (words, { json, why, svg = null, ...more }) => {
      const path = only(words, "one case file");
      return { path, filter: readFilter(path, { ...more, svg }), json, why, svg };
    },
  }),
  audit: command({
    operands: "<case.json>…",
    options: {},
    help: "(also replay --audit) check the answers by the case files alone: each violation of a law on a line",
    read: (paths) => {
      if (paths.length === 0) throw new UsageError("expected at least one case file");
      return { paths };
    },
  }),
  record: command({
    operands: "<hash>…",
    options: { rpc, dir: valued("DIR", "where case files go; default: RECORDINGS_DIR") },
    help: "write case files: <hash>.json",
    read: (words, { rpc, dir = null }) => {
      if (words.length === 0) throw new UsageError("expected at least one transaction hash");
      return { hashes: [...new Set(words.map(readOneHash))], rpcUrls: rpc.flatMap(readUrls), dir };
    },
  }),
  coverage: command({
    operands: "<dir>",
    options: { json },
    help: "how much of a folder of case files is explained, and what is not",
    read: (words, { json }) => ({ dir: only(words, "one folder of case files"), json }),
  }),
  "import-erc7730": command({
    operands: "<file|dir>",
    options: { out: valued("DIR", "where rule files go, such as rules/intents; without it one goes to stdout") },
    help: "rule files of intents from ERC-7730 descriptors; what is left out: stderr",
    read: (words, { out = null }) => ({ path: only(words, "one descriptor or a folder of them"), out }),
  }),
  bulk: command({
    operands: "plan|work|status|parts",
    options: {
      from: valued("BLOCK", "the first block of a plan"),
      to: valued("BLOCK", "the last block of a plan"),
      size: valued("N", "blocks of one job; default: those of 200 seconds"),
      format: valued(["ndjson", "parquet"], "what parts are: NDJSON under zstd, the default, or Parquet"),
      retries: valued("N", "how often a job is tried again before it counts as failed; default: 10"),
      untraced: flag("read no call trees"),
      stateless: flag("ask contracts for nothing: no token metadata, no proofs, no price"),
      dir: valued("DIR", "where parts go; default: bulk"),
      ...{ rpc, json },
    },
    help: "explain ranges of blocks with any number of workers, over PostgreSQL (DATABASE_URL)",
    more: `  plan      the blocks --from to --to: a job for each --size of them that no part covers yet
  work      works on what is planned, until nothing is left; any number of processes and machines may
  status    how far it is, and what failed
  parts     the files that can be read, one a line
`,
    read: (words, { rpc, ...options }) => ({ words, options, rpcUrls: rpc.flatMap(readUrls) }),
  }),
  serve: command({ operands: "", options: {}, help: "answer over HTTP (HOST, PORT)", read: none }),
  ledger: command({
    operands: "[reconcile | export | import FILE]",
    options: { json },
    help: "passes, payments and open settlements of an instance that charges",
    more: `  reconcile   ask the chain about open settlements and close them; exit status 1 when one stays open
  export      the whole ledger as lines of JSON on stdout, its sums on stderr; while instances go on, it shows one moment
  import      read such lines into a ledger, all of them or none; may be repeated
`,
    read: ([task, ...words], { json }) => {
      if (task === "import") return { task, path: only(words, "one file that export wrote"), json };
      if (task === "export" || task === "reconcile") return { ...none(words), task, path: null, json };
      if (task !== undefined)
        throw new UsageError(`expected reconcile, export, import FILE or nothing, got ${JSON.stringify(task)}`);
      return { task: null, path: null, json };
    },
  }),
};

export const program: Program = {
  name: "txgloss",
  about: `txgloss explains ${chain.name} transactions in plain English.`,
  commands,
  closing: `Exit status: 0 done, 1 an audit found a violation, the transaction cannot be explained, or something else failed, 2 wrong
usage, settings, rules or case file. Settings are read from the environment as the server reads them.
`,
};

type CommandTable = typeof commands;

export type Command =
  | { [Name in keyof CommandTable]: { name: Name } & ReturnType<CommandTable[Name]["parse"]> }[keyof CommandTable]
  | { name: "help"; words: readonly string[] }
  | { name: "version" };

export type CommandOf<Name extends Command["name"]> = Command & { name: Name };

/** After the program's name. Throws UsageError. */
export function readCommandLine([name, ...rest]: readonly string[]): Command {
  if (name === undefined) throw new UsageError("a command is missing");
  if (name === "--version" || name === "-v") return { name: "version" };
  if (asksForHelp([name, ...rest])) return { name: "help", words: [name, ...rest] };
  const known = oneOf(name, Object.keys(commands) as (keyof CommandTable)[], "the command");
  // `replay --audit FILE…` is the same as `audit FILE…`.
  if (known === "replay" && rest.includes("--audit"))
    return readCommandLine(["audit", ...rest.filter((word) => word !== "--audit")]);
  return { name: known, ...commands[known].parse(rest) } as Command;
}

/** The receiver `none` means contract creation. */
function asField(name: string, text: string): string | null {
  return name === "to" && text === "none" ? null : text;
}

function only(words: readonly string[], what: string): string {
  const [first] = words;
  if (first === undefined || words.length > 1) throw new UsageError(`expected ${what}`);
  return first;
}

/** Where the word is `-`; otherwise undefined, and these options are refused. Throws UsageError. */
function readFilter(word: string, { resume, threads, svg }: { resume?: string; threads?: string; svg: string | null }) {
  if (word === "-" && svg !== null) throw new UsageError("--svg draws one transaction, not the lines of stdin");
  if (word === "-") return { resume: resume ?? null, threads: threads === undefined ? null : readThreads(threads) };
  if (resume !== undefined || threads !== undefined)
    throw new UsageError("--resume and --threads are for -, the lines of stdin");
  return undefined;
}

function readThreads(text: string): number {
  const count = /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > serviceLimits.threadsMax)
    throw new UsageError(`--threads expects a whole number from 1 to ${serviceLimits.threadsMax}`);
  return count;
}

function none([first]: readonly string[]): object {
  if (first !== undefined) throw new UsageError(`expected nothing after it, got ${JSON.stringify(first)}`);
  return {};
}

function readOneHash(text: string): Hash {
  const hash = readPastedHash(text);
  if (hash !== undefined) return hash;
  if (readAddress(text.trim()) !== undefined)
    throw new UsageError(`${text.trim()} is an address; the hash of one transaction was expected`);
  throw new UsageError(`${JSON.stringify(text)} is not 0x followed by 64 hex digits, nor a link with them`);
}

/** The message shows no URL: it may contain a key. Throws UsageError. */
function readUrls(text: string): string[] {
  const urls = text.split(",").map((url) => url.trim().replace(/\/+$/, ""));
  if (!urls.every((url) => /^https?:\/\//.test(url) && URL.canParse(url)))
    throw new UsageError("--rpc expects a URL that starts with http:// or https://");
  return urls;
}
