import { type Address, isBurnAddress } from "../../kernel/address.ts";
import type { Transaction } from "../../model/transaction.ts";
import { findPayees } from "../../money/payees.ts";
import { assetKeyOf } from "../../money/trail.ts";
import { balanceChanges } from "../../normalize/balance-changes.ts";
import { tierRank } from "../../ruleset/actions.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import { joinPhrases } from "../phrase.ts";
import type { Teller } from "../teller/teller.ts";
import type { ToldLoss } from "./losses.ts";
import type { TellingAct } from "./told-amounts.ts";

/** What all together had more of an asset in the end; burn addresses are left out. */
function paidOut({ movements }: Transaction, key: string): bigint {
  const nets = new Map<Address, bigint>();
  for (const move of movements) {
    if (move.fee || assetKeyOf(move) !== key) continue;
    nets.set(move.to, (nets.get(move.to) ?? 0n) + move.amount);
    nets.set(move.from, (nets.get(move.from) ?? 0n) - move.amount);
  }
  return [...nets].reduce((sum, [holder, net]) => (net > 0n && !isBurnAddress(holder) ? sum + net : sum), 0n);
}

/** Assets of one payee that are named. */
const assetsMax = 3;

/**
 * Who got most of what came for the money of an account that itself got nothing, where nothing names him that is said: the receiver of
 * a withdrawal, or of the receipt for a deposit.
 */
export function tellPayees(
  act: TellingAct,
  isSaid: (name: string) => boolean,
  { names, teller, nameOf }: { names: AssetNames; teller: Teller; nameOf: (address: Address) => string },
): ToldLoss[] {
  const { tx, subject, flow, target } = act.context;
  if (tx.status === "reverted" || flow.gets.length > 0) return [];
  // A known contract that an account calls pays out of what it keeps for it: nothing leads there from what it gave.
  const isOwn = act.rule.tier > tierRank("system") && act.rule.actsFor === null;
  const keeps = isOwn && target !== null && nameOf(target) !== teller.short(target);
  if (flow.gives.length === 0 && !keeps) return [];
  const [payee] = findPayees(tx, subject, new Set(flow.gives.map(({ key }) => key)), keeps);
  // Contracts that are known keep what they get for somebody.
  if (payee === undefined || payee === tx.from || nameOf(payee) !== teller.short(payee)) return [];
  const gets = balanceChanges(tx, payee)
    .gets.filter(({ amount, key, token }) => {
      // Ether may have gone on unseen.
      const stays = flow.complete || (token !== null && !tx.weth.has(token));
      return stays && amount * 2n >= paidOut(tx, key);
    })
    .slice(0, assetsMax);
  if (gets.length === 0 || isSaid(nameOf(payee))) return [];
  const amount = joinPhrases(gets.map((asset) => names.asset(asset)));
  return [{ account: subject, predicate: teller.say("summary.had_paid", { amount, to: nameOf(payee) }) }];
}
