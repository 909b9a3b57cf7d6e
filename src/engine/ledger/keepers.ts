import { type Address, isBurnAddress } from "../../kernel/address.ts";
import { isLabelled, type Labels } from "../../model/label.ts";
import type { AssetChange, MatchContext } from "../../model/match.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";
import { atKnownPlace } from "../../rules/ruleset/precedence.ts";
import type { Candidate } from "../match/candidate.ts";
import { feeShare } from "../money/thresholds.ts";
import { assetKeyOf } from "../money/trail.ts";
import { promises } from "../settle/narrow.ts";
import type { Settled } from "../settle/settle.ts";
import type { MoneyLedger, Posting } from "./ledger.ts";

/** Who has in the end what an act says that a stranger's contract took. */
export interface Kept extends AssetChange {
  keeper: Address;
}

/** What the ledger's findings are made from. */
export interface LedgerFindings {
  ledger: () => MoneyLedger;
  settled: Pick<Settled, "actions" | "money" | "losses" | "shares" | "payouts">;
  tx: Transaction;
  labels: Pick<Labels, "name" | "token">;
}

/**
 * For acts at contracts that nobody knows: those who have the account's money in the end, although the act names another contract. The
 * money belongs to the act if the called contract kept it, a contract that ran code in that call, or somebody who gave a price. By act.
 */
export function findKeepers(known: LedgerFindings): ReadonlyMap<MatchContext, readonly Kept[]> {
  const found = new Map<MatchContext, readonly Kept[]>();
  if (known.tx.status === "reverted") return found;
  for (const action of known.settled.actions) {
    const { rule, context } = action;
    if (atKnownPlace(rule) || !promises(action) || context.flow.gives.length === 0) continue;
    const kept = keptBy(action, known);
    if (kept.length > 0) found.set(context, kept);
  }
  return found;
}

function keptBy(action: Candidate, { ledger, settled, tx, labels }: LedgerFindings): Kept[] {
  const { rule, context } = action;
  const { subject, flow } = context;
  const own = new Set(flow.gives.flatMap(({ movements }) => movements));
  const runs = runnersIn(tx);
  // What no act accounts for is told beside it, shares with it.
  const shares = settled.shares.get(context) ?? [];
  const others = new Set(shares.flatMap(({ key, holders }) => holders.map((one) => key + one)));
  for (const { account, asset, strangers } of settled.losses)
    if (account === subject)
      for (const { holders } of strangers) for (const one of holders) others.add(asset.key + one);
  const isBeside = ({ first, keeper }: Posting) => others.has(assetKeyOf(tx.movements[first] as Movement) + keeper);
  const belongs = ({ keeper, token, asset }: Posting): boolean =>
    keeper === subject ||
    isBurnAddress(keeper) ||
    keeper === token ||
    isPlaceOf(action, keeper) ||
    isLabelled(labels, keeper) ||
    runs(keeper) ||
    settled.money.markets.gaveTowards(subject, keeper, asset);
  const parts = new Map<string, Kept>();
  for (const posting of ledger().gaveBy(subject)) {
    if (!own.has(posting.first) || posting.cut || isBeside(posting) || belongs(posting)) continue;
    const { asset, keeper, amount } = posting;
    const known = parts.get(asset + keeper);
    if (known === undefined) parts.set(asset + keeper, { ...assetOf(posting, tx), keeper });
    else known.amount += amount;
  }
  const given = (key: string) =>
    flow.gives.reduce((sum, one) => (sumsInto(one.key, key, tx) ? sum + one.amount : sum), 0n);
  return [...parts.values()].filter(({ key, amount }) => !rule.exchanges || amount * feeShare > given(key));
}

/** A posting as an asset, in the form in which it came to its keeper: ether, or wrapped ether. */
export function assetOf({ asset, token, tokenId, amount, last }: Posting, { movements }: Transaction): AssetChange {
  const form = asset === "native" ? (movements[last]?.token ?? null) : token;
  const kind = form === null ? "native" : tokenId === null ? "erc20" : "nft";
  return { key: asset, kind, token: form, tokenId, amount, movements: [last] };
}

function sumsInto(key: string, asset: string, { weth }: Transaction): boolean {
  return key === asset || (asset === "native" && weth.has(key as Address));
}

/** Whether an address is the contract that the act is about. */
function isPlaceOf({ context }: Candidate, address: Address): boolean {
  return address === context.target || address === context.log?.address || address === context.call?.to;
}

/**
 * Returns a test: whether a contract did something itself: it was called with data, and called or wrote something. Who only gets money does
 * nothing. Without a call tree: whether it wrote a log.
 */
export function runnersIn({ traced, calls, logs }: Transaction): (address: Address) => boolean {
  let found: Set<Address> | undefined;
  return (address) => {
    if (found === undefined) {
      found = new Set(logs.map((log) => log.address));
      if (traced) {
        const writing = new Set(logs.map(({ call }) => call));
        found = new Set();
        for (const { index, to, input, ok } of calls)
          if (to !== null && ok && input.length > 2 && (calls[index + 1]?.parent === index || writing.has(index)))
            found.add(to);
      }
    }
    return found.has(address);
  };
}
