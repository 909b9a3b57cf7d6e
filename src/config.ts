import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type LogLevel, logLevels } from "./log.ts";

/** Everything that the surroundings decide, read once at start. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Tried in order. */
  readonly rpcUrls: readonly string[];
  /** null: not asked. */
  readonly blockscoutUrl: string | null;
  /** null: none. */
  readonly recordingsDir: string | null;
  readonly rulesDir: string;
  readonly labelsDir: string;
  readonly rpcTimeoutMs: number;
  readonly deadlineMs: number;
  readonly cacheBytes: number;
  /** null: nothing is looked up for the risk checks. */
  readonly lookups: LookupSettings | null;
  readonly logLevel: LogLevel;
}

/** Where and how the risk checks look things up. */
export interface LookupSettings {
  /** null: not asked. */
  readonly sourcifyUrl: string | null;
  /** URLs and paths. */
  readonly drainerLists: readonly string[];
  /** null: lists are not kept between starts. */
  readonly drainerDir: string | null;
  readonly drainerRefreshMs: number;
  /** Milliseconds for each lookup of one transaction. */
  readonly deadlineMs: number;
  /** Addresses of one transaction that cost a lookup. */
  readonly max: number;
  readonly historyPages: number;
}

/** A setting as README's table shows it. */
export interface Setting {
  name: string;
  default: string;
  meaning: string;
}

/** Every problem of the environment at once. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length} problem(s):\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/**
 * Reads the environment: the only reader of process.env. A setting that is absent, or empty where empty has no meaning of its
 * own, takes its default. Throws ConfigError that names every bad value.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = [];
  function read<T>(name: SettingName, parse: (text: string) => T): T {
    const given = env[name]?.trim();
    const text = given === undefined || (given === "" && !emptyMeansNone.has(name)) ? defaultOf(name) : given;
    try {
      return parse(text);
    } catch (error) {
      // Endpoints may hold keys, so their text is not repeated.
      const shown = name.includes("URL") ? "" : ` ${JSON.stringify(text)}`;
      problems.push(`${name}${shown}: ${(error as Error).message}`);
      return undefined as T;
    }
  }
  const config: Config = {
    host: read("HOST", readHost),
    port: read("PORT", (text) => readInteger(text, 0, 65_535)),
    rpcUrls: read("RPC_URLS", readUrls),
    blockscoutUrl: read("BLOCKSCOUT_URL", (text) => (text === "" ? null : readUrl(text))),
    recordingsDir: read("RECORDINGS_DIR", (text) => (text === "" ? null : readDir(text))),
    rulesDir: read("RULES_DIR", readDir),
    labelsDir: read("LABELS_DIR", readDir),
    rpcTimeoutMs: read("RPC_TIMEOUT_MS", (text) => readInteger(text, 50, 60_000)),
    deadlineMs: read("DEADLINE_MS", (text) => readInteger(text, 100, 120_000)),
    cacheBytes: read("CACHE_BYTES", (text) => readInteger(text, 65_536, 2 ** 34)),
    logLevel: read("LOG_LEVEL", readLogLevel),
    lookups: null,
  };
  const lookups: LookupSettings = {
    sourcifyUrl: read("SOURCIFY_URL", (text) => (text === "" ? null : readUrl(text))),
    drainerLists: read("DRAINER_LISTS", readSources),
    drainerDir: read("DRAINER_DIR", (text) => (text === "" ? null : readPath(text))),
    drainerRefreshMs: read("DRAINER_REFRESH_S", (text) => readInteger(text, 60, 604_800) * 1000),
    deadlineMs: read("LOOKUP_TIMEOUT_MS", (text) => readInteger(text, 50, 60_000)),
    max: read("LOOKUPS_MAX", (text) => readInteger(text, 0, 100)),
    historyPages: read("HISTORY_PAGES", (text) => readInteger(text, 1, 20)),
  };
  const on = read("LOOKUPS", readSwitch);
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze({
    ...config,
    rpcUrls: Object.freeze(config.rpcUrls),
    lookups: on ? Object.freeze({ ...lookups, drainerLists: Object.freeze(lookups.drainerLists) }) : null,
  });
}

const table = {
  HOST: { default: "127.0.0.1", meaning: "Address to listen on." },
  PORT: { default: "8080", meaning: "Port to listen on; 0 takes a free one." },
  RPC_URLS: {
    default: "https://mainnet.base.org,https://base-rpc.publicnode.com,https://base.drpc.org",
    meaning: "JSON-RPC endpoints of Base, separated by commas, tried in order. One that is not chain 8453 is refused.",
  },
  BLOCKSCOUT_URL: {
    default: "https://base.blockscout.com",
    meaning:
      "Blockscout: internal transfers when no endpoint traces, published source code, senders' history. Empty: not asked.",
  },
  RECORDINGS_DIR: {
    default: "test/transactions",
    meaning: "Recorded transactions, consulted before any endpoint. Empty: none.",
  },
  RULES_DIR: { default: "rules", meaning: "Rules and action types." },
  LABELS_DIR: { default: "labels", meaning: "Names of addresses and tokens." },
  RPC_TIMEOUT_MS: { default: "3000", meaning: "Milliseconds for one call to one endpoint." },
  DEADLINE_MS: { default: "8000", meaning: "Milliseconds for gathering one transaction, all endpoints together." },
  CACHE_BYTES: { default: "67108864", meaning: "Memory for finished explanations, in bytes." },
  LOOKUPS: { default: "on", meaning: "off: nothing is looked up for the risk checks, and they say so." },
  SOURCIFY_URL: {
    default: "https://sourcify.dev/server",
    meaning: "Sourcify, asked first whether source code is published. Empty: not asked.",
  },
  DRAINER_LISTS: {
    default: "https://raw.githubusercontent.com/scamsniffer/scam-database/main/blacklist/address.json",
    meaning: "Lists of drainer addresses: URLs and paths, separated by commas. Empty: none.",
  },
  DRAINER_DIR: {
    default: "data/drainers",
    meaning: "Where drainer lists are kept between starts; made when needed. Empty: not kept.",
  },
  DRAINER_REFRESH_S: { default: "21600", meaning: "Seconds after which a drainer list is fetched anew." },
  LOOKUP_TIMEOUT_MS: { default: "2500", meaning: "Milliseconds for each risk lookup of one transaction." },
  LOOKUPS_MAX: { default: "8", meaning: "Addresses of one transaction whose source code is looked up." },
  HISTORY_PAGES: { default: "2", meaning: "Pages of each list of the sender's history that are read." },
  LOG_LEVEL: { default: "info", meaning: "silent, error, warn, info or debug. One JSON line each, on stderr." },
} as const satisfies Record<string, { default: string; meaning: string }>;

type SettingName = keyof typeof table;

/** The settings in the order of README's table. */
export const settings: readonly Setting[] = Object.entries(table).map(([name, setting]) => ({ name, ...setting }));

