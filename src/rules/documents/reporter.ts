import { compareText } from "../../kernel/canonical.ts";
import type { Diagnostic, Range } from "../../model/diagnostic.ts";
import type { SourceDocument } from "./source-document.ts";

/** Shared by all parts of the compiler, so that one run finds every mistake of a file. */
export interface Reporter {
  readonly file: string;
  /** See {@link SourceDocument}. */
  readonly checked?: true;
  report(code: string, path: readonly (string | number)[], message: string, options?: ReportOptions): undefined;
}

export interface ReportOptions {
  level?: Diagnostic["level"];
  /** Probably meant. A function is called only when the mistake is reported. */
  suggest?: string | (() => string | undefined) | undefined;
  help?: string;
  /** Points at the key, not the value. */
  key?: boolean;
  inside?: { offset: number; length: number };
  related?: Diagnostic["related"];
  /** Where it is no node of the document. */
  range?: Range;
}

export function createReporter(document: SourceDocument, into: Diagnostic[]): Reporter {
  return {
    file: document.file,
    ...(document.checked && { checked: true }),
    report(code, path, message, options = {}) {
      const { level = "error", suggest, help, key = false, inside, range } = options;
      const related = [...(options.related ?? []), ...[document.originOf?.(path) ?? []].flat()];
      const meant = typeof suggest === "function" ? suggest() : suggest;
      into.push({
        ...{ code, level, file: document.file },
        range: range ?? document.rangeOf(path, { key, ...(inside && { inside }) }),
        message,
        ...(meant !== undefined && { suggest: meant }),
        ...(help !== undefined && { help }),
        ...(related.length > 0 && { related }),
      });
      return undefined;
    },
  };
}

/** Sorts by file, line, column and code. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) =>
      compareText(a.file, b.file) ||
      a.range.start.line - b.range.start.line ||
      a.range.start.column - b.range.start.column ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message),
  );
}
