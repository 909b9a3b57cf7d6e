import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chain } from "../kernel/chain-profile.ts";
import { type LogLevel, logLevels } from "../kernel/log.ts";
import { emptyLookupSettings, type LookupSettings, lookupTable, readLookupSettings } from "./lookup-settings.ts";
import {
  type LedgerSettings,
  type PaymentSettings,
  paymentTable,
  readLedgerSettings,
  readPaymentSettings,
  secretSettings,
} from "./payment-settings.ts";
import {
  orNone,
  type ReadSetting,
  readDirectory,
  readInteger,
  readItems,
  readUrl,
  type SettingRow,
} from "./setting-value.ts";

/** All settings of the service, read once at the start. */
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
  /** Names under which the MCP endpoint is reached beside loopback ones: those given, and that of PUBLIC_URL. */
  readonly mcpHosts: readonly string[];
  /** Origins of web pages that may call it; `*` for any. */
  readonly mcpOrigins: readonly string[];
  /** null: open to everybody, nothing is metered. */
  readonly payments: PaymentSettings | null;
  readonly ledger: LedgerSettings;
}

/** One row of the table of settings in docs/operating.md. */
export interface Setting extends SettingRow {
  name: string;
}

/** The settings that cannot be used, all of them at once. */
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
 * Reads the settings from environment variables. Nothing else reads process.env. A variable that is missing takes its default, and
 * so does an empty one, unless empty means "none". Throws ConfigError that lists every bad value.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = [];
  const read: ReadSetting<SettingName> = (name, parse) => {
    const given = env[name]?.trim();
    const text = given === undefined || (given === "" && !emptyMeansNone.has(name)) ? defaultOf(name) : given;
    try {
      return parse(text);
    } catch (error) {
      // A URL may hold a key, so it is not shown. Secrets are not shown either.
      const shown = name.includes("URL") || secretSettings.has(name) ? "" : ` ${JSON.stringify(text)}`;
      problems.push(`${name}${shown}: ${(error as Error).message}`);
      return undefined as ReturnType<typeof parse>;
    }
  };
  const host = read("HOST", readHost);
  const port = read("PORT", (text) => readInteger(text, 0, 65_535));
  const listen = `http://${host?.includes(":") ? `[${host}]` : host}:${port}`;
  const config: Config = {
    host,
    port,
    rpcUrls: read("RPC_URLS", readUrls),
    blockscoutUrl: read("BLOCKSCOUT_URL", orNone(readUrl)),
    recordingsDir: read("RECORDINGS_DIR", orNone(readDirectory)),
    rulesDir: read("RULES_DIR", readDirectory),
    labelsDir: read("LABELS_DIR", readDirectory),
    rpcTimeoutMs: read("RPC_TIMEOUT_MS", (text) => readInteger(text, 50, 60_000)),
    deadlineMs: read("DEADLINE_MS", (text) => readInteger(text, 100, 120_000)),
    cacheBytes: read("CACHE_BYTES", (text) => readInteger(text, 65_536, 2 ** 34)),
    lookups: readLookupSettings(read),
    logLevel: read("LOG_LEVEL", readLogLevel),
    mcpHosts: read("MCP_HOSTS", readNames),
    mcpOrigins: read("MCP_ORIGINS", readOrigins),
    payments: readPaymentSettings(read, listen),
    ledger: readLedgerSettings(read),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  const publicHost = config.payments === null ? [] : [new URL(config.payments.publicUrl).hostname];
  return Object.freeze({
    ...config,
    rpcUrls: Object.freeze(config.rpcUrls),
    mcpHosts: Object.freeze([...config.mcpHosts, ...publicHost]),
    mcpOrigins: Object.freeze(config.mcpOrigins),
  });
}

const table = {
  HOST: { default: "127.0.0.1", meaning: "Address to listen on." },
  PORT: { default: "8080", meaning: "Port to listen on; 0 takes a free one." },
  RPC_URLS: {
    default: "https://mainnet.base.org,https://base-rpc.publicnode.com,https://base.drpc.org",
    meaning: `JSON-RPC endpoints of ${chain.name}, separated by commas, tried in order. One that is not chain ${chain.id} is refused.`,
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
  ...lookupTable,
  LOG_LEVEL: { default: "info", meaning: "silent, error, warn, info or debug. One JSON line each, on stderr." },
  MCP_HOSTS: {
    default: "",
    meaning: "Host names under which a proxy passes /mcp on, when HOST is a loopback address; by commas.",
  },
  MCP_ORIGINS: {
    default: "",
    meaning:
      "Origins of web pages that may call /mcp (https://app.example), by commas; * for any. Pages of this machine may.",
  },
  ...paymentTable,
} as const satisfies Record<string, SettingRow>;

type SettingName = keyof typeof table;

/** Every setting, in the order of the table in docs/operating.md. */
export const settings: readonly Setting[] = Object.entries(table).map(([name, setting]) => ({ name, ...setting }));

const emptyMeansNone: ReadonlySet<SettingName> = new Set([
  ...(["BLOCKSCOUT_URL", "RECORDINGS_DIR"] as const),
  ...emptyLookupSettings,
]);
const packageRoot = fileURLToPath(new URL("../..", import.meta.url));

/** Default directories with data to read are inside the package, wherever the process was started. */
function defaultOf(name: SettingName): string {
  const shipped = name.endsWith("_DIR") && name !== "DATA_DIR" && name !== "DRAINER_DIR";
  return shipped ? resolve(packageRoot, table[name].default) : table[name].default;
}

function readHost(text: string): string {
  if (/[\s/]/.test(text)) throw new Error("expected a host name or an IP address.");
  return text;
}

function readNames(text: string): string[] {
  const names = readItems(text);
  if (names.some((name) => !/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/i.test(name)))
    throw new Error("expected host names without port.");
  return names;
}

function readOrigins(text: string): string[] {
  return readItems(text).map((item) => {
    if (item === "*") return item;
    const origin = URL.canParse(item) ? new URL(item).origin : "null";
    if (origin === "null" || item.replace(/\/$/, "").toLowerCase() !== origin)
      throw new Error("expected origins such as https://app.example.");
    return origin;
  });
}

function readUrls(text: string): string[] {
  const urls = readItems(text).map(readUrl);
  if (urls.length === 0) throw new Error("expected at least one URL.");
  return urls;
}

function readLogLevel(text: string): LogLevel {
  const found = logLevels.find((name) => name === text.toLowerCase());
  if (found === undefined) throw new Error(`expected one of ${logLevels.join(", ")}.`);
  return found;
}
