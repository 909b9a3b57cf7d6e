import { suggest } from "../../../../rules/documents/suggest.ts";
import { type LabelFile, labelValues } from "../../../../rules/labels/load.ts";
import { entriesOf, tellingsOf } from "../../rule-view.ts";
import type { RuleSet } from "./rule-set.ts";

/** RL314: a capture of a chain whose scheme no label file has. Without it, every chain would be told as a bare number. */
export function checkSchemes(set: RuleSet, schemes: ReadonlySet<string>): void {
  if (schemes.size === 0) return;
  for (const file of set.wanted)
    for (const { captures, at } of entriesOf(file).flatMap(tellingsOf))
      for (const [name, capture] of Object.entries(captures)) {
        if (Array.isArray(capture) || typeof capture.scheme !== "string" || schemes.has(capture.scheme)) continue;
        const path = [...at, "capture", name, "scheme"];
        const meant = suggest(capture.scheme, [...schemes]);
        set.report(file, "RL314", path, `\`${capture.scheme}\` is no chain scheme`, { suggest: meant });
      }
}

export function schemesOf(labels: readonly LabelFile[]): Set<string> {
  return new Set(
    labelValues<{ schemes: object }>(labels, "chains").flatMap(({ schemes = {} }) => Object.keys(schemes)),
  );
}
