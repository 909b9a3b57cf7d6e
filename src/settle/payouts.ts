import type { Address } from "../kernel/address.ts";
import type { Candidate } from "../match/candidate.ts";
import type { ActorCall, AssetChange } from "../model/match.ts";
import type { Movement, Transaction } from "../model/transaction.ts";
import { isGivenAway, isSpeck } from "../money/fair-price.ts";
import { downstreamOf, findProceeds, giverOf, isBelieved, receiptPayments } from "../money/payees.ts";
import { balanceChanges } from "../normalize/balance-changes.ts";
import { tierRank } from "../ruleset/actions.ts";
import { atKnownPlace } from "../ruleset/precedence.ts";
import { frameEnd } from "../unwrap/call-tree.ts";
import type { KnownFacts } from "./reached-money.ts";
import { sells } from "./seller.ts";

/** What somebody else ended with that came for the money of an account, or out of its act. */
export interface Payout {
  account: Address;
  payee: Address;
  assets: AssetChange[];
}

/** Small trades have small prices: no price is only what is so many times less than a trifle. */
const speckParts = 1000n;

/** Who got so many times less of an asset than the account itself by another way got a fee. */
const feeParts = 99n;

/** What is known beside the actions. */
interface Known {
  tx: Transaction;
  labels: KnownFacts["labels"];
  /** Innermost calls of the account on whose behalf it ran. */
  leaves: readonly ActorCall[];
}

interface Run extends Known {
  /** The transaction of which `tx` is what one call led to. */
  whole: Transaction;
  /** Contracts that known protocols' acts are told by: what came to them belongs to these acts. */
  tellers: readonly Address[];
  /** Movements that belong to acts. */
  claimed: ReadonlySet<number>;
  /** By the accounts where the money started. */
  downstream: Map<string, ReadonlySet<Address>>;
  /** What the account got itself beside what is looked at. */
  beside: readonly AssetChange[];
}

/**
 * Who got most of an asset that came for the money of an account, or that an act had paid out to somebody else: the receiver of a
 * withdrawal, of a loan, or of the receipt for a deposit. What one payee ended with of an asset stands once.
 */
export function findPayouts(actions: readonly Candidate[], known: Known): Payout[] {
  if (known.tx.status === "reverted" || known.tx.movements.length === 0) return [];
  const payouts: Payout[] = [];
  const told = new Set<string>();
  const isNew = (payee: Address, { key }: AssetChange): boolean => {
    const size = told.size;
    return told.add(`${payee}${key}`).size > size;
  };
  const downstream = new Map<string, ReadonlySet<Address>>();
  const tellers = actions.flatMap(({ rule, context: { log } }) =>
    log !== null && atKnownPlace(rule) ? [log.address] : [],
  );
  const { tx, leaves } = known;
  const claimed = new Set(actions.flatMap(({ movements }) => movements));
  const run = { ...known, whole: tx, tellers, claimed, downstream, beside: [] };
  const add = (action: Candidate, part: Run) => {
    for (const payout of payoutsOf(action, part)) {
      const assets = payout.assets.filter((asset) => isNew(payout.payee, asset));
      if (assets.length > 0) payouts.push({ ...payout, assets });
    }
  };
  for (const action of actions) add(action, run);
  const own = actions.find(isOwnAct);
  if (own === undefined) return payouts;
  const { context } = own;
  const { subject } = context;
  const { gets } = balanceChanges(tx, subject);
  if (gets.length + leaves.length === 1) return payouts;
  const isBeside = (move: Movement) =>
    move.to !== subject &&
    giverOf(move) !== subject &&
    isBelieved(move, tx) &&
    !reachedOf([subject], run).has(giverOf(move));
  const look = (movements: Movement[], calls: readonly ActorCall[], target: Address | null, beside: AssetChange[]) => {
    if (movements.length === 0) return;
    const part = { ...tx, movements };
    const flow = balanceChanges(part, subject);
    const act = { ...own, context: { ...context, legs: [], target, flow } };
    add(act, { ...run, tx: part, leaves: calls, downstream: new Map(), beside });
  };
  look(tx.movements.filter(isBeside), leaves, context.target, gets);
  if (tx.traced && leaves.length > 1)
    for (const leaf of leaves) {
      const end = frameEnd(tx.calls, leaf.frame);
      look(
        tx.movements.filter(({ call }) => call >= leaf.frame && call < end),
        [leaf],
        leaf.to,
        [],
      );
    }
  return payouts;
}

