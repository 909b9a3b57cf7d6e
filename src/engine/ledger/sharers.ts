import { type Address, isBurnAddress } from "../../kernel/address.ts";
import { heaviestFirst } from "../../kernel/lists.ts";
import { isLabelled } from "../../model/label.ts";
import type { Candidate } from "../match/candidate.ts";
import { feeShare } from "../money/thresholds.ts";
import type { Payout } from "../settle/payouts/act-payouts.ts";
import { assetOf, type LedgerFindings } from "./keepers.ts";
import type { Posting } from "./ledger.ts";

/**
 * Who got more than a fee of the token that an account bought, from the same seller and for nothing. Shares of one token need no price, so
 * this also holds for a token that no list names. The largest part comes first.
 */
export function findSharers(known: LedgerFindings): Payout[] {
  if (known.tx.status === "reverted") return [];
  const found: Payout[] = [];
  for (const action of known.settled.actions)
    if (action.rule.exchanges && action.context.flow.gives.length > 0) found.push(...sharersOf(action, known));
  return found.filter(({ payee, assets }) => !assets.every(({ key }) => isNamed(payee, key, known.settled.payouts)));
}

/** Whether a finding about the act names what an account got of an asset. */
function isNamed(payee: Address, key: string, payouts: readonly Payout[]): boolean {
  return payouts.some((one) => one.payee === payee && one.assets.some((asset) => asset.key === key));
}

function sharersOf({ context }: Candidate, { ledger, tx, labels }: LedgerFindings): Payout[] {
  const { subject, flow } = context;
  const bought = new Set(flow.gets.flatMap(({ kind, token }) => (kind === "erc20" && token !== null ? [token] : [])));
  if (bought.size === 0) return [];
  const isFree = ({ keeper, token }: Posting) =>
    keeper !== subject &&
    keeper !== token &&
    !isBurnAddress(keeper) &&
    !isLabelled(labels, keeper) &&
    ledger().gaveBy(keeper).length === 0;
  const sellers = new Map<Address, Set<string>>();
  for (const { giver, token, asset } of ledger().keptBy(subject))
    if (token !== null && bought.has(token) && giver !== token && !isBurnAddress(giver))
      sellers.set(giver, (sellers.get(giver) ?? new Set()).add(asset));
  return [...sellers].flatMap(([seller, assets]) => {
    const sold = ledger()
      .gaveBy(seller)
      .filter(({ asset }) => assets.has(asset));
    const free = sold.filter(isFree);
    const sumOf = (postings: readonly Posting[]) => postings.reduce((sum, { amount }) => sum + amount, 0n);
    if (free.length === 0 || sumOf(free) * feeShare <= sumOf(sold)) return [];
    const shares = [...Map.groupBy(free, ({ keeper, asset }) => keeper + asset).values()].map((parts) => {
      const [first] = parts as [Posting];
      return { account: subject, payee: first.keeper, assets: [{ ...assetOf(first, tx), amount: sumOf(parts) }] };
    });
    return heaviestFirst(shares, ({ assets: [asset] }) => asset?.amount ?? 0n);
  });
}
