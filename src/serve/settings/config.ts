import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { counted } from "../../kernel/amount.ts";
import { type LogLevel, logLevels } from "../../kernel/logger.ts";
import { type HttpSettings, readHttpSettings, readOrigins } from "./http-settings.ts";
import {
  type LedgerSettings,
  type PaymentSettings,
  readLedgerSettings,
  readPaymentSettings,
} from "./payment-settings.ts";
import {
  orNone,
  type ReadSetting,
  readBaseUrl,
  readDirectory,
  readKey,
  readList,
  readPath,
  readSwitch,
  readUrl,
  readWholeNumber,
  type SettingName,
  type SettingRow,
  settingTable,
} from "./setting-value.ts";
import { readVisitorSettings, type VisitorSettings } from "./visitor-settings.ts";

/**
 * Likely slips of settings: RPC_URL, TXGLOSS_PORT, X402_PAYTO. A failing start is better than an ignored setting. Not names under six
 * letters without TXGLOSS_ (other programs'), nor what Kubernetes sets for a service txgloss (TXGLOSS_PORT=tcp://…).
 */
function findUnknownNames(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    if (name in settingTable || value.trim() === "" || value.startsWith("tcp://")) return [];
    const own = name.replace(/^TXGLOSS_/i, "");
    const meant = own === name && own.length < shortest ? undefined : findMeant(own);
    return meant === undefined ? [] : [`${name}: is no setting; did you mean ${meant}?`];
  });
}

const shortest = 6;

function findMeant(given: string): SettingName | undefined {
  const names = Object.keys(settingTable) as SettingName[];
  const same = names.find((known) => strip(known) === strip(given));
  return same ?? names.find((known) => known.length >= shortest && isSlip(given.toUpperCase(), known));
}

/** Without case, underscores, plural, unit. */
function strip(name: string): string {
  const letters = name.toUpperCase().replace(/_/g, "");
  return letters.replace(/(?:MS|S)$/, "");
}

/** One letter missing, added or changed. */
function isSlip(given: string, known: string): boolean {
  const [short, long] = given.length < known.length ? [given, known] : [known, given];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  return long.slice(at + 1) === short.slice(short.length === long.length ? at + 1 : at);
}

export interface Config {
  readonly host: string;
  readonly port: number;
  /** For callers. */
  readonly publicUrl: string;
  /** In order. */
  readonly rpcUrls: readonly string[];
  /** null: not asked. */
  readonly blockscoutUrl: string | null;
  /** null: none. */
  readonly blockscoutKey: string | null;
  /** For tokens without a feed; null: not asked. */
  readonly pricesUrl: string | null;
  /** Where no endpoint answers; null: none, the default where calls are charged. */
  readonly recordingsDir: string | null;
  /** Of several folders, later ones add to earlier ones. */
  readonly rulesDir: readonly string[];
  readonly labelsDir: readonly string[];
  readonly rpcTimeoutMs: number;
  readonly deadlineMs: number;
  /** At once, waiting, and at once of one client (0: all). */
  readonly work: { readonly runningMax: number; readonly waitingMax: number; readonly clientMax: number };
  /** At once to each RPC endpoint, for explanations. */
  readonly endpointSockets: number;
  readonly cacheBytes: number;
  /** null: no lookups. */
  readonly lookups: LookupSettings | null;
  readonly logLevel: LogLevel;
  readonly http: HttpSettings;
  /** Without loopback; with PUBLIC_URL's where calls are charged. */
  readonly mcpHosts: readonly string[];
  /** Web pages; `*`: any. */
  readonly mcpOrigins: readonly string[];
  readonly visitors: VisitorSettings;
  /** null: free for all. */
  readonly payments: PaymentSettings | null;
  readonly ledger: LedgerSettings;
}

/** For risk checks. */
export interface LookupSettings {
  /** null: not asked. */
  readonly sourcifyUrl: string | null;
  /** URLs, paths. */
  readonly drainerLists: readonly string[];
  /** Kept between starts; null: not. */
  readonly drainerDir: string | null;
  readonly drainerRefreshMs: number;
  /** For each lookup. */
  readonly deadlineMs: number;
  /** Addresses of one transaction. */
  readonly max: number;
  readonly historyPages: number;
}

