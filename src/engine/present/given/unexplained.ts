import { type Address, zeroAddress } from "../../../kernel/address.ts";
import { ownershipTopic } from "../../../kernel/token-standards.ts";
import { addressOfWord, isAddressWord } from "../../../kernel/word.ts";
import type { MatchContext } from "../../../model/match.ts";
import type { Phrase } from "../../../model/phrase.ts";
import type { Log } from "../../../model/transaction.ts";
import { tierRank } from "../../../rules/ruleset/actions.ts";
import type { CompiledRule } from "../../../rules/ruleset/compiled.ts";
import type { Settled } from "../../settle/settle.ts";
import { finalReceiversOf } from "../amounts/flow-phrases.ts";
import { joinPhrases, trusted } from "../phrase.ts";
import type { Words } from "../teller/words.ts";

type TellingAct = {
  rule: Pick<CompiledRule, "tier" | "anchor" | "status" | "protocol" | "legs">;
  context: MatchContext;
};

/** At most this many new contracts are named; the rest is counted. */
const namedMax = 2;

/**
 * Whether an act says no more than that a contract was called: what the call was for is then not known. A call that paid somebody else says
 * more.
 */
export function isBare({ rule, context }: TellingAct): boolean {
  const { tx, flow, target } = context;
  const isCall = rule.tier === tierRank("fallback") && rule.anchor.kind === "none" && rule.status === "success";
  if (!isCall || rule.protocol !== null || rule.legs.length > 0 || tx.input === "0x") return false;
  const receivers = finalReceiversOf(flow.recipients, context, () => false);
  return flow.gives.length === 0 || receivers.every((one) => one === target);
}

/**
 * Adds to a bare call which contracts it created. Without a call tree only a new contract's own word is known: it reports its first owner.
 */
export function tellCreated(
  act: Phrase,
  told: TellingAct,
  { teller, nameOf }: Pick<Words, "teller" | "nameOf">,
): Phrase {
  if (!isBare(told)) return act;
  const { tx } = told.context;
  if (!tx.traced) {
    const owned = tx.logs.flatMap((log) => {
      const owner = log.address === tx.to ? undefined : firstOwnerOf(log);
      return owner === undefined ? [] : [{ contract: log.address, owner }];
    });
    const firsts = [...new Map(owned.map((one) => [one.contract, one])).values()].slice(0, namedMax);
    if (firsts.length === 0) return act;
    const owners = firsts.map(({ contract, owner }) =>
      teller.say("summary.first_owner", { contract: nameOf(contract), owner: nameOf(owner) }),
    );
    return teller.say("summary.saw", { act, seen: joinPhrases(owners) });
  }
  const made = tx.calls.flatMap(({ ok, kind, to, index }): Address[] =>
    ok && index > 0 && to !== null && (kind === "create" || kind === "create2") ? [to] : [],
  );
  if (made.length === 0) return act;
  const names = made.slice(0, namedMax).map((one) => trusted(nameOf(one)));
  if (made.length > names.length) names.push(teller.say("value.more", { count: made.length - names.length }));
  const seen = teller.say("summary.created", { count: made.length, contracts: joinPhrases(names) });
  return teller.say("summary.saw", { act, seen });
}

/** That the purpose of a bare call is not known, with how much else was seen; empty where every act says more. */
export function tellPurpose(
  { actions, claimedMovements, claimedLogs }: Pick<Settled, "actions" | "claimedMovements" | "claimedLogs">,
  { teller }: Pick<Words, "teller">,
): Phrase[] {
  const [bare] = actions;
  if (bare === undefined || !actions.every(isBare)) return [];
  const { tx, subject } = bare.context;
  const stating = new Set(tx.movements.map(({ log }) => log));
  const events = tx.logs.filter(({ index }) => !stating.has(index) && !claimedLogs.has(index)).length;
  const movements = tx.movements.filter(
    ({ index, fee, amount, from, to }) =>
      !fee && amount > 0n && from !== subject && to !== subject && !claimedMovements.has(index),
  ).length;
  const seen = [
    ...(movements === 0 ? [] : [teller.say("missing.movements", { count: movements })]),
    ...(events === 0 ? [] : [teller.say("missing.events", { count: events })]),
  ];
  return [
    seen.length === 0
      ? teller.say("missing.purpose", {})
      : teller.say("missing.purpose_seen", { seen: joinPhrases(seen) }),
  ];
}

/** Whom a contract that had no owner reports as its owner. */
function firstOwnerOf({ topics: [topic, before, owner] }: Log): Address | undefined {
  if (topic !== ownershipTopic || !isAddressWord(before) || !isAddressWord(owner)) return undefined;
  return addressOfWord(before) === zeroAddress ? addressOfWord(owner) : undefined;
}
