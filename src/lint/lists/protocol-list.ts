import { basename, dirname } from "node:path";
import { compareText } from "../../kernel/canonical.ts";
import type { RuleDocument } from "../../ruleset/document/rule-document.ts";
import type { LoadedFile, LoadedRuleset } from "../../ruleset/load.ts";
import { isUsable } from "../rule-view.ts";

/** What the rules know, by family, as a page in Markdown. The same rules give the same bytes. */
export function protocolList({ files }: LoadedRuleset): string {
  const families = new Map<string, LoadedFile[]>();
  for (const file of files.filter(isUsable)) {
    const family = basename(dirname(file.source.file));
    families.set(family, [...(families.get(family) ?? []), file]);
  }
  const documents = files.flatMap((file) => file.document ?? []);
  const sections = [...families]
    .sort(([a], [b]) => compareText(a, b))
    .map(([family, own]) =>
      sectionOf(
        family,
        own.filter(isUsable).map(({ document }) => document),
      ),
    );
  return `${[openingOf(documents), ...sections].join("\n\n")}\n`;
}

function openingOf(documents: readonly RuleDocument[]): string {
  const protocols = documents.filter(({ kind }) => kind === "protocol").length;
  const rules = documents.reduce((sum, { rules = [] }) => sum + rules.length, 0);
  const examples = documents.reduce((sum, document) => sum + (document.examples ?? []).length, 0);
  return [
    "# Protocols",
    "",
    "Made from rules/ by `npm run docs`.",
    "",
    `${protocols} protocols and ${documents.length - protocols} standards, ${rules} rules, ${examples} examples. A contract that is *proven* is made by`,
    "a factory; its membership is shown anew in each transaction. Recorded examples are real transactions.",
  ].join("\n");
}

function sectionOf(family: string, documents: readonly RuleDocument[]): string {
  const rows = [...documents]
    .sort((a, b) => compareText(a.protocol, b.protocol))
    .map(
      (document) =>
        `| ${[nameOf(document), actionsOf(document), contractsOf(document), examplesOf(document)].join(" | ")} |`,
    );
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
