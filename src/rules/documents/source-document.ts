import type { Diagnostic, Range } from "../../model/diagnostic.ts";

/** The diagnostic codes that one kind of file uses for mistakes that any YAML file may have. */
export interface DocumentCodes {
  /** Text that is not YAML, or a key that is written twice. */
  syntax: string;
  /** An anchor, alias, tag, merge key or second document. */
  feature: string;
  /** Unquoted hex. */
  hex: string;
  /** An integer above 2^53 - 1. */
  large: string;
  /** A value that the schema refuses, or a missing field. */
  form: string;
  /** A field that the schema does not know. */
  field: string;
}

/** Steps from the root of a document: keys and positions in lists. */
export type DocumentPath = readonly (string | number)[];

/** A YAML file read once, with the place of every node. */
export interface SourceDocument {
  file: string;
  text: string;
  codes: DocumentCodes;
  /** Plain data; undefined when the file is not YAML, or uses YAML features that are not allowed. */
  value: unknown;
  /**
   * The place of a value, or with `key` of its key; `inside` narrows it to characters of a text. A collection over several lines is shown
   * by its key or its first line. A missing value is shown by the closest thing around it.
   */
  rangeOf(path: DocumentPath, options?: { key?: boolean; inside?: { offset: number; length: number } }): Range;
  /** The place in another file from which this file takes over the value. */
  originOf?(path: DocumentPath): NonNullable<Diagnostic["related"]>[number] | undefined;
  diagnostics: Diagnostic[];
  /** An earlier start found no mistake in exactly this text. Costly checks that only find mistakes may be skipped. */
  checked?: true;
}

/** A document without its text. It was checked when it was prepared, so no diagnostic will need a place in it. */
export function preparedDocument(file: string, codes: DocumentCodes, value: unknown): SourceDocument {
  const start = { line: 1, column: 1 };
  return { file, text: "", codes, value, rangeOf: () => ({ start, end: start }), diagnostics: [], checked: true };
}
