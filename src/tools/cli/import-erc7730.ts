import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadLabels } from "../../rules/labels/load.ts";
import { loadRuleset } from "../../rules/ruleset/load.ts";
import type { Config } from "../../serve/settings/config.ts";
import { importDescriptors, type Known } from "../erc7730/import.ts";
import { tellsCall } from "../erc7730/known-call.ts";
import { formatReport } from "../erc7730/report.ts";
import { UsageError } from "../terminal/command-table.ts";
import type { CommandOf } from "./command-line.ts";

/**
 * `out`: a folder for the files, whose paths are printed; else the one file is printed. The report is for stderr; status 1 when nothing
 * compiled. Throws UsageError.
 */
export function runImport(
  { path, out }: CommandOf<"import-erc7730">,
  config: Pick<Config, "rulesDir" | "labelsDir">,
): { text: string; report: string; status: number } {
  if (!existsSync(path)) throw new UsageError(`there is no file or folder ${path}`);
  const { files, findings } = importDescriptors(path, readKnown(config));
  if (files.length === 0 && findings.length === 0)
    throw new UsageError(`there is no descriptor, which is a JSON file, in ${path}`);
  if (out === null && files.length > 1)
    throw new UsageError(`${files.length} rule files came out: --out says into which folder they go`);
  const rules = files.reduce((sum, file) => sum + file.rules, 0);
  const report = formatReport(findings, { files: files.length, rules });
  const status = files.length === 0 ? 1 : 0;
  if (out === null) return { text: files[0]?.text ?? "", report, status };
  if (files.length > 0) mkdirSync(out, { recursive: true });
  const paths = files.map(({ slug, text }) => {
    const target = join(out, `${slug}.yaml`);
    writeFileSync(target, text);
    return `${target}\n`;
  });
  return { text: paths.join(""), report, status };
}

/** A rule file's name for an address first: a second name would be a lint finding. */
function readKnown({ rulesDir, labelsDir }: Pick<Config, "rulesDir" | "labelsDir">): Known {
  const { ruleset } = loadRuleset(rulesDir);
  const { labels } = loadLabels(labelsDir, ruleset.names);
  const byRule = new Map(ruleset.names.map(({ address, label }) => [address, label]));
  return {
    nameOf: (address) => byRule.get(address) ?? labels.token(address)?.symbol ?? labels.name(address)?.label,
    tells: (address, selector) => tellsCall(ruleset, address, selector),
  };
}
