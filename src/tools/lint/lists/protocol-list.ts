import { basename, dirname } from "node:path";
import { counted } from "../../../kernel/amount.ts";
import { compareText } from "../../../kernel/canonical.ts";
import type { LoadedRuleset } from "../../../rules/ruleset/compile-documents.ts";
import type { RuleDocument } from "../../../rules/ruleset/document/rule-document.ts";
import { isUsable, type UsableFile } from "../rule-view.ts";

/** Markdown by family. The same rules give the same bytes. */
export function protocolList({ files }: LoadedRuleset): string {
  const usable = files.filter(isUsable);
  const families = Map.groupBy(usable, ({ source }) => basename(dirname(source.file)));
  const sections = [...families]
    .sort(([a], [b]) => compareText(a, b))
    .map(([family, own]) => sectionOf(family, documentsOf(own)));
  return `${[openingOf(documentsOf(usable)), ...sections].join("\n\n")}\n`;
}

function documentsOf(files: readonly UsableFile[]): RuleDocument[] {
  return files.map(({ document }) => document).sort((a, b) => compareText(a.protocol, b.protocol));
}

function openingOf(documents: readonly RuleDocument[]): string {
  const protocols = documents.filter(({ kind }) => kind === "protocol").length;
  const rules = documents.flatMap((document) => document.rules ?? []).length;
  const examples = documents.flatMap((document) => document.examples ?? []).length;
  return [
    "# Protocols",
    "",
    "Made from rules/ by `npm run docs`.",
    "",
    `${counted(protocols, "protocol")} and ${counted(documents.length - protocols, "standard")}, ${counted(rules, "rule")}, ${counted(examples, "example")}. A contract that is *proven* is made by`,
    "a factory; its membership is shown anew in each transaction. Recorded examples are real transactions.",
  ].join("\n");
}

function sectionOf(family: string, documents: readonly RuleDocument[]): string {
  const rows = documents.map((document) => {
    const cells = [nameOf(document), actionsOf(document), contractsOf(document), examplesOf(document)];
    return `| ${cells.join(" | ")} |`;
  });
  return [`## ${family}`, "", "| Protocol | Actions | Contracts | Examples |", "|---|---|---|---|", ...rows].join("\n");
}

function nameOf({ protocol, name, site }: RuleDocument): string {
  const shown = escapeCell(name ?? protocol);
  return site === undefined ? shown : `[${shown}](${site})`;
}

function actionsOf({ rules = [] }: RuleDocument): string {
  const actions = [...new Set(rules.map(({ action }) => action))].sort(compareText);
  return actions.length === 0 ? "names only" : actions.map((action) => `\`${action}\``).join(" ");
}

function contractsOf({ contracts = {}, members = {} }: RuleDocument): string {
  const known = Object.entries(contracts).map(([role, { length }]) => (length === 1 ? role : `${role} × ${length}`));
  const proven = Object.keys(members).map((role) => `${role} (proven)`);
  return [...known, ...proven].map((text) => text.replaceAll("_", " ")).join(", ") || "any";
}

function examplesOf({ examples = [] }: RuleDocument): string {
  const recorded = new Set(examples.flatMap(({ tx }) => tx ?? [])).size;
  return recorded === 0 ? String(examples.length) : `${examples.length} (${recorded} recorded)`;
}

function escapeCell(text: string): string {
  return text.replace(/[\\|[\]*_`]/g, (character) => `\\${character}`);
}
