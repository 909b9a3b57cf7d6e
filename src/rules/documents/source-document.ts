import type { Diagnostic, Range } from "../../model/diagnostic.ts";

/** Codes for mistakes that any YAML file may have. */
export interface DocumentCodes {
  /** No YAML, or a key written twice. */
  syntax: string;
  /** An anchor, alias, tag, merge key or second document. */
  feature: string;
  /** Unquoted hex. */
  hex: string;
  /** An integer above 2^53 - 1. */
  large: string;
  /** Refused by the schema, or missing. */
  form: string;
  /** Unknown to the schema. */
  field: string;
}

/** Keys and positions in lists. */
export type DocumentPath = readonly (string | number)[];

export interface SourceDocument {
  file: string;
  text: string;
  codes: DocumentCodes;
  /** Undefined when it is not YAML, or uses features that are not allowed. */
  value: unknown;
  /**
   * With `key` of the key; `inside` narrows to characters of a text. Over several lines: the key or first line; a missing value: the
   * closest thing around it.
   */
  rangeOf(path: DocumentPath, options?: { key?: boolean; inside?: { offset: number; length: number } }): Range;
  /** In the file from which the value comes. */
  originOf?(path: DocumentPath): NonNullable<Diagnostic["related"]>[number] | undefined;
  diagnostics: Diagnostic[];
  /** An earlier start found no mistake in exactly this text, so costly checks may be skipped. */
  checked?: true;
}

/** Without text: checked when prepared, so no diagnostic needs a place. */
export function preparedDocument(file: string, codes: DocumentCodes, value: unknown): SourceDocument {
  const start = { line: 1, column: 1 };
  return { file, text: "", codes, value, rangeOf: () => ({ start, end: start }), diagnostics: [], checked: true };
}
