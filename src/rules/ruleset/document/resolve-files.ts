import type { Diagnostic } from "../../../model/diagnostic.ts";
import { createReporter } from "../../documents/reporter.ts";
import type { SourceDocument } from "../../documents/source-document.ts";
import type { WrittenFile } from "./like.ts";
import { resolveDocument } from "./resolve.ts";
import type { RuleDocument, WrittenDocument } from "./rule-document.ts";
import { fileStem } from "./rule-schemas.ts";

/** A file as written, and with everything from other files. */
export interface ResolvedFile {
  /** By paths of the resolved document. */
  source: SourceDocument;
  /** Undefined where it does not fit the schema, or is known from an earlier start. */
  written: WrittenDocument | undefined;
  /** Undefined for a mistake, and for templates. */
  document: RuleDocument | undefined;
}

/** Resolves `like`. A template gives no document. */
export type ResolveFiles = (opened: readonly SourceDocument[], diagnostics: Diagnostic[]) => ResolvedFile[];

/** Values from an earlier start (`checked`) are resolved already. */
export function resolveFiles(opened: readonly SourceDocument[], diagnostics: Diagnostic[]): ResolvedFile[] {
  const files = opened.map((source) => ({
    source,
    written: source.checked === true ? undefined : (source.value as WrittenDocument | undefined),
  }));
  const usable = files.filter((file): file is WrittenFile => file.written !== undefined);
  const byProtocol = new Map(usable.toReversed().map((file) => [file.written.protocol, file]));
  // A checked file has no mistake, so its name is its protocol.
  const protocolOf = ({ source, written }: (typeof files)[number]) =>
    source.checked === true ? fileStem(source.file) : written?.protocol;
  const firsts = new Map(files.toReversed().map((file) => [protocolOf(file), file.source.file]));
  return files.map((file) => {
    const { source, written } = file;
    const first = firsts.get(protocolOf(file));
    if (source.checked === true) {
      const known = first === source.file ? (source.value as RuleDocument | null) : null;
      return { source, written, document: known ?? undefined };
    }
    if (written === undefined) return { source, written, document: undefined };
    const reporter = createReporter(source, diagnostics);
    const stem = fileStem(source.file);
    if (written.protocol !== stem) {
      const message = `\`${written.protocol}\` differs from the file name \`${stem}\``;
      reporter.report("RL201", ["protocol"], message, { suggest: stem });
    }
    if (first !== undefined && first !== source.file) {
      reporter.report(
        "RL208",
        ["protocol"],
        `\`${written.protocol}\` is defined in ${first} already; an id of its own was expected`,
      );
      return { source, written, document: undefined };
    }
    if (written.kind !== "template") return { ...resolveDocument({ source, written }, byProtocol, reporter), written };
    for (const field of ["like", "contracts"] as const)
      if (written[field] !== undefined)
        reporter.report("RL211", [field], "a template stands alone and has no contracts", { key: true });
    return { source, written, document: undefined };
  });
}
