import type { Range } from "../../../model/diagnostic.ts";
import type { RuleSet } from "./rule-set.ts";

/** RL208: one id for two rules or unwrappers, in one file or in two files of one protocol id. */
export function checkIds(set: RuleSet): void {
  const firsts = new Map<string, { file: string; range: Range }>();
  for (const file of set.files)
    for (const list of ["rules", "unwrap"] as const)
      (file.document[list] ?? []).forEach((entry: { id: string }, position: number) => {
        const id = `${file.document.protocol}/${entry.id}`;
        const key = `${list} ${id}`;
        const path = [list, position, "id"];
        const first = firsts.get(key);
        if (first === undefined) firsts.set(key, { file: file.source.file, range: file.source.rangeOf(path) });
        else
          set.reporter(file).report("RL208", path, `\`${id}\` is defined twice; an id of its own was expected`, {
            related: [{ ...first, message: "The first one" }],
          });
      });
}
