import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toAddress } from "../../kernel/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Labels, NameLabel } from "../../model/label.ts";
import { openDocument, readDocument } from "../documents/document.ts";
import { DocumentCache } from "../documents/kept-file.ts";
import { sortDiagnostics } from "../documents/reporter.ts";
import type { SourceDocument } from "../documents/source-document.ts";
import { schemaText } from "../documents/validator.ts";
import type { ChainFacts } from "./calendar.ts";
import { checkEntries } from "./check.ts";
import { labelDocumentCodes } from "./code.ts";
import table from "./confusables.json" with { type: "json" };
import type { LabelEntries } from "./entry.ts";
import { buildLabels, type LabelFacts } from "./lookup.ts";
import { labelSchema, readEntries } from "./schema.ts";

/** An entry that cannot be read is left out of the labels. */
export interface LoadedLabels {
  labels: Labels;
  diagnostics: Diagnostic[];
}

/** `path` is printed in diagnostics. */
export interface LabelFile {
  path: string;
  text: string;
  /** Of exactly this text, read before without a mistake; it is neither parsed nor checked by itself. */
  value?: unknown;
}

type FileFacts = Omit<LabelFacts, "extraNames" | "confusables">;

/** Raise this when the same files give other facts. */
const factsVersion = "5";

/**
 * Every YAML file of the folders. `extraNames` (contracts of rule files) give way to their names. `cacheDir`: files read before without a
 * mistake are not parsed again.
 */
export function loadLabels(
  dirs: string | readonly string[],
  extraNames: readonly NameLabel[],
  cacheDir: string | null = null,
): LoadedLabels {
  const found = [dirs].flat().map(findFiles);
  const [files, unread] = [found.flatMap((one) => one.files), found.flatMap((one) => one.diagnostics)];
  const dependsOn = [factsVersion, schemaText(labelSchema), ...files.flatMap(({ path, text }) => [path, text])];
  const cache = cacheDir === null ? undefined : new DocumentCache<FileFacts>(cacheDir, "labels", dependsOn);
  const kept = unread.length > 0 ? undefined : cache?.read(isWhole);
  const { facts, mistakes } = kept === undefined ? readFacts(files) : { facts: kept, mistakes: [] };
  const diagnostics = sortDiagnostics([...unread, ...mistakes]);
  if (kept === undefined && diagnostics.length === 0) cache?.write(facts);
  return { labels: buildLabels({ ...facts, confusables, extraNames }), diagnostics };
}

function isWhole(facts: Partial<FileFacts>): boolean {
  const { tokens, names, roles, schemes, accounts, decimals, proxies, feeds, chain } = facts;
  const lists = [tokens, names, roles, schemes, accounts, decimals, proxies, feeds];
  return [...lists, ...Object.values(chain ?? { none: null })].every(Array.isArray);
}

/** Reads no disk; files in any order. */
export function compileLabels(files: readonly LabelFile[], extraNames: readonly NameLabel[]): LoadedLabels {
  const { facts, diagnostics } = compileLabelFacts(files);
  return { labels: buildLabels({ ...facts, extraNames }), diagnostics };
}

/** Builds no lookups. */
export function compileLabelFacts(files: readonly LabelFile[]) {
  const { facts, mistakes } = readFacts(files);
  return { facts: { ...facts, confusables }, diagnostics: sortDiagnostics(mistakes) };
}

function readFacts(files: readonly LabelFile[]): { facts: FileFacts; mistakes: Diagnostic[] } {
  const entries: LabelEntries = {
    ...{ tokens: [], names: [], roles: [], schemes: [], accounts: [] },
    ...{ decimals: [], proxies: [], feeds: [], sources: [] },
    ...{
      upgrades: [],
      block_times: [],
      gas_caps: [],
      deposits: [],
      predeploys: [],
      precompiles: [],
    },
  };
  const mistakes: Diagnostic[] = [];
  for (const file of files) {
    const document = openLabelFile(file);
    mistakes.push(...document.diagnostics);
    if (document.value !== undefined) readEntries(document, entries, mistakes);
  }
  return { facts: factsOf(entries), mistakes: [...mistakes, ...checkEntries(entries)] };
}

/** Parsed only if its value is not known. */
export function openLabelFile({ path, text, value }: LabelFile): SourceDocument {
  if (value === undefined) return readDocument(path, text, labelDocumentCodes);
  return { ...openDocument(path, text, labelDocumentCodes, value), checked: true };
}

/** `kind`: the value of `schema`, such as `chains`. */
export function labelValues<T>(files: readonly LabelFile[], kind: string): Partial<T>[] {
  const own = files.filter(({ text }) => new RegExp(`^schema: ${kind}/`, "m").test(text));
  return own.map((file) => (openLabelFile(file).value ?? {}) as Partial<T>);
}

function findFiles(dir: string): { files: LabelFile[]; diagnostics: Diagnostic[] } {
  const files: LabelFile[] = [];
  const diagnostics: Diagnostic[] = [];
  const attempt = (path: string, read: () => void): void => {
    try {
      read();
    } catch (error) {
      const help = error instanceof Error ? error.message : String(error);
      const [start, message] = [{ line: 1, column: 1 }, `\`${path}\` cannot be read.`];
      diagnostics.push({ code: "LB100", level: "error", file: path, range: { start, end: start }, message, help });
    }
  };
  attempt(dir, () => {
    const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) => /\.ya?ml$/.test(name));
    if (names.length === 0) throw new Error("there is no YAML file in it");
    for (const name of names.sort()) {
      const path = join(dir, name).replaceAll("\\", "/");
      attempt(path, () => files.push({ path, text: readFileSync(path, "utf8") }));
    }
  });
  return { files, diagnostics };
}

