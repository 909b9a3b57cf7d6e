import { createHash } from "node:crypto";
import { canonicalJson } from "../../../kernel/canonical.ts";
import type { ActionTypes } from "../actions.ts";
import { sortContracts } from "../compile/scope.ts";
import type { VerbTable } from "../verbs.ts";
import type { WordingDocument } from "../wording/wording.ts";
import { engineVersion } from "./engine-version.ts";
import type { RuleDocument } from "./rule-document.ts";

/** What answers depend on. */
export interface StatedRules {
  actions: ActionTypes;
  verbs: VerbTable;
  wording: WordingDocument;
  documents: readonly RuleDocument[];
}

/** SHA-256, 64 hex digits; independent of examples and of the order of files and keys. */
export function fingerprintOf({ actions, verbs, wording, documents }: StatedRules): string {
  const table = [...actions.values()].map((action) => canonicalJson(action)).sort();
  const words = [...verbs].map(([base, past]) => `${base} ${past}`).sort();
  const files = documents.map((document) =>
    canonicalJson({ ...document, contracts: sortContracts(document.contracts), examples: [] }),
  );
  const hash = createHash("sha256");
  for (const part of [canonicalJson([engineVersion, table, words, wording]), ...files.sort()])
    hash.update(`${part.length}:`).update(part);
  return hash.digest("hex");
}
