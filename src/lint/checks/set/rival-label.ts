import { readAddress } from "../../../kernel/address.ts";
import type { Range } from "../../../model/diagnostic.ts";
import type { RuleSet } from "./rule-set.ts";

/** RL707: one address with two labels: which one readers see would depend on their spelling. */
export function checkLabels(set: RuleSet): void {
  const firsts = new Map<string, { label: string; file: string; range: Range }>();
  for (const file of set.files)
    for (const [role, entries] of Object.entries(file.document.contracts ?? {}))
      entries.forEach((entry, i) => {
        const address = readAddress(entry.address);
        if (address === undefined) return;
        const { label } = entry;
        const path = ["contracts", role, i, "label"];
        const first = firsts.get(address);
        if (first === undefined)
          firsts.set(address, { label, file: file.source.file, range: file.source.rangeOf(path) });
        else if (first.label !== label) {
          const related = [{ file: first.file, range: first.range, message: `\`${first.label}\` is here` }];
          set
            .reporter(file)
            .report(
              "RL707",
              path,
              `\`${entry.address}\` is labelled \`${label}\` here and \`${first.label}\` elsewhere; one label was expected`,
              { related },
            );
        }
      });
}
