import type { Burden } from "../../ledger/burdens.ts";
import type { Words } from "../teller/words.ts";
import type { ToldLoss } from "./losses.ts";

/** Tells what was put on accounts that did nothing, as predicates of these accounts. What reads the same is told once. */
export function tellBurdens(
  burdens: readonly Burden[],
  { writer, teller }: Pick<Words, "writer" | "teller">,
): ToldLoss[] {
  const told = new Map<string, ToldLoss>();
  for (const { account, rule, context } of burdens) {
    const act = writer.write(rule.does, { rule, context, form: "request" });
    if (act === undefined) continue;
    const predicate = teller.say("summary.in_its_name", { act });
    told.set(account + predicate.text, { account, predicate });
  }
  return [...told.values()];
}
