import { statSync } from "node:fs";
import { resolve } from "node:path";
import table from "../../schemas/settings.json" with { type: "json" };

/** One row of schemas/settings.json. */
export interface SettingRow {
  /** The text that a missing or empty variable stands for. */
  default: string;
  meaning: string;
  /** Bounds of a whole number, both included. */
  least?: number;
  most?: number;
  /** An empty variable does not take the default: it means that there is nothing of the kind. */
  empty?: string;
  /** The text may hold a key, so it is never shown. */
  secret?: boolean;
  /** The default is a directory of the package, wherever the process was started. */
  shipped?: boolean;
}

export type SettingName = keyof typeof table;

/** Every setting, in the order of the table in docs/operating.md. */
export const settingTable: Readonly<Record<SettingName, SettingRow>> = table;

/**
 * Reads one setting through `parse`, which throws an Error that says what it expected. The error becomes one of the problems that
 * are reported together.
 */
export type ReadSetting = <T>(name: SettingName, parse: (text: string, row: SettingRow) => T) => T;

/** A whole number within the bounds of its row. */
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

/** The items of a list that is separated by commas, without empty ones. */
export function readList(text: string): string[] {
  const items = text.split(",").map((item) => item.trim());
  return items.filter((item) => item !== "");
}

/** An http or https URL, without slashes at its end. */
export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error("expected URLs that start with http:// or https://.");
  return text.replace(/\/+$/, "");
}

/** The same for an address to which paths are added. */
export function readBaseUrl(text: string): string {
  const url = readUrl(text);
  if (/[?#]/.test(url)) throw new Error("expected a URL without ? and #, because paths are added to it.");
  return url;
}

/** The absolute path of a directory that exists. */
export function readDirectory(text: string): string {
  const path = resolve(text);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw new Error("expected a directory.");
  return path;
}

/** An absolute path. Nothing needs to be there. */
export function readPath(text: string): string {
  if (text.includes("\0")) throw new Error("expected a path.");
  return resolve(text);
}

/** A setting for which an empty text means "none": null. */
export function orNone<T>(parse: (text: string) => T): (text: string) => T | null {
  return (text) => (text === "" ? null : parse(text));
}
