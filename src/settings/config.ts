import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type LogLevel, logLevels } from "../kernel/logger.ts";
import {
  type LedgerSettings,
  type PaymentSettings,
  readLedgerSettings,
  readPaymentSettings,
} from "./payment-settings.ts";
import {
  orNone,
  type ReadSetting,
  readDirectory,
  readList,
  readPath,
  readUrl,
  readWholeNumber,
  settingTable,
} from "./setting-value.ts";

/** All settings of the service, read once at the start. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Tried in order. */
  readonly rpcUrls: readonly string[];
  /** null: not asked. */
  readonly blockscoutUrl: string | null;
  /** For the time when no endpoint answers. null: none, which is the default where calls are charged. */
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

/** Which sources the risk checks ask, and within which limits. */
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
  /** How many addresses of one transaction may be looked up. */
  readonly max: number;
  readonly historyPages: number;
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
  const read: ReadSetting = (name, parse) => {
    const row = settingTable[name];
    const given = env[name]?.trim();
    const missing = given === undefined || (given === "" && row.empty !== "none");
    const text = !missing ? given : row.shipped ? resolve(packageRoot, row.default) : row.default;
    try {
      return parse(text, row);
    } catch (error) {
      const shown = row.secret ? "" : ` ${JSON.stringify(text)}`;
      problems.push(`${name}${shown}: ${(error as Error).message}`);
      return undefined as ReturnType<typeof parse>;
    }
  };
  const host = read("HOST", readHost);
  const port = read("PORT", readWholeNumber);
  const listen = `http://${host?.includes(":") ? `[${host}]` : host}:${port}`;
  const config: Config = {
    host,
    port,
    rpcUrls: read("RPC_URLS", readUrls),
    blockscoutUrl: read("BLOCKSCOUT_URL", orNone(readUrl)),
    recordingsDir: read("RECORDINGS_DIR", orNone(readDirectory)),
    rulesDir: read("RULES_DIR", readDirectory),
    labelsDir: read("LABELS_DIR", readDirectory),
    rpcTimeoutMs: read("RPC_TIMEOUT_MS", readWholeNumber),
    deadlineMs: read("DEADLINE_MS", readWholeNumber),
    cacheBytes: read("CACHE_BYTES", readWholeNumber),
    lookups: readLookupSettings(read),
    logLevel: read("LOG_LEVEL", readLogLevel),
    mcpHosts: read("MCP_HOSTS", readNames),
    mcpOrigins: read("MCP_ORIGINS", readOrigins),
    payments: readPaymentSettings(read, listen),
    ledger: readLedgerSettings(read),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  // What ships is there to try the service. Who pays gets what the network says, unless the operator decides otherwise.
  const recorded = config.payments === null || Boolean(env.RECORDINGS_DIR?.trim());
  const publicHost = config.payments === null ? [] : [new URL(config.payments.publicUrl).hostname];
  return Object.freeze({
    ...config,
    recordingsDir: recorded ? config.recordingsDir : null,
    rpcUrls: Object.freeze(config.rpcUrls),
    mcpHosts: Object.freeze([...config.mcpHosts, ...publicHost]),
    mcpOrigins: Object.freeze(config.mcpOrigins),
  });
}

const packageRoot = fileURLToPath(new URL("../..", import.meta.url));

/** Reads all of them, so that every mistake is reported. null: lookups are switched off. */
function readLookupSettings(read: ReadSetting): LookupSettings | null {
  const on = read("LOOKUPS", readSwitch);
  const settings = {
    sourcifyUrl: read("SOURCIFY_URL", orNone(readUrl)),
    drainerLists: read("DRAINER_LISTS", readSources),
    drainerDir: read("DRAINER_DIR", orNone(readPath)),
    drainerRefreshMs: read("DRAINER_REFRESH_S", (text, row) => readWholeNumber(text, row) * 1000),
    deadlineMs: read("LOOKUP_TIMEOUT_MS", readWholeNumber),
    max: read("LOOKUPS_MAX", readWholeNumber),
    historyPages: read("HISTORY_PAGES", readWholeNumber),
  };
  return on ? Object.freeze({ ...settings, drainerLists: Object.freeze(settings.drainerLists) }) : null;
}

/** URLs and paths of files; an empty list is allowed. */
function readSources(text: string): string[] {
  return readList(text).map((item) => (/^[a-z]+:\/\//i.test(item) ? readUrl(item) : readPath(item)));
}

function readSwitch(text: string): boolean {
  const value = text.toLowerCase();
  if (value !== "on" && value !== "off") throw new Error("expected on or off.");
  return value === "on";
}

function readHost(text: string): string {
  if (/[\s/]/.test(text)) throw new Error("expected a host name or an IP address.");
  return text;
}

function readNames(text: string): string[] {
  const names = readList(text);
  if (names.some((name) => !/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/i.test(name)))
    throw new Error("expected host names without port.");
  return names;
}

function readOrigins(text: string): string[] {
  return readList(text).map((item) => {
    if (item === "*") return item;
    const origin = URL.canParse(item) ? new URL(item).origin : "null";
    if (origin === "null" || item.replace(/\/$/, "").toLowerCase() !== origin)
      throw new Error("expected origins such as https://app.example.");
    return origin;
  });
}

function readUrls(text: string): string[] {
  const urls = readList(text).map(readUrl);
  if (urls.length === 0) throw new Error("expected at least one URL.");
  return urls;
}

function readLogLevel(text: string): LogLevel {
  const found = logLevels.find((name) => name === text.toLowerCase());
  if (found === undefined) throw new Error(`expected one of ${logLevels.join(", ")}.`);
  return found;
}
