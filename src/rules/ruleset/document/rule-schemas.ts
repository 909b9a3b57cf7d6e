import type { DocumentCodes } from "../../documents/source-document.ts";
import type { DocumentSchema } from "../../documents/validator.ts";

/** The lint codes of mistakes that any file of a rule folder may have. */
export const ruleDocumentCodes: DocumentCodes = {
  syntax: "RL101",
  feature: "RL102",
  hex: "RL103",
  large: "RL104",
  form: "RL202",
  field: "RL203",
};

export const ruleSchema: DocumentSchema = { name: "rule.schema.json" };

/** Files of a rule folder that hold tables and no rules, by name, each with its schema. */
export const tableSchemas: ReadonlyMap<string, DocumentSchema> = new Map([
  ["actions.yaml", { name: "actions.schema.json" }],
  ["verbs.yaml", { name: "verbs.schema.json" }],
  ["wording.yaml", { name: "wording.schema.json" }],
]);

/** The last part of a path. Both `/` and `\` separate parts. */
export function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** The name of a file without `.yaml` or `.yml`. For a rule file this is its protocol. */
export function fileStem(path: string): string {
  return fileName(path).replace(/\.ya?ml$/, "");
}