function factsOf(entries: LabelEntries): FileFacts {
  return {
    tokens: entries.tokens.map(({ value: { address, symbol, name, decimals, ...more } }) => ({
      address: toAddress(address),
      symbol,
      name,
      decimals,
      wellKnown: more.well_known,
      ...(more.allowance_bits === undefined ? {} : { allowanceBits: more.allowance_bits }),
      ...(more.silent_spends === undefined ? {} : { silentSpends: more.silent_spends }),
      ...(more.versioned === undefined ? {} : { versioned: more.versioned }),
    })),
    names: entries.names.map(({ value: { source: _, address, ...name } }) => ({
      address: toAddress(address),
      ...name,
    })),
    roles: entries.roles.map(({ value: { role, addresses } }) => ({ role, addresses: addresses.map(toAddress) })),
    schemes: entries.schemes.map(({ value: { source: _, ...scheme } }) => scheme),
    accounts: entries.accounts.map(({ value: { form, chains } }) => ({ form, chains })),
    decimals: entries.decimals.flatMap(({ value: { decimals, tokens } }) =>
      tokens.map((address) => ({ address: toAddress(address), decimals })),
    ),
    proxies: entries.proxies.map(({ value: { source: _, ...form } }) => form),
    feeds: entries.feeds.map(({ value: { token, feed, stale_after: staleAfter } }) => ({
      token: toAddress(token),
      feed: toAddress(feed),
      ...(staleAfter === undefined ? {} : { staleAfter }),
    })),
    chain: chainFactsOf(entries),
  };
}

/** Moments as Unix seconds, no sources. */
function chainFactsOf(entries: LabelEntries): ChainFacts {
  return {
    upgrades: entries.upgrades.map(({ value: { name, activates } }) => ({ name, activates: secondsOf(activates) })),
    blockTimes: entries.block_times.map(({ value: { from_block, at, ms } }) => ({
      fromBlock: from_block,
      at: secondsOf(at),
      ms,
    })),
    gasCaps: entries.gas_caps.map(({ value: { since, gas } }) => ({ since, gas })),
    deposits: entries.deposits.map(({ value: { source: _, from, to, selectors, ...deposit } }) => ({
      ...deposit,
      from: toAddress(from),
      to: toAddress(to),
      selectors: selectors.toSorted(),
    })),
    predeploys: entries.predeploys.map(({ value: { form } }) => ({ form })),
    precompiles: entries.precompiles.map(({ value: { source: _, address, ...rest } }) => ({
      ...rest,
      address: toAddress(address),
    })),
  };
}

function secondsOf(moment: string): number {
  return Date.parse(moment) / 1000;
}

/**
 * The prototype that each character looks like: confusables.txt of UTS #39. build/confusables.ts makes the table, with the version and hash
 * of the file.
 */
export function readConfusables(): Record<string, string> {
  // Without a prototype of its own: objects that grow by thousands of keys are slow to make otherwise, and this runs at each start.
  const prototypes: Record<string, string> = Object.create(null);
  for (const [prototype, signs] of Object.entries(table.signs)) for (const sign of signs) prototypes[sign] = prototype;
  return prototypes;
}

/** Beyond UTS #39: small capitals, syllables and signs in place of letters. Each looks like the letter below it. */
const forms: readonly (readonly [signs: string, letters: string])[] = [
  ["ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢĸʍʊ", "abcdefghijklmnopqrstuvwyzkmu"],
  ["ᗩᑕᑎᑫᔕᗯᘔᗴ", "ACNQSWZE"],
  ["€₿ΞΛƧↃɔƇƈ", "EBEASCcCc"],
];

/** The first of letters in circles, in squares, and those that flags are made of. */
const alphabets = [0x1f150, 0x1f170, 0x1f1e6];

const more: ReadonlyMap<string, string> = new Map([
  ...forms.flatMap(([signs, letters]) => [...signs].map((sign, at) => [sign, letters[at] as string] as const)),
  ...alphabets.flatMap((start) =>
    Array.from({ length: 26 }, (_, at) => [String.fromCodePoint(start + at), String.fromCodePoint(0x41 + at)] as const),
  ),
]);

/** Adds the forms, also where the table leads to one of them. */
export function withLetterForms(confusables: Readonly<Record<string, string>>): Record<string, string> {
  const formOf = (text: string) => Array.from(text, (one) => confusables[one] ?? one).join("");
  // Thousands of signs lead to some hundreds of forms, and this runs at each start.
  const ends = new Map<string, string>();
  const table: Record<string, string> = { ...confusables };
  for (const sign in confusables) {
    const form = confusables[sign] as string;
    const end = ends.get(form) ?? Array.from(form, (one) => formOf(more.get(one) ?? one)).join("");
    ends.set(form, end);
    table[sign] = end;
  }
  for (const [sign, letter] of more) table[sign] = formOf(letter);
  return table;
}

const confusables = withLetterForms(readConfusables());
