import { join } from "node:path";
import type { Import } from "../../../src/tools/erc7730/import.ts";
import { lint } from "../../../src/tools/lint/lint.ts";
import { findSources } from "../../../src/tools/lint/sources.ts";
import { root } from "../../support/shared.ts";
import { noRecordings } from "../lint/lint-text.ts";

/** Lints what was made beside all rules that ship. */
export function lintBeside({ files }: Import): string[] {
  const shipped = findSources([join(root, "rules"), join(root, "labels")]);
  const rules = files.map(({ slug, text }) => ({ file: `rules/intents/${slug}.yaml`, text }));
  const wanted = new Set(rules.map(({ file }) => file));
  const { diagnostics } = lint({ ...shipped, rules: [...shipped.rules, ...rules], wanted }, noRecordings);
  // Where a descriptor is from, nobody told the import; and it need not show every receiver.
  const others = diagnostics.filter(({ code }) => code !== "RL214" && code !== "RL614");
  return others.map(({ code, file, range, message }) => `${file}:${range.start.line} ${code} ${message}`);
}
