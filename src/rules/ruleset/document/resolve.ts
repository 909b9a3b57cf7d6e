import { citationForms, listSources } from "../../documents/citation.ts";
import type { Reporter } from "../../documents/reporter.ts";
import { type Copied, copyRules, type WrittenFile, type WrittenFiles } from "./like.ts";
import type { ContractEntry, ExampleEntry, InlineExample, RuleDocument, WrittenDocument } from "./rule-document.ts";
import { WrittenPlaces } from "./written-places.ts";

/**
 * `like`, labels and sources of contracts, and inline examples. `files`: by protocol id. The returned source finds places by paths of the
 * resolved document.
 */
export function resolveDocument(file: WrittenFile, files: WrittenFiles, reporter: Reporter) {
  const { written } = file;
  const places = new WrittenPlaces();
  const copied = copyRules(file, files, reporter, places);
  const { protocol, name, site, kind } = written;
  const document: RuleDocument = {
    protocol,
    ...(name !== undefined && { name }),
    kind: kind === "standard" ? "standard" : "protocol",
    ...(site !== undefined && { site }),
    ...copied.document,
    ...(written.tables !== undefined && { tables: written.tables }),
    ...(written.causes !== undefined && { causes: written.causes }),
    ...(written.precompiles !== undefined && { precompiles: written.precompiles }),
    ...(written.notes !== undefined && { notes: written.notes }),
    ...(written.contracts !== undefined && { contracts: resolveContracts(written, reporter, places) }),
    examples: examplesOf(written, copied, places),
  };
  return { document, source: places.translate(file.source, copied.original?.source) };
}

function resolveContracts(
  { contracts = {}, source: common }: WrittenDocument,
  reporter: Reporter,
  places: WrittenPlaces,
): Record<string, ContractEntry[]> {
  const roles = Object.entries(contracts).map(([role, stated]): [string, ContractEntry[]] => {
    const { source: own = common, ...labels } = stated;
    const entries = Object.entries(labels).map(([address, raw], i): ContractEntry => {
      const said = typeof raw === "string" ? { label: raw } : (raw as { label: string; source?: string | string[] });
      const source = listSources(said.source ?? own);
      const at = ["contracts", role, address];
      if (source.length === 0)
        reporter.report("RL202", at, "`source` is missing: of the file, the role or this address", {
          key: true,
          help: `Say where the protocol publishes the address: ${citationForms}.`,
        });
      places.mark(["contracts", role, i], { path: at, key: true });
      places.mark(["contracts", role, i, "label"], { path: typeof raw === "string" ? at : [...at, "label"] });
      return { address, source, label: said.label };
    });
    return [role, entries];
  });
  return Object.fromEntries(roles);
}

/** Inline ones by rule, then the `examples` list, then those of unchanged rules of the other file. */
function examplesOf(
  written: WrittenDocument,
  { inline, inherited, original }: Copied,
  places: WrittenPlaces,
): ExampleEntry[] {
  const name = written.name ?? written.protocol;
  const own = inline.map(({ rule, action, example, at }, i): ExampleEntry => {
    places.mark(["examples", i], at);
    places.mark(["examples", i, "given"], at);
    places.mark(["examples", i, "summary"], { ...at, path: [...at.path, "says"] });
    return entryOf(rule, action, example, name);
  });
  const listed = (written.examples ?? []).map((example, i): ExampleEntry => {
    places.mark(["examples", own.length + i], { path: ["examples", i] });
    return example.summary === undefined ? example : { ...example, summary: named(example.summary, name) };
  });
  const names = new Set([...own, ...listed].flatMap((example) => example.name ?? []));
  const others: ExampleEntry[] = [];
  (original?.written.examples ?? []).forEach(({ summary: _, ...example }, i) => {
    const { given, rule = "", not, name: known = "" } = example;
    if (given === undefined || not !== undefined || !inherited.has(rule) || names.has(known)) return;
    places.mark(["examples", own.length + listed.length + others.length], { path: ["examples", i], inherited: true });
    others.push(example);
  });
  return [...own, ...listed, ...others];
}

function entryOf(rule: string, usual: string, example: InlineExample, name: string): ExampleEntry {
  const { tx, action = usual, says, ...given } = example;
  return {
    name: rule,
    ...(tx === undefined ? { given } : { tx }),
    rule,
    action,
    ...(says !== undefined && { summary: named(says, name) }),
  };
}

function named(sentence: string, name: string): string {
  return sentence.replaceAll("{protocol}", name);
}
