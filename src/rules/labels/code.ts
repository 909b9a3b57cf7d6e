import type { DocumentCodes } from "../documents/source-document.ts";

/** A code is never used again for another mistake. Lint prints this for `--explain`. */
export const labelCodes = {
  LB100: { level: "error", finds: "a label file or folder that cannot be read" },
  LB101: { level: "error", finds: "text that is not YAML, or a key written twice in one mapping" },
  LB102: { level: "error", finds: "an anchor, alias, tag, merge key or second document" },
  LB103: { level: "error", finds: "unquoted hex, which YAML reads as a number" },
  LB104: { level: "error", finds: "an unquoted integer above 2^53 - 1, which YAML rounds" },
  LB105: { level: "error", finds: "a file whose `schema` names no kind of label file" },
  LB106: { level: "error", finds: "a missing field, or a value of the wrong type or form" },
  LB107: { level: "error", finds: "an unknown field" },
  LB108: { level: "error", finds: "an address that is not in EIP-55 form" },
  LB109: {
    level: "error",
    finds: "text that may not be shown: too long, stray spaces, or a character outside the list",
  },
  LB110: { level: "error", finds: "one thing listed twice with different facts" },
  LB111: { level: "warning", finds: "one thing listed twice with the same facts" },
  LB112: { level: "error", finds: "two well-known tokens with one symbol" },
  LB113: { level: "warning", finds: "a token that is not well known with the symbol of one that is" },
  LB114: { level: "error", finds: "a source that the file's `sources` do not define" },
  LB115: { level: "warning", finds: "a defined source that nothing names" },
  LB116: { level: "error", finds: "a chain scheme that extends a missing one, or one that itself extends another" },
  LB117: { level: "error", finds: "a form of accounts for a chain that no scheme names" },
  LB118: { level: "error", finds: "an upgrade that is not listed" },
  LB119: { level: "error", finds: "block times that overlap, or a moment that does not exist" },
} as const satisfies Record<string, { level: "error" | "warning"; finds: string }>;

export type LabelCode = keyof typeof labelCodes;

export const labelDocumentCodes: DocumentCodes = {
  syntax: "LB101",
  feature: "LB102",
  hex: "LB103",
  large: "LB104",
  form: "LB106",
  field: "LB107",
};
