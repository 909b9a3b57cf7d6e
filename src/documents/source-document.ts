import type { Diagnostic, Range } from "../model/diagnostic.ts";

/** The codes under which one kind of file reports what any YAML file may have wrong. */
export interface DocumentCodes {
  /** Text that is not YAML, or a key twice. */
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
  /** Plain data; undefined when the file is not YAML or uses what is not allowed here. */
  value: unknown;
  /**
   * Where a value (or, with `key`, its key) stands; `inside` narrows to characters within a text. A collection over several lines
   * is shown by its key, or by its first line; what is missing by the closest thing around it.
   */
  rangeOf(path: DocumentPath, options?: { key?: boolean; inside?: { offset: number; length: number } }): Range;
  /** Where a value is written that this file takes over from another one. */
  originOf?(path: DocumentPath): NonNullable<Diagnostic["related"]>[number] | undefined;
  diagnostics: Diagnostic[];
  /** An earlier start found no mistake in this very text: costly checks that only find mistakes may be left out. */
  checked?: true;
}

/** A document whose text is not at hand: it was checked when it was prepared, so nothing will be said about its places. */
export function preparedDocument(file: string, codes: DocumentCodes, value: unknown): SourceDocument {
  const start = { line: 1, column: 1 };
  return { file, text: "", codes, value, rangeOf: () => ({ start, end: start }), diagnostics: [], checked: true };
}
