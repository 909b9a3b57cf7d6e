import type { Address } from "../../../kernel/address.ts";
import type { Transaction } from "../../../model/transaction.ts";
import { atKnownPlace } from "../../../rules/ruleset/precedence.ts";
import { type ChargedLosses, type Fee, type FeeProof, isModest } from "../../ledger/fees.ts";
import { ledgerKeyOf } from "../../ledger/movement-order.ts";
import type { Loss } from "../../settle/losses.ts";
import type { Act } from "../draft.ts";
import type { Words } from "../teller/words.ts";
import type { ToldLoss } from "./losses.ts";
import { type TellingAct, ToldAmounts } from "./told-amounts.ts";

/**
 * What the sentences leave open and was paid for the service of a known contract: by a leg that a rule calls `fee`, by what was charged, or
 * as ether beside tokens where such ether pays for the act. Losses are without it.
 */
export function takeFees(
  charged: ChargedLosses,
  acts: readonly TellingAct[],
  tx: Transaction,
): Pick<ChargedLosses, "losses" | "fees"> {
  const { losses } = charged;
  const isPriced = ({ fee, action: { rule } }: Part) => fee === true || rule.etherPays === true;
  if (charged.left.size === 0 && !losses.some(({ reached }) => reached.some(isPriced))) return charged;
  const told = new ToldAmounts(acts);
  const wholes = losses.map((loss) => ({ loss, amount: sumOf(loss.reached) + sumOf(loss.sent) }));
  const open = new Set(told.untold(wholes));
  if (open.size === 0) return charged;
  const fees: Fee[] = [...charged.fees];
  const left = new Map(charged.left);
  const rest = losses.map((loss) => {
    if (!open.has(loss)) return loss;
    const { account } = loss;
    const key = ledgerKeyOf(loss.asset, tx);
    const pay = <P extends Part>(part: P): P[] => {
      const most = part.amount - (part.fee ? 0n : told.statedBy(part.action.context, loss));
      const facts = { charged: left.get(key) ?? 0n, isEther: key === "native", isSeen: tx.nativeComplete };
      const paid = feeIn({ ...part, amount: most }, facts, (amount, proof) =>
        isModest({ ...loss.asset, amount }, proof, { account, losses, fees, tx }),
      );
      if (paid <= 0n) return [part];
      left.set(key, (left.get(key) ?? 0n) - paid);
      fees.push({ account, asset: { ...loss.asset, amount: paid } });
      return paid < part.amount ? [{ ...part, amount: part.amount - paid }] : [];
    };
    return { ...loss, reached: loss.reached.flatMap(pay), sent: loss.sent.flatMap(pay) };
  });
  return { losses: rest, fees };
}

/** What an act got or passed on. */
type Part = Pick<Loss["reached"][number], "action" | "amount" | "fee"> & { redeemed?: boolean; to?: Address };

/**
 * How much of a part was a fee. All of it, where a rule of a known contract says so or ether pays for its act; else as far as it was
 * charged.
 */
function feeIn(
  { action: { rule }, amount, fee, redeemed, to }: Part,
  { charged, isEther, isSeen }: { charged: bigint; isEther: boolean; isSeen: boolean },
  isModest: (amount: bigint, proof: FeeProof) => boolean,
): bigint {
  if (redeemed || amount <= 0n) return 0n;
  const isWhole = atKnownPlace(rule) && (fee || (isEther && to === undefined && rule.etherPays === true));
  if (isWhole && isModest(amount, fee ? "stated" : "open")) return amount;
  // Where it is seen who got what was passed on, that is no charge.
  const part = to !== undefined && isSeen ? 0n : amount < charged ? amount : charged;
  return part > 0n && isModest(part, "charged") ? part : 0n;
}

/** Fees of the headline's account as a part of the headline, those of others as their predicates. */
export function tellFees(
  fees: readonly Fee[],
  first: Act,
  { names, teller }: Pick<Words, "names" | "teller">,
): { first: Act; others: ToldLoss[] } {
  const others: ToldLoss[] = [];
  let head = first;
  for (const [account, paid] of Map.groupBy(fees, (fee) => fee.account)) {
    const sums = [...Map.groupBy(paid, ({ asset }) => asset.key).values()].flatMap((parts) =>
      parts.slice(0, 1).map(({ asset }) => ({ ...asset, amount: sumOf(parts.map((part) => part.asset)) })),
    );
    const amount = names.list(sums);
    if (account !== first.account) others.push({ account, predicate: teller.say("summary.paid_fees", { amount }) });
    else {
      const act = { text: first.predicate, untrusted: first.untrusted };
      const { text, untrusted } = teller.say("summary.paying", { act, amount });
      head = { ...first, predicate: text, untrusted };
    }
  }
  return { first: head, others };
}

function sumOf(parts: readonly { amount: bigint }[]): bigint {
  return parts.reduce((sum, { amount }) => sum + amount, 0n);
}
