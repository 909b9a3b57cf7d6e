import {
  orNone,
  type ReadSetting,
  readInteger,
  readItems,
  readPath,
  readUrl,
  type SettingRow,
} from "./setting-value.ts";

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

/** The settings of the risk lookups, in the order of the table in docs/operating.md. */
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
} as const satisfies Record<string, SettingRow>;

export type LookupSetting = keyof typeof lookupTable;

/** Settings for which an empty text means "none" and not the default. */
export const emptyLookupSettings: readonly LookupSetting[] = ["SOURCIFY_URL", "DRAINER_LISTS", "DRAINER_DIR"];

/** Reads all of them, so that every mistake is reported. null: lookups are switched off. */
export function readLookupSettings(read: ReadSetting<LookupSetting>): LookupSettings | null {
  const on = read("LOOKUPS", readSwitch);
  const settings = {
    sourcifyUrl: read("SOURCIFY_URL", orNone(readUrl)),
    drainerLists: read("DRAINER_LISTS", readSources),
    drainerDir: read("DRAINER_DIR", orNone(readPath)),
    drainerRefreshMs: read("DRAINER_REFRESH_S", (text) => readInteger(text, 60, 604_800) * 1000),
    deadlineMs: read("LOOKUP_TIMEOUT_MS", (text) => readInteger(text, 50, 60_000)),
    max: read("LOOKUPS_MAX", (text) => readInteger(text, 0, 100)),
    historyPages: read("HISTORY_PAGES", (text) => readInteger(text, 1, 20)),
  };
  return on ? Object.freeze({ ...settings, drainerLists: Object.freeze(settings.drainerLists) }) : null;
}

/** URLs and paths of files; an empty list is allowed. */
function readSources(text: string): string[] {
  return readItems(text).map((item) => (/^[a-z]+:\/\//i.test(item) ? readUrl(item) : readPath(item)));
}

function readSwitch(text: string): boolean {
  const value = text.toLowerCase();
  if (value !== "on" && value !== "off") throw new Error("expected on or off.");
  return value === "on";
}
