import type { Address } from "../../kernel/address.ts";
import { oneEther } from "../../kernel/amount.ts";
import type { AssetChange } from "../../model/match.ts";
import type { Transaction } from "../../model/transaction.ts";
import { valueAt } from "../../rules/ruleset/grant-table.ts";
import type { ChargeHint } from "../../rules/ruleset/hints.ts";
import { worthOf } from "../money/fair-price.ts";
import type { Loss } from "../settle/losses.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";
import { type LedgerFacts, ledgerKeyOf } from "./movement-order.ts";

/** What an account paid for a service itself. */
export interface Fee {
  account: Address;
  /** The paid part of it. */
  asset: AssetChange;
}

/** What the principals lost, apart from what known contracts say that their service cost. */
export interface Charged {
  losses: readonly Loss[];
  fees: readonly Fee[];
  /** What was charged and is in no fee yet, by asset of the ledger. */
  left: ReadonlyMap<string, bigint>;
}

/** A part of what the rest of the account's money is worth. */
const feeShare = 5n;

/** Wei. `least`: a fee beside anything, a few dollars. The others: beside money of unknown worth; `stated`: a rule says what it is. */
const bounds = { least: oneEther / 500n, most: oneEther / 100n, stated: oneEther / 10n };

/** How a fee is known: an event or a rule says how much it was, or only what it was for. */
export type FeeProof = "stated" | "charged" | "open";

/**
 * Whether so much of an asset may be a fee: little, or little beside what else the account gave. Nobody is bound to ask for an honest fee,
 * not even where known contracts take it: verifiers and relayers may be a stranger's. A large one is told as what it is, a loss.
 */
export function isModest(asset: AssetChange, proof: FeeProof, own: readonly Loss[], tx: Transaction): boolean {
  const worth = worthOf(asset, tx);
  if (worth === undefined) return proof === "stated";
  if (worth <= bounds.least) return true;
  let rest = -worth;
  for (const loss of own) {
    const part = worthOf(loss.asset, tx);
    if (part === undefined) return worth <= (proof === "stated" ? bounds.stated : bounds.most);
    rest += part;
  }
  if (rest <= 0n) return worth <= (proof === "stated" ? bounds.stated : bounds.most);
  return worth * feeShare <= rest;
}

/** Takes out of what went to strangers that a principal called what known contracts charged in their events, as far as that goes. */
export function takeCharges(
  losses: readonly Loss[],
  { tx, calls }: Pick<Unwrapped, "tx" | "calls">,
  hints: readonly ChargeHint[],
): Charged {
  const left = chargesIn(tx, hints);
  if (left.size === 0) return { losses, fees: [], left };
  const fees: Fee[] = [];
  const taken = new Map<Loss["strangers"][number], bigint>();
  const ran = new Set<Address | null>(tx.logs.map(({ address }) => address));
  for (const { to, input } of calls) if (input.length > 2) ran.add(to);
  for (const [key, charged] of left) {
    let open = charged;
    const parts = losses.flatMap((loss) =>
      ledgerKeyOf(loss.asset, tx) === key ? loss.strangers.map((part) => ({ loss, part })) : [],
    );
    const payers = parts.filter(({ part }) => ran.has(part.to)).sort((a, b) => distance(a, open) - distance(b, open));
    for (const { loss, part } of payers) {
      const amount = part.amount < open ? part.amount : open;
      const asset = { ...loss.asset, amount };
      const own = losses.filter(({ account }) => account === loss.account);
      if (amount === 0n || !isModest(asset, "charged", own, tx)) continue;
      open -= amount;
      taken.set(part, amount);
      fees.push({ account: loss.account, asset });
    }
    left.set(key, open);
  }
  return { losses: losses.map((loss) => without(loss, taken)), fees, left };
}

/** The exact amount first, then what suffices. */
function distance({ part }: { part: Loss["strangers"][number] }, open: bigint): number {
  return part.amount === open ? 0 : part.amount > open ? 1 : 2;
}

function without(loss: Loss, taken: ReadonlyMap<Loss["strangers"][number], bigint>): Loss {
  if (!loss.strangers.some((part) => taken.has(part))) return loss;
  const strangers = loss.strangers.flatMap((part) => {
    const amount = part.amount - (taken.get(part) ?? 0n);
    return amount > 0n ? [{ ...part, amount }] : [];
  });
  return { ...loss, strangers };
}

/** By asset of the ledger. */
function chargesIn(tx: Transaction, hints: readonly ChargeHint[]): Map<string, bigint> {
  const charges = new Map<string, bigint>();
  if (tx.status === "reverted") return charges;
  const byTopic = Map.groupBy(hints, ({ event }) => event.hash as string | undefined);
  for (const { address, topics, data } of tx.logs)
    for (const { event, contracts, amount, token } of byTopic.get(topics[0]) ?? []) {
      if (!contracts.has(address)) continue;
      const args = event.read(topics, data);
      if (args === undefined) continue;
      const paid = valueAt(args, amount) as bigint | readonly bigint[];
      const sum = typeof paid === "bigint" ? paid : paid.reduce((total, one) => total + one, 0n);
      const key = chargedKey(token === null ? null : (valueAt(args, token) as Address), tx);
      if (sum > 0n) charges.set(key, (charges.get(key) ?? 0n) + sum);
    }
  return charges;
}

function chargedKey(token: Address | null, facts: Pick<LedgerFacts, "weth">): string {
  return ledgerKeyOf({ token, tokenId: null }, facts);
}
