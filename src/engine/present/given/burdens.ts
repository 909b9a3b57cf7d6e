import { atKnownPlace } from "../../../rules/ruleset/precedence.ts";
import type { Burden } from "../../ledger/burdens.ts";
import type { Words } from "../teller/words.ts";
import type { ToldLoss } from "./losses.ts";

/** Tells what was put on accounts that did nothing, as predicates of these accounts. What reads the same is told once. */
export function tellBurdens(
  burdens: readonly Burden[],
  { writer, teller, nameOf }: Pick<Words, "writer" | "teller" | "nameOf">,
): ToldLoss[] {
  const told = new Map<string, ToldLoss>();
  for (const { account, rule, context } of burdens) {
    const act = writer.write(rule.does, { rule, context, form: "request" });
    if (act === undefined) continue;
    // Anybody can write a contract whose event names somebody: then it is that contract's word.
    const { log } = context;
    const predicate =
      atKnownPlace(rule) || log === null
        ? teller.say("summary.made_to", { act })
        : teller.say("summary.said_to", { act, contract: nameOf(log.address) });
    told.set(account + predicate.text, { account, predicate });
  }
  return [...told.values()];
}
