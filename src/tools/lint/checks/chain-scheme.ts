import { suggest } from "../../../rules/documents/suggest.ts";
import { type LabelFile, labelValues } from "../../../rules/labels/load.ts";
import { type LintFinding, type PlacedEntry, tellingsOf } from "../rule-view.ts";

/** RL314: a capture of a chain whose scheme no label file has. Without it, every chain would be told as a bare number. */
export function* checkSchemes(placed: PlacedEntry, schemes: ReadonlySet<string>): Generator<LintFinding> {
  if (schemes.size === 0) return;
  for (const { captures, at } of tellingsOf(placed))
    for (const [name, capture] of Object.entries(captures)) {
      if (Array.isArray(capture) || typeof capture.scheme !== "string" || schemes.has(capture.scheme)) continue;
      const meant = suggest(capture.scheme, [...schemes]);
      const path = [...at, "capture", name, "scheme"];
      yield ["RL314", path, `\`${capture.scheme}\` is no chain scheme`, { suggest: meant }];
    }
}

export function schemesOf(labels: readonly LabelFile[]): Set<string> {
  return new Set(
    labelValues<{ schemes: object }>(labels, "chains").flatMap(({ schemes = {} }) => Object.keys(schemes)),
  );
}
