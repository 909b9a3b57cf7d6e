import { resolve } from "node:path";

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

/** The settings of the lookups in the order of the table in docs/operating.md. */
export const lookupTable = {
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
} as const satisfies Record<string, { default: string; meaning: string }>;

export type LookupSetting = keyof typeof lookupTable;

/** Those of which an empty value means "none" and not the default. */
export const emptyLookupSettings: readonly LookupSetting[] = ["SOURCIFY_URL", "DRAINER_LISTS", "DRAINER_DIR"];

/** Reads them all, so that every mistake is told; null when lookups are switched off. */
export function readLookupSettings(
  read: <T>(name: LookupSetting, parse: (text: string) => T) => T,
  { readUrl, readInteger }: { readUrl: (text: string) => string; readInteger: ReadInteger },
): LookupSettings | null {
  const on = read("LOOKUPS", readSwitch);
  const settings = {
    sourcifyUrl: read("SOURCIFY_URL", (text) => (text === "" ? null : readUrl(text))),
    drainerLists: read("DRAINER_LISTS", (text) => readSources(text, readUrl)),
    drainerDir: read("DRAINER_DIR", (text) => (text === "" ? null : readPath(text))),
    drainerRefreshMs: read("DRAINER_REFRESH_S", (text) => readInteger(text, 60, 604_800) * 1000),
    deadlineMs: read("LOOKUP_TIMEOUT_MS", (text) => readInteger(text, 50, 60_000)),
    max: read("LOOKUPS_MAX", (text) => readInteger(text, 0, 100)),
    historyPages: read("HISTORY_PAGES", (text) => readInteger(text, 1, 20)),
  };
  return on ? Object.freeze({ ...settings, drainerLists: Object.freeze(settings.drainerLists) }) : null;
}

type ReadInteger = (text: string, least: number, most: number) => number;

/** URLs and paths of files; none is allowed. */
function readSources(text: string, readUrl: (text: string) => string): string[] {
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
