import type { Diagnostic } from "../../model/diagnostic.ts";
import { listSources } from "../documents/citation.ts";
import { createReporter } from "../documents/reporter.ts";
import { checkSchema } from "../documents/schema-check.ts";
import type { DocumentPath, SourceDocument } from "../documents/source-document.ts";
import type { AccountsEntry, DecimalsEntry, LabelEntries, Located, SchemeEntry } from "./entry.ts";

export const labelSchema = "label.schema.json";

/** Definitions by the value of `schema`. */
const definitions: ReadonlyMap<unknown, string> = new Map([
  ["tokens/v1", "tokens_file"],
  ["names/v1", "names_file"],
  ["system/v1", "system_file"],
  ["chains/v1", "chains_file"],
  ["decimals/v1", "decimals_file"],
  ["proxies/v1", "proxies_file"],
  ["feeds/v1", "feeds_file"],
  ["chain/v1", "chain_file"],
]);

const listKeys = [
  ...["tokens", "names", "roles", "proxies", "feeds"],
  ...["upgrades", "block_times", "gas_caps", "deposits", "predeploys", "precompiles"],
] as const satisfies (keyof LabelEntries)[];

/** Checks by schemas/label.schema.json (LB105 to LB107). An entry with a mistake is left out and the others stay. */
export function readEntries(document: SourceDocument, entries: LabelEntries, diagnostics: Diagnostic[]): void {
  const content = asObject(document.value);
  const definition = definitions.get(content?.schema);
  if (content === undefined || definition === undefined) {
    const known = [...definitions.keys()].map((name) => `\`${name}\``).join(", ");
    const stated = content?.schema === undefined ? "missing" : JSON.stringify(content.schema);
    const message = `\`schema\` is ${stated}; one of ${known} was expected.`;
    createReporter(document, diagnostics).report("LB105", ["schema"], message);
    return;
  }
  const mistakes = document.checked ? [] : checkSchema({ name: labelSchema, definition }, document, diagnostics);
  const wrong = new Set(mistakes.map((path) => path.slice(0, 2).join("/")));
  const used = new Set<unknown>();
  const take = <T>(into: Located<T>[], path: DocumentPath, value: unknown): void => {
    for (const id of listSources(asObject(value)?.source)) used.add(id);
    if (!wrong.has(String(path[0])) && !wrong.has(path.slice(0, 2).join("/")))
      into.push({ document, path, value: value as T });
  };
  for (const key of listKeys) {
    const items = Array.isArray(content[key]) ? content[key] : [];
    for (const [index, value] of items.entries()) take<never>(entries[key] as Located<never>[], [key, index], value);
  }
  for (const [scheme, value] of Object.entries(asObject(content.schemes) ?? {}))
    take<SchemeEntry>(entries.schemes, ["schemes", scheme], { ...asObject(value), scheme });
  for (const [form, value] of Object.entries(asObject(content.accounts) ?? {}))
    take<AccountsEntry>(entries.accounts, ["accounts", form], { ...asObject(value), form });
  for (const [decimals, value] of Object.entries(asObject(content.decimals) ?? {}))
    for (const [i, group] of [value].flat().entries()) {
      const path = Array.isArray(value) ? ["decimals", decimals, i] : ["decimals", decimals];
      take<DecimalsEntry>(entries.decimals, path, { ...asObject(group), decimals: Number(decimals) });
    }
  const sources = asObject(content.sources);
  if (sources !== undefined) entries.sources.push({ document, path: ["sources"], value: { defined: sources, used } });
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
