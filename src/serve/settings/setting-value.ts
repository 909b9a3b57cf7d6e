import { statSync } from "node:fs";
import { resolve } from "node:path";
import table from "../../../schemas/settings.json" with { type: "json" };

/** schemas/settings.json. */
export interface SettingRow {
  /** If missing or empty. */
  default: string;
  meaning: string;
  /** Inclusive. */
  least?: number;
  most?: number;
  /** An empty variable means "none". */
  empty?: string;
  /** May hold a key: never shown. */
  secret?: boolean;
  /** Default in the package, not the current folder. */
  shipped?: boolean;
}

export type SettingName = keyof typeof table;

/** As in docs/operating.md. */
export const settingTable: Readonly<Record<SettingName, SettingRow>> = table;

/** `parse` throws what was expected; all problems are reported together. */
export type ReadSetting = <T>(name: SettingName, parse: (text: string, row: SettingRow) => T) => T;

/** Within its bounds. Throws Error. */
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

/** Comma-separated, none empty. */
export function readList(text: string): string[] {
  const items = text.split(",").map((item) => item.trim());
  return items.filter((item) => item !== "");
}

/** http, https; no slash at the end. Throws Error. */
export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error("expected URLs that start with http:// or https://.");
  return text.replace(/\/+$/, "");
}

/** A URL to which paths are added: no query, no fragment. Throws Error. */
export function readBaseUrl(text: string): string {
  const url = readUrl(text);
  if (/[?#]/.test(url)) throw new Error("expected a URL without ? and #, because paths are added to it.");
  return url;
}

/** Sent in a header. Throws Error. */
export function readKey(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Error("expected a key of printable ASCII without blanks.");
  return text;
}

/** Existing folder, absolute. Throws Error. */
export function readDirectory(text: string): string {
  const path = resolve(text);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw new Error("expected a directory.");
  return path;
}

/** Absolute; need not exist. Throws Error. */
export function readPath(text: string): string {
  if (text.includes("\0")) throw new Error("expected a path.");
  return resolve(text);
}

/** Empty text: null. */
export function orNone<T>(parse: (text: string) => T): (text: string) => T | null {
  return (text) => (text === "" ? null : parse(text));
}
