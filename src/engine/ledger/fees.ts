import type { Address } from "../../kernel/address.ts";
import type { AssetChange } from "../../model/match.ts";
import type { Transaction } from "../../model/transaction.ts";
import { valueAt } from "../../rules/ruleset/grant-table.ts";
import type { ChargeHint } from "../../rules/ruleset/hints.ts";
import { worthOf } from "../money/fair-price.ts";
import { feeShare, serviceFees } from "../money/thresholds.ts";
import type { Loss } from "../settle/losses.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";
import type { MoneyLedger } from "./ledger.ts";
import { ledgerKeyOf } from "./movement-order.ts";

/** What an account paid for a service itself. */
export interface Fee {
  account: Address;
  /** The paid part of it. */
  asset: AssetChange;
}

/** What the principals lost, apart from what known contracts say that their service cost. */
export interface ChargedLosses {
  losses: readonly Loss[];
  fees: readonly Fee[];
  /** What was charged and is in no fee yet, by asset of the ledger. */
  left: ReadonlyMap<string, bigint>;
}

/** So many parts are looked at: a message is paid for by a call or two. */
const payersMax = 8;

/** How a fee is known: an event or a rule says how much it was, or only what it was for. */
export type FeeProof = "stated" | "charged" | "open";

/** What else the account gave, and what it paid in fees already. */
interface Beside extends Pick<ChargedLosses, "losses" | "fees"> {
  account: Address;
  tx: Transaction;
}

/**
 * Whether so much of an asset may be a fee: little, or little beside what else the account gave. Nobody is bound to ask for an honest fee,
 * not even where known contracts take it: verifiers and relayers may be a stranger's. A large one is told as what it is, a loss.
 */
export function isModest(asset: AssetChange, proof: FeeProof, { account, losses, fees, tx }: Beside): boolean {
  const own = worthOf(asset, tx);
  if (own === undefined) return proof === "stated";
  let fee = own;
  for (const paid of fees) if (paid.account === account) fee += worthOf(paid.asset, tx) ?? 0n;
  if (fee <= serviceFees.least) return true;
  if (fee > (proof === "charged" ? serviceFees.most : serviceFees.stated)) return false;
  const isSmall = proof === "stated" || fee <= serviceFees.most;
  let rest = -fee;
  for (const loss of losses) {
    if (loss.account !== account) continue;
    const worth = worthOf(loss.asset, tx);
    if (worth === undefined) return isSmall;
    rest += worth;
  }
  return rest <= 0n ? isSmall : fee * feeShare <= rest;
}

/** What the charges are taken out of. */
interface ChargeFacts extends Pick<Unwrapped, "tx" | "calls"> {
  losses: readonly Loss[];
  ledger: () => MoneyLedger;
}

/** Takes out of what went to strangers that a principal called what known contracts charged in their events, as far as that goes. */
export function takeCharges(facts: ChargeFacts, hints: readonly ChargeHint[]): ChargedLosses {
  const { losses, tx, calls } = facts;
  const { left, takers } = chargesIn(tx, hints);
  if (left.size === 0) return { losses, fees: [], left };
  const fees: Fee[] = [];
  const taken = new Map<Stranger, bigint>();
  const ran = new Set<Address | null>(tx.logs.map(({ address }) => address));
  for (const { to, input } of calls) if (input.length > 2) ran.add(to);
  for (const [key, charged] of left) {
    let open = charged;
    const parts = losses.flatMap((loss) =>
      ledgerKeyOf(loss.asset, tx) === key ? loss.strangers.map((part) => ({ loss, part })) : [],
    );
    const payers = parts.filter(({ part }) => ran.has(part.to)).sort((a, b) => distance(a, open) - distance(b, open));
    payers.length = Math.min(payers.length, payersMax);
    for (const { loss, part } of payers) {
      const most = passedOn(loss, part, facts, takers);
      const amount = most < open ? most : open;
      const asset = { ...loss.asset, amount };
      if (amount === 0n || !isModest(asset, "charged", { account: loss.account, losses, fees, tx })) continue;
      open -= amount;
      taken.set(part, amount);
      fees.push({ account: loss.account, asset });
    }
    left.set(key, open);
  }
  return { losses: losses.map((loss) => without(loss, taken)), fees, left };
}

type Stranger = Loss["strangers"][number];

/** How much of a part can have come to who charged for the service: where that is seen, no more than did. */
function passedOn(
  { account, asset, reached, sent }: Loss,
  { to, amount }: Stranger,
  facts: ChargeFacts,
  takers: ReadonlySet<Address>,
) {
  const { tx, ledger } = facts;
  const isSeen = tx.traced || asset.token !== null || tx.movements.some((move) => takers.has(move.to));
  if (!isSeen) return amount;
  const key = ledgerKeyOf(asset, tx);
  // What an act has is no stranger's part.
  let seen = [...reached, ...sent].reduce((left, part) => left - part.amount, 0n);
  for (const { asset: one, keeper, via, first, amount: part } of ledger().gaveBy(account))
    if (one === key && tx.movements[first]?.to === to && (takers.has(keeper) || via.some(({ at }) => takers.has(at))))
      seen += part;
  return seen < 0n ? 0n : seen < amount ? seen : amount;
}

/** The exact amount first, then what suffices. */
function distance({ part }: { part: Stranger }, open: bigint): number {
  return part.amount === open ? 0 : part.amount > open ? 1 : 2;
}

function without(loss: Loss, taken: ReadonlyMap<Stranger, bigint>): Loss {
  if (!loss.strangers.some((part) => taken.has(part))) return loss;
  const strangers = loss.strangers.flatMap((part) => {
    const amount = part.amount - (taken.get(part) ?? 0n);
    return amount > 0n ? [{ ...part, amount }] : [];
  });
  return { ...loss, strangers };
}

/** By asset of the ledger, and by whom. */
function chargesIn(tx: Transaction, hints: readonly ChargeHint[]) {
  const left = new Map<string, bigint>();
  const takers = new Set<Address>();
  const byTopic = Map.groupBy(hints, ({ event }) => event.hash as string | undefined);
  for (const { address, topics, data } of tx.status === "reverted" ? [] : tx.logs)
    for (const { event, contracts, amount, token } of byTopic.get(topics[0]) ?? []) {
      const args = contracts.has(address) ? event.read(topics, data) : undefined;
      if (args === undefined) continue;
      const paid = valueAt(args, amount) as bigint | readonly bigint[];
      const sum = typeof paid === "bigint" ? paid : paid.reduce((total, one) => total + one, 0n);
      const asset = token === null ? null : (valueAt(args, token) as Address);
      const key = ledgerKeyOf({ token: asset, tokenId: null }, tx);
      left.set(key, (left.get(key) ?? 0n) + sum);
      takers.add(address);
    }
  return { left, takers };
}