/** An act of its account's own, by a call. */
function isOwnAct({ rule }: Candidate): boolean {
  return rule.tier > tierRank("system") && rule.actsFor === null;
}

/**
 * Whether an exchange that no known contract proves left its account the smaller part of the proceeds, or next to nothing for what it
 * gave.
 */
export function isShort(candidate: Candidate, known: Known): boolean {
  const { tx, labels } = known;
  const { rule, context } = candidate;
  const says = rule.tier > tierRank("authority") && rule.tier < tierRank("fallback") && rule.status === "success";
  if (!says || atKnownPlace(rule)) return false;
  const asksBoth = (rule.flow?.gives?.min ?? 0) > 0 && (rule.flow?.gets?.min ?? 0) > 0;
  if (asksBoth && isGivenAway(context.flow, tx, labels)) return true;
  return rule.exchanges && isShortChanged(candidate, known);
}

/**
 * Whether others kept more of what came for an account's money than the account got of it: then the account exchanged nothing. What
 * anybody could have made is not asked about.
 */
function isShortChanged(action: Candidate, known: Known): boolean {
  const { gets } = action.context.flow;
  const believed = gets.filter((asset) => asset.kind !== "nft" && isBelieved(asset, known.tx));
  if (believed.length === 0) return false;
  const none = { leaves: [], tellers: [], claimed: new Set<number>(), downstream: new Map(), beside: [] };
  const run = { ...known, whole: known.tx, ...none };
  const kept = payoutsOf(action, run).flatMap(({ assets }) => assets);
  const sumOf = (assets: readonly AssetChange[], place: string) =>
    assets.reduce((sum, { key, amount }) => (placeOf(key, known.tx) === place ? sum + amount : sum), 0n);
  return believed.map(({ key }) => placeOf(key, known.tx)).every((one) => sumOf(kept, one) > sumOf(believed, one));
}

/** Wrapped ether is ether. */
function placeOf(key: string, { weth }: Transaction): string {
  return weth.has(key as Address) ? "native" : key;
}

/** Where money went from these accounts: many acts ask about the same ones. */
function reachedOf(accounts: readonly Address[], { tx, downstream }: Run): ReadonlySet<Address> {
  const key = accounts.join("");
  const reached = downstream.get(key) ?? downstreamOf(tx, accounts);
  downstream.set(key, reached);
  return reached;
}

/**
 * Where the account got something itself, only ether and listed tokens count: what anybody could have made is no proceeds beside
 * them. Contracts that are known keep what they get for somebody.
 */
