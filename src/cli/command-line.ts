import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { type Hash, readHash } from "../kernel/hex.ts";

/** What a command line asks for. */
export type Command =
  | ({ name: "explain"; hash: Hash; rpcUrls: string[] } & OutputForm)
  | ({ name: "replay"; path: string } & OutputForm)
  | { name: "audit"; paths: string[] }
  | { name: "record"; hashes: Hash[]; rpcUrls: string[]; dir: string | null }
  | { name: "coverage"; dir: string; json: boolean }
  | { name: "ledger"; reconcile: boolean; json: boolean }
  | { name: "import-erc7730"; path: string; out: string | null }
  | { name: "serve" }
  | { name: "help" }
  | { name: "version" };

export interface OutputForm {
  /** The bytes of POST /explain instead of a text. */
  json: boolean;
  /** The evidence after the answer. */
  why: boolean;
}

/** A wrong command line. The message says what was expected. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** What `--help` prints. */
export const helpText = readFileSync(new URL("txgloss.txt", import.meta.url), "utf8");

/** Reads the arguments after the program's name. Throws UsageError. */
export function readCommandLine(args: readonly string[]): Command {
  const [name, ...rest] = args;
  if (name === undefined) throw new UsageError("a command is missing");
  if (name === "--version" || name === "-v") return { name: "version" };
  if (name === "help" || args.includes("--help") || args.includes("-h")) return { name: "help" };
  switch (name) {
    case "explain": {
      const { values, positionals } = parse(rest, { ...outputOptions, ...rpcOption });
      return {
        name,
        hash: readOneHash(only(positionals, "one transaction hash")),
        rpcUrls: values.rpc,
        ...formOf(values),
      };
    }
    case "replay": {
      const { values, positionals } = parse(rest, { ...outputOptions, audit: { type: "boolean" } });
      if (values.audit === true) return readAudit(positionals, values);
      return { name, path: only(positionals, "one case file"), ...formOf(values) };
    }
    case "record": {
      const { values, positionals } = parse(rest, { ...rpcOption, dir: { type: "string" } });
      if (positionals.length === 0) throw new UsageError("expected at least one transaction hash");
      const hashes = [...new Set(positionals.map(readOneHash))];
      return { name, hashes, rpcUrls: values.rpc, dir: values.dir ?? null };
    }
    case "coverage": {
      const { values, positionals } = parse(rest, { json: outputOptions.json });
      return { name, dir: only(positionals, "one folder of case files"), json: values.json === true };
    }
    case "import-erc7730": {
      const { values, positionals } = parse(rest, { out: { type: "string" } });
      return { name, path: only(positionals, "one descriptor or a folder of them"), out: values.out ?? null };
    }
    case "ledger": {
      const { values, positionals } = parse(rest, { json: { type: "boolean" } });
      const reconcile = positionals[0] === "reconcile";
      none(reconcile ? positionals.slice(1) : positionals);
      return { name, reconcile, json: values.json === true };
    }
    case "serve":
      none(parse(rest, {}).positionals);
      return { name };
    default:
      throw new UsageError(`there is no command ${JSON.stringify(name)}`);
  }
}

const outputOptions = { json: { type: "boolean" }, why: { type: "boolean" } } as const;
const rpcOption = { rpc: { type: "string", multiple: true } } as const;

interface Values {
  json?: boolean;
  why?: boolean;
  audit?: boolean;
  rpc: string[];
  dir?: string;
  out?: string;
}

function parse(
  args: string[],
  options: NonNullable<ParseArgsConfig["options"]>,
): { values: Values; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    const given = values as Partial<Values>;
    return { values: { ...given, rpc: (given.rpc ?? []).flatMap(readUrls) }, positionals };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(String((error as Error).message).split("\n")[0] ?? "");
  }
}

function formOf(values: Values): OutputForm {
  return { json: values.json === true, why: values.why === true };
}

/** `replay --audit` prints violations and nothing of the answer. */
function readAudit(paths: string[], { json, why }: Values): Command {
  if (json === true || why === true) throw new UsageError("--audit goes with neither --json nor --why");
  if (paths.length === 0) throw new UsageError("expected at least one case file");
  return { name: "audit", paths };
}

function only(positionals: readonly string[], what: string): string {
  const [first] = positionals;
  if (first === undefined || positionals.length > 1) throw new UsageError(`expected ${what}`);
  return first;
}

function none(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new UsageError(`expected nothing after it, got ${JSON.stringify(positionals[0])}`);
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