/** All problems at once. */
export class ConfigError extends Error {
  readonly code = "invalid_settings";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${counted(problems.length, "problem")}:\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** Nothing else reads process.env. Empty is as missing, unless it means "none". Throws ConfigError with every bad value. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems = findUnknownNames(env);
  const read: ReadSetting = (name, parse) => {
    const row = settingTable[name];
    const given = row.secret ? readSecret(name, env, problems) : env[name]?.trim();
    const missing = given === undefined || (given === "" && row.empty !== "none");
    const text = !missing ? given : row.shipped ? shippedFolder(row) : row.default;
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
  const listen = reachableUrl(host ?? "", port);
  const service = {
    host,
    port,
    publicUrl: read("PUBLIC_URL", (text) => (text === "" ? listen : readPublicUrl(text))),
    rpcUrls: read("RPC_URLS", readUrls),
    blockscoutUrl: read("BLOCKSCOUT_URL", orNone(readBaseUrl)),
    blockscoutKey: read("BLOCKSCOUT_KEY", orNone(readKey)),
    pricesUrl: read("PRICES_URL", orNone(readBaseUrl)),
    recordingsDir: read("RECORDINGS_DIR", orNone(readDirectory)),
    rulesDir: read("RULES_DIR", readDirectories),
    labelsDir: read("LABELS_DIR", readDirectories),
    rpcTimeoutMs: read("RPC_TIMEOUT_MS", readWholeNumber),
    deadlineMs: read("DEADLINE_MS", readWholeNumber),
    work: readWorkSettings(read),
    endpointSockets: read("ENDPOINT_SOCKETS", readWholeNumber),
    cacheBytes: read("CACHE_BYTES", readWholeNumber),
    lookups: readLookupSettings(read),
    logLevel: read("LOG_LEVEL", readLogLevel),
    http: readHttpSettings(read),
    mcpHosts: read("MCP_HOSTS", readNames),
    mcpOrigins: read("MCP_ORIGINS", readOrigins),
    visitors: readVisitorSettings(read),
  };
  const config: Config = {
    ...service,
    payments: readPaymentSettings(read, service),
    ledger: readLedgerSettings(read),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  // The shipped recordings are for trials. Who pays gets what the network says, unless the operator sets RECORDINGS_DIR.
  const recorded = config.payments === null || Boolean(env.RECORDINGS_DIR);
  const publicHost = config.payments === null && !env.PUBLIC_URL ? [] : [new URL(config.publicUrl).hostname];
  return Object.freeze({
    ...config,
    // A key is for the API of all chains, unless the operator names another server.
    blockscoutUrl: config.blockscoutKey && env.BLOCKSCOUT_URL === undefined ? keyedBlockscout : config.blockscoutUrl,
    recordingsDir: recorded ? config.recordingsDir : null,
    rpcUrls: Object.freeze(config.rpcUrls),
    mcpHosts: Object.freeze([...config.mcpHosts, ...publicHost]),
    mcpOrigins: Object.freeze(config.mcpOrigins),
  });
}

/** Or in a file that NAME_FILE names, as containers mount it: in no list of processes. */
function readSecret(name: SettingName, env: Readonly<Record<string, string | undefined>>, problems: string[]) {
  const given = env[name]?.trim();
  const path = env[`${name}_FILE`]?.trim();
  if (!path) return given;
  if (given) problems.push(`${name}_FILE: ${name} is set too; set one of them.`);
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    problems.push(`${name}_FILE: cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`);
    return given;
  }
}

function readWorkSettings(read: ReadSetting): Config["work"] {
  return Object.freeze({
    runningMax: read("GATHERINGS_MAX", readWholeNumber),
    waitingMax: read("GATHERINGS_WAITING", readWholeNumber),
    clientMax: read("GATHERINGS_PER_CLIENT", readWholeNumber),
  });
}

const keyedBlockscout = "https://api.blockscout.com";

/** On this machine: nobody connects to 0.0.0.0 or ::. */
export function reachableUrl(host: string, port: number): string {
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}

/** With package.json. */
export const packageRoot = fileURLToPath(new URL("../../..", import.meta.url));

/** Empty where missing, if empty means "none". */
function shippedFolder({ default: name, empty }: SettingRow): string {
  const path = resolve(packageRoot, name);
  return empty === "none" && !existsSync(path) ? "" : path;
}

/** Read also where off, to report every mistake. null: off. */
function readLookupSettings(read: ReadSetting): LookupSettings | null {
  const on = read("LOOKUPS", readSwitch);
  const settings = {
    sourcifyUrl: read("SOURCIFY_URL", orNone(readBaseUrl)),
    drainerLists: read("DRAINER_LISTS", readSources),
    drainerDir: read("DRAINER_DIR", orNone(readPath)),
    drainerRefreshMs: read("DRAINER_REFRESH_S", (text, row) => readWholeNumber(text, row) * 1000),
    deadlineMs: read("LOOKUP_TIMEOUT_MS", readWholeNumber),
    max: read("LOOKUPS_MAX", readWholeNumber),
    historyPages: read("HISTORY_PAGES", readWholeNumber),
  };
  return on ? Object.freeze({ ...settings, drainerLists: Object.freeze(settings.drainerLists) }) : null;
}

/** May be empty. */
function readSources(text: string): string[] {
  return readList(text).map((item) => (/^[a-z]+:\/\//i.test(item) ? readUrl(item) : readPath(item)));
}

function readHost(text: string): string {
  // A URL with it must be possible: 999.1.1.1 is neither.
  if (/[\s/?#@]/.test(text) || !URL.canParse(reachableUrl(text, 80)))
    throw new Error("expected a host name or an IP address.");
  return text;
}

/** Shown to everybody: no password. */
function readPublicUrl(text: string): string {
  const url = readBaseUrl(text);
  const { username, password } = new URL(url);
  if (username !== "" || password !== "") throw new Error("expected a URL without a name and a password.");
  return url;
}

function readNames(text: string): string[] {
  const names = readList(text);
  if (names.some((name) => !/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/i.test(name)))
    throw new Error("expected host names without port.");
  return names;
}

function readUrls(text: string): string[] {
  // One that is listed twice is asked once: it is no second witness of itself.
  const urls = [...new Set(readList(text).map(readUrl))];
  if (urls.length === 0) throw new Error("expected at least one URL.");
  return urls;
}

function readDirectories(text: string): string[] {
  const paths = readList(text).map(readDirectory);
  if (paths.length === 0) throw new Error("expected at least one directory.");
  return paths;
}

function readLogLevel(text: string): LogLevel {
  const found = logLevels.find((name) => name === text.toLowerCase());
  if (found === undefined) throw new Error(`expected one of ${logLevels.join(", ")}.`);
  return found;
}