function payoutsOf(action: Candidate, run: Run): Payout[] {
  const { tx, labels } = run;
  const { subject, flow, target } = action.context;
  const isKnown = (address: Address) => labels.name(address) !== undefined || labels.token(address) !== undefined;
  const counts = (asset: Pick<Movement, "token">) => !sells(action, tx) || isBelieved(asset, tx);
  const all = balanceChanges(tx, subject);
  const gotNothing = flow.gets.length === 0 && !all.gets.some(counts);
  // A known contract that an account calls pays out of what it keeps for it: nothing leads there from what it gave.
  const isPart = tx !== run.whole;
  const known = run.leaves.some(({ to }) => to !== null && isKnown(to));
  const isBare = flow.gives.length === 0 && (isPart || action.rule.tier === tierRank("fallback"));
  const keeps = gotNothing && isOwnAct(action) && (known || isBare);
  // What other acts tell was given for what they tell.
  const isOpen = ({ movements }: AssetChange) =>
    movements.some((index) => action.movements.includes(index) || !run.claimed.has(index));
  const isSold = gotNothing ? flow.gives.length > 0 : !isPart && sells(action, tx) && flow.gives.some(isOpen);
  const payers = payersOf(action, tx, isKnown);
  if (!isSold && payers.length === 0 && !keeps) return [];
  const givers = isSold ? [subject, ...payers] : payers;
  const isReached = (giver: Address) => payers.includes(giver) || reachedOf(givers, run).has(giver);
  // Whoever carries the act may earn by it, and a contract that took its own receipt back keeps what is for others.
  const others = [subject, keeps ? tx.from : null, ...run.tellers, ...takersOf(action, run.whole)];
  // What the account gave itself is a loss.
  const isGiven = (key: string) =>
    all.gives.some((given) => given.key === key) || flow.gives.some((given) => given.key === key);
  // Of a collection that the account got a piece of, another piece counts as well.
  const isAlike = ({ token, tokenId }: Movement) =>
    tokenId !== null && flow.gets.some((asset) => asset.kind === "nft" && asset.token === token);
  const isForReceipt = receiptPayments(tx, flow);
  // A known contract that is only said to be called names nobody whom it keeps things for. What it wrapped is what it was given.
  const isPlain = action.rule.tier === tierRank("fallback") && flow.gives.length > 0;
  const isToldOf = ({ from, index }: Movement) => from === subject && run.claimed.has(index);
  const mayLead = ({ to, token }: Movement) =>
    !isKnown(to) || (isPlain && to === target && !(isGiven("native") && tx.weth.has(token as Address)));
  const proceeds = findProceeds(tx, {
    others,
    pays: (move, key) => (gotNothing || isBelieved(move, tx) || isAlike(move) || isForReceipt(move)) && !isGiven(key),
    leads: (move) =>
      mayLead(move) &&
      !isToldOf(move) &&
      ((keeps && (known || (giverOf(move) === target && isBelieved(move, tx)))) || isReached(giverOf(move))),
    // Whoever has a known contract pay many carries out what is theirs.
    alone: keeps && !isSold && payers.length === 0,
    isFee: (key, sum) =>
      run.beside.some((got) => got.amount >= sum * feeParts && placeOf(got.key, tx) === placeOf(key, tx)),
    // Anybody can give a token of his own making: it is a price where the account got it.
    isPrice: (asset) =>
      (isBelieved(asset, tx) || flow.gets.some(({ key }) => key === asset.key)) &&
      !isSpeck({ ...asset, amount: asset.amount * speckParts }, tx, labels),
  });
  return proceeds.flatMap(({ payee, keys }) => {
    // Ether may have gone on unseen.
    const assets = balanceChanges(run.whole, payee).gets.filter(
      ({ key, token }) => keys.has(key) && (flow.complete || token !== null),
    );
    return assets.length === 0 ? [] : [{ account: subject, payee, assets }];
  });
}

/** Contracts that took their own receipts back from the account, as an act at a known contract tells. */
function takersOf({ rule, movements, context: { subject } }: Candidate, tx: Transaction): Address[] {
  if (!atKnownPlace(rule)) return [];
  return movements.flatMap((index) => {
    const move = tx.movements[index];
    return move !== undefined && move.from === subject && move.to === move.token ? move.to : [];
  });
}

/**
 * Who paid what an act at a known contract had paid out, and neither to its account nor to a contract that is known. What a stranger's
 * contract that was called gives is its own act.
 */
function payersOf(
  { rule, context: { legs, log, subject, target } }: Candidate,
  tx: Transaction,
  isKnown: (address: Address) => boolean,
): Address[] {
  if (!atKnownPlace(rule)) return [];
  const isPayout = (leg: Movement) =>
    leg.from !== subject &&
    (leg.from !== target || leg.from === log?.address || isKnown(target)) &&
    leg.to !== subject &&
    leg.to !== log?.address &&
    isBelieved(leg, tx) &&
    !isKnown(leg.to);
  return legs.flatMap((leg) => (leg !== null && isPayout(leg) ? [giverOf(leg)] : []));
}
