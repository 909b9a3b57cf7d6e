import type { DocumentCodes } from "../../documents/source-document.ts";
import type { DocumentSchema } from "../../documents/validator.ts";

export const ruleDocumentCodes: DocumentCodes = {
  syntax: "RL101",
  feature: "RL102",
  hex: "RL103",
  large: "RL104",
  form: "RL202",
  field: "RL203",
};

export const ruleSchema: DocumentSchema = { name: "rule.schema.json" };

/** Tables without rules, by file name. */
export const tableSchemas: ReadonlyMap<string, DocumentSchema> = new Map([
  ["actions.yaml", { name: "actions.schema.json" }],
  ["verbs.yaml", { name: "verbs.schema.json" }],
  ["wording.yaml", { name: "wording.schema.json" }],
]);

/** `/` and `\` separate parts. */
export function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** Without `.yaml` or `.yml`; of a rule file, its protocol. */
export function fileStem(path: string): string {
  return fileName(path).replace(/\.ya?ml$/, "");
}
