import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toAddress } from "../kernel/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Labels, NameLabel } from "../model/label.ts";
import { checkEntries, sortDiagnostics } from "./check.ts";
import { type LabelFile, readDocument, report } from "./document.ts";
import { emptyEntries, type LabelEntries } from "./entry.ts";
import { buildLabels } from "./lookup.ts";
import { readEntries } from "./schema.ts";

/** Lookups and what is wrong with the files; entries with mistakes are left out of the lookups where they cannot be read. */
export interface LoadedLabels {
  labels: Labels;
  diagnostics: Diagnostic[];
}

/** Reads every YAML file under `dir`. `extraNames` are the names that rules contribute; those of `dir` win over them. */
export function loadLabels(dir: string, extraNames: readonly NameLabel[]): LoadedLabels {
  const { files, diagnostics } = findFiles(dir);
  const read = compileLabels(files, extraNames);
  return { labels: read.labels, diagnostics: sortDiagnostics([...diagnostics, ...read.diagnostics]) };
}

/** The same for files that are at hand: reads, validates, checks and builds. Touches no disk; file order means nothing. */
export function compileLabels(files: readonly LabelFile[], extraNames: readonly NameLabel[]): LoadedLabels {
  const entries = emptyEntries();
  const diagnostics: Diagnostic[] = [];
  for (const file of files) {
    const read = readDocument(file);
    diagnostics.push(...read.diagnostics);
    if (read.document === undefined) continue;
    const taken = readEntries(read.document);
    diagnostics.push(...taken.diagnostics);
    append(entries, taken.entries);
  }
  diagnostics.push(...checkEntries(entries));
  return { labels: toLabels(entries, extraNames), diagnostics: sortDiagnostics(diagnostics) };
}

function findFiles(dir: string): { files: LabelFile[]; diagnostics: Diagnostic[] } {
  const files: LabelFile[] = [];
  const diagnostics: Diagnostic[] = [];
  const attempt = (path: string, read: () => void): void => {
    try {
      read();
    } catch (error) {
      const help = error instanceof Error ? error.message : String(error);
      const start = { line: 1, column: 1 };
      diagnostics.push(report("LB100", path, { start, end: start }, { message: `\`${path}\` cannot be read.`, help }));
    }
  };
  attempt(dir, () => {
    const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) => /\.ya?ml$/.test(name));
    if (names.length === 0) throw new Error("there is no YAML file in it");
    for (const name of names.sort()) {
      const path = join(dir, name);
      attempt(path.replaceAll("\\", "/"), () => {
        files.push({ path: path.replaceAll("\\", "/"), text: readFileSync(path, "utf8") });
      });
    }
  });
  return { files, diagnostics };
}

function append(into: LabelEntries, from: LabelEntries): void {
  into.tokens.push(...from.tokens);
  into.names.push(...from.names);
  into.roles.push(...from.roles);
  into.schemes.push(...from.schemes);
  into.decimals.push(...from.decimals);
  into.sources.push(...from.sources);
}

function toLabels(entries: LabelEntries, extraNames: readonly NameLabel[]): Labels {
  return buildLabels({
    tokens: entries.tokens.map(({ value: { address, symbol, name, decimals, well_known, allowance_bits } }) => ({
      address: toAddress(address),
      symbol,
      name,
      decimals,
      wellKnown: well_known,
      ...(allowance_bits === undefined ? {} : { allowanceBits: allowance_bits }),
    })),
    names: entries.names.map(({ value: { address, label, category } }) => ({
      address: toAddress(address),
      label,
      category,
    })),
    extraNames,
    roles: entries.roles.map(({ value: { role, addresses } }) => ({ role, addresses: addresses.map(toAddress) })),
    schemes: entries.schemes.map(({ value: { source: _, ...scheme } }) => scheme),
    decimals: entries.decimals.flatMap(({ value: { decimals, tokens } }) =>
      tokens.map((address) => ({ address: toAddress(address), decimals })),
    ),
  });
}
