import type { Diagnostic } from "../../model/diagnostic.ts";

/** What a run found, as the formats print it. */
export interface LintReport {
  diagnostics: readonly Diagnostic[];
  /** Files that were checked. */
  files: number;
  /** Lines of a file, for code frames; undefined when they are not at hand. */
  lines(file: string): readonly string[] | undefined;
  colour: boolean;
}