const emptyMeansNone: ReadonlySet<SettingName> = new Set([
  ...(["BLOCKSCOUT_URL", "RECORDINGS_DIR", "SOURCIFY_URL", "DRAINER_LISTS", "DRAINER_DIR"] as const),
]);
const packageRoot = fileURLToPath(new URL("..", import.meta.url));

/** Default directories are those of the package, wherever the process was started. */
function defaultOf(name: SettingName): string {
  return name.endsWith("_DIR") ? resolve(packageRoot, table[name].default) : table[name].default;
}

function readHost(text: string): string {
  if (/[\s/]/.test(text)) throw new Error("expected a host name or an IP address.");
  return text;
}

function readInteger(text: string, least: number, most: number): number {
  const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) throw new Error(`expected a whole number from ${least} to ${most}.`);
  return value;
}

function readUrls(text: string): string[] {
  const items = text.split(",").map((item) => item.trim());
  const urls = items.filter((item) => item !== "").map(readUrl);
  if (urls.length === 0) throw new Error("expected at least one URL.");
  return urls;
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error("expected URLs that start with http:// or https://.");
  return text.replace(/\/+$/, "");
}

/** URLs and paths of files; none is allowed. */
function readSources(text: string): string[] {
  const items = text.split(",").map((item) => item.trim());
  return items
    .filter((item) => item !== "")
    .map((item) => (/^[a-z]+:\/\//i.test(item) ? readUrl(item) : readPath(item)));
}

/** A path that need not be there. */
function readPath(text: string): string {
  if (text.includes("\0")) throw new Error("expected a path.");
  return resolve(text);
}

function readSwitch(text: string): boolean {
  const value = text.toLowerCase();
  if (value !== "on" && value !== "off") throw new Error("expected on or off.");
  return value === "on";
}

function readDir(text: string): string {
  const path = resolve(text);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw new Error("expected a directory.");
  return path;
}

function readLogLevel(text: string): LogLevel {
  const found = logLevels.find((name) => name === text.toLowerCase());
  if (found === undefined) throw new Error(`expected one of ${logLevels.join(", ")}.`);
  return found;
}
