import { readDocument } from "../../../documents/document.ts";
import { suggest } from "../../../documents/suggest.ts";
import { labelDocumentCodes } from "../../../labels/code.ts";
import { attemptsOf } from "../../../ruleset/document/attempt-entry.ts";
import type { RuleSet } from "./rule-set.ts";

/** RL314: a capture of a chain whose scheme no label file knows: every name would be a bare number. */
export function checkSchemes(set: RuleSet, schemes: ReadonlySet<string>): void {
  if (schemes.size === 0) return;
  for (const file of set.files)
    (file.document.rules ?? []).forEach((entry, position) => {
      const places = attemptsOf(entry).map(({ attempt, path }) => ({ captures: attempt.capture, path }));
      for (const { captures, path } of [{ captures: entry.capture, path: [] }, ...places])
        for (const [name, capture] of Object.entries(captures ?? {}))
          if (!Array.isArray(capture) && typeof capture.scheme === "string" && !schemes.has(capture.scheme))
            set
              .reporter(file)
              .report(
                "RL314",
                ["rules", position, ...path, "capture", name, "scheme"],
                `\`${capture.scheme}\` is no chain scheme`,
                { suggest: suggest(capture.scheme, [...schemes]) },
              );
    });
}

/** The schemes that label files define. */
export function schemesOf(labels: readonly { path: string; text: string }[]): Set<string> {
  const files = labels.filter(({ text }) => /^schema: chains\//m.test(text));
  const found = files.map(
    ({ path, text }) =>
      readDocument(path, text, labelDocumentCodes).value as { schemes?: Record<string, unknown> } | undefined,
  );
  return new Set(found.flatMap((data) => Object.keys(data?.schemes ?? {})));
}
