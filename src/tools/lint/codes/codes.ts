import { readFileSync } from "node:fs";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import { loadYaml } from "../../../rules/documents/packages.ts";
import { labelCodes } from "../../../rules/labels/code.ts";

interface LintCode {
  level: Diagnostic["level"];
  /** Whether the loader refuses a file with this finding. Such a finding cannot be suppressed. */
  blocks: boolean;
  /** What is wrong, as a noun phrase. */
  finds: string;
  /** What to do about it. */
  help: string;
}

/** Lines in which the code finds a mistake, and the same lines as they should be. */
interface CodeSample {
  bad: string;
  good: string;
}

interface CodeTable {
  rules: Record<string, Omit<LintCode, "blocks"> & { blocks?: true } & Partial<CodeSample>>;
  labels: Record<string, CodeSample>;
}

let table: CodeTable | undefined;

/** Read on first use, because a run without findings does not need it. */
function codeTable(): CodeTable {
  table ??= loadYaml().parse(readFileSync(new URL("codes.yaml", import.meta.url), "utf8")) as CodeTable;
  return table;
}

/** Every mistake of a rule file, as codes.yaml lists them. */
export function ruleCodes(): Readonly<Record<string, LintCode>> {
  const entries = Object.entries(codeTable().rules);
  return Object.fromEntries(entries.map(([code, entry]) => [code, { blocks: false, ...entry }]));
}

/** The sample of a code; undefined where it has none. */
export function sampleOf(code: string): CodeSample | undefined {
  const { rules, labels } = codeTable();
  const { bad, good } = { ...rules, ...labels }[code] ?? {};
  return bad === undefined || good === undefined ? undefined : { bad, good };
}

/** The entry of a code of rule files or label files; undefined for an unknown code. */
export function findCode(code: string): LintCode | undefined {
  const { rules } = codeTable();
  const entry = Object.hasOwn(rules, code) ? rules[code] : undefined;
  if (entry !== undefined) return { blocks: false, ...entry };
  if (!Object.hasOwn(labelCodes, code)) return undefined;
  const { level, finds } = labelCodes[code as keyof typeof labelCodes];
  const help = "labels/ holds facts with their sources; schemas/label.schema.json describes its files.";
  return { level, blocks: level === "error", finds, help };
}

export function allCodes(): string[] {
  return [...Object.keys(codeTable().rules), ...Object.keys(labelCodes)].sort();
}
