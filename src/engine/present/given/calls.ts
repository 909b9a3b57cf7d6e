import type { Address } from "../../../kernel/address.ts";
import type { SilentCall } from "../../ledger/silent-calls.ts";
import { joinPhrases, trusted } from "../phrase.ts";
import type { Words } from "../teller/words.ts";
import type { ToldLoss } from "./losses.ts";

/** At most this many accounts that a call names are told; the rest is counted. */
const namedMax = 2;

/** Tells calls that no act accounts for, as predicates of the account that made them. Those that read the same are told once. */
export function tellSilentCalls(
  calls: readonly SilentCall[],
  { teller, nameOf }: Pick<Words, "teller" | "nameOf">,
): ToldLoss[] {
  const told = new Map<string, ToldLoss>();
  for (const { account, to, named } of calls) {
    const contract = nameOf(to);
    const others = named.slice(0, namedMax).map((one: Address) => trusted(nameOf(one)));
    if (named.length > others.length) others.push(teller.say("value.more", { count: named.length - others.length }));
    const predicate =
      named.length === 0
        ? teller.say("summary.called", { contract })
        : teller.say("summary.called_naming", { contract, others: joinPhrases(others) });
    told.set(account + predicate.text, { account, predicate });
  }
  return [...told.values()];
}
