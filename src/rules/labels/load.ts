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
import { chainFactsOf } from "./chain-facts.ts";
import { checkEntries } from "./check.ts";
import { labelDocumentCodes } from "./code.ts";
import { readConfusables } from "./confusables.ts";
import type { LabelEntries } from "./entry.ts";
import { withLetterForms } from "./letter-forms.ts";
import { buildLabels, type LabelFacts } from "./lookup.ts";
import { labelSchema, readEntries } from "./schema.ts";

/** The labels, and the mistakes in their files. An entry that cannot be read is left out of the labels. */
export interface LoadedLabels {
  labels: Labels;
  diagnostics: Diagnostic[];
}

/** A label file. `path` is printed in diagnostics. */
export interface LabelFile {
  path: string;
  text: string;
  /** The data of the file, if exactly this text was read before without a mistake. It is then neither parsed nor checked by itself. */
  value?: unknown;
}

type FileFacts = Omit<LabelFacts, "extraNames" | "confusables">;

const confusables = withLetterForms(readConfusables());

/** Raise this when the same files give other facts, so that an older cache is not used. */
const factsVersion = "5";

/**
 * Reads every YAML file of one or more folders. `extraNames`: names of contracts in rule files; names of the folders win over them. With
 * `cacheDir`, files that were read before without a mistake are not parsed again.
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

/** Compiles label files that are in memory already. It does not read the disk, and the order of the files does not matter. */
export function compileLabels(files: readonly LabelFile[], extraNames: readonly NameLabel[]): LoadedLabels {
  const { facts, diagnostics } = compileLabelFacts(files);
  return { labels: buildLabels({ ...facts, extraNames }), diagnostics };
}

/** Reads the facts of label files, without building the lookups. */
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

/** Opens a label file. It is parsed only if its value is not known. */
export function openLabelFile({ path, text, value }: LabelFile): SourceDocument {
  if (value === undefined) return readDocument(path, text, labelDocumentCodes);
  return { ...openDocument(path, text, labelDocumentCodes, value), checked: true };
}

/** The values of the label files of one kind, such as `chains`. */
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
