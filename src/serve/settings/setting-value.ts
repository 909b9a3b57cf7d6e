import { statSync } from "node:fs";
import { resolve } from "node:path";
import table from "../../../schemas/settings.json" with { type: "json" };

/** One row of schemas/settings.json. */
export interface SettingRow {
  /** The value of a missing or empty variable. */
  default: string;
  meaning: string;
  /** Bounds of a whole number, both included. */
  least?: number;
  most?: number;
  /** If set: an empty variable does not mean the default, but "none". */
  empty?: string;
  /** Whether the value may contain a key. Then it is never shown. */
  secret?: boolean;
  /** Whether the default is a folder of the package, independent of the current folder. */
  shipped?: boolean;
}

export type SettingName = keyof typeof table;

/** Every setting, in the order of the table in docs/operating.md. */
export const settingTable: Readonly<Record<SettingName, SettingRow>> = table;

/**
 * Reads one setting with `parse`, which throws an Error that says what was expected. The error is collected, so that all problems are
 * reported together.
 */
export type ReadSetting = <T>(name: SettingName, parse: (text: string, row: SettingRow) => T) => T;

/** Reads a whole number within the bounds of its row. Throws Error. */
export function readWholeNumber(text: string, { least = 0, most = 0 }: SettingRow): number {
  const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) throw new Error(`expected a whole number from ${least} to ${most}.`);
  return value;
}

/** `on` or `off`. */
export function readSwitch(text: string): boolean {
  const value = text.toLowerCase();
  if (value !== "on" && value !== "off") throw new Error("expected on or off.");
  return value === "on";
}

/** The items of a comma-separated list, without empty ones. */
export function readList(text: string): string[] {
  const items = text.split(",").map((item) => item.trim());
  return items.filter((item) => item !== "");
}

/** Reads an http or https URL. Slashes at its end are removed. Throws Error. */
export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error("expected URLs that start with http:// or https://.");
  return text.replace(/\/+$/, "");
}

/** As {@link readUrl}, for a URL to which paths are added: it may have no query and no fragment. */
export function readBaseUrl(text: string): string {
  const url = readUrl(text);
  if (/[?#]/.test(url)) throw new Error("expected a URL without ? and #, because paths are added to it.");
  return url;
}

/** Reads a key that is sent in a header. Throws Error. */
export function readKey(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Error("expected a key of printable ASCII without blanks.");
  return text;
}

/** Reads the path of an existing folder, and gives it as an absolute path. Throws Error. */
export function readDirectory(text: string): string {
  const path = resolve(text);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw new Error("expected a directory.");
  return path;
}

/** Reads a path, and gives it as an absolute path. It need not exist. Throws Error. */
export function readPath(text: string): string {
  if (text.includes("\0")) throw new Error("expected a path.");
  return resolve(text);
}

/** Makes a parser for which an empty text means "none": it gives null. */
export function orNone<T>(parse: (text: string) => T): (text: string) => T | null {
  return (text) => (text === "" ? null : parse(text));
}
