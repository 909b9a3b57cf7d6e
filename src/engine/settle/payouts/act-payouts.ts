import { type Address, isBurnAddress } from "../../../kernel/address.ts";
import { isLabelled } from "../../../model/label.ts";
import type { AssetChange, BalanceChanges } from "../../../model/match.ts";
import type { Movement, Transaction } from "../../../model/transaction.ts";
import { tierRank } from "../../../rules/ruleset/actions.ts";
import { atKnownPlace } from "../../../rules/ruleset/precedence.ts";
import type { Candidate } from "../../match/candidate.ts";
import { isSpeck } from "../../money/fair-price.ts";
import { findProceeds, giverOf, isBelieved, receiptPayments } from "../../money/payees.ts";
import { feeParts, speckParts } from "../../money/thresholds.ts";
import { balanceChanges } from "../../normalize/balance-changes.ts";
import { downstreamIn, type Run } from "./run.ts";

/** What a payee ended with, of the account's money or out of its act. */
export interface Payout {
  account: Address;
  payee: Address;
  assets: AssetChange[];
}

export function payoutsOf(action: Candidate, run: Run): Payout[] {
  return new Search(action, run).find();
}

/** By a call of its own. */
export function isOwnAct({ rule }: Candidate): boolean {
  return rule.tier > tierRank("system") && rule.actsFor === null;
}

/**
 * What an act brought to others:
 * - `#sold`: others kept the proceeds of the account's money,
 * - `#payers`: a known contract paid somebody else, by the act,
 * - `#keeps`: a called contract holds assets for the account and paid them to others.
 */
class Search {
  readonly #action: Candidate;
  readonly #run: Run;
  readonly #flow: BalanceChanges;
  /** Of this part of the transaction, not only of this act. */
  readonly #all: BalanceChanges;
  /** For a sale only ether and listed tokens count: anybody can make others. */
  readonly #gotNothing: boolean;
  readonly #sold: boolean;
  /** By a known contract to others, as the act states. */
  readonly #paidOut: readonly Movement[];
  readonly #payers: readonly Address[];
  readonly #keeps: boolean;
  #given: ReadonlyMap<string, bigint> | undefined;
  /** A known contract may pay from its holdings, not from what was given. */
  readonly #callsKnown: boolean;

  constructor(action: Candidate, run: Run) {
    const { tx } = run;
    const { flow, subject } = action.context;
    this.#action = action;
    this.#run = run;
    this.#flow = flow;
    this.#all = balanceChanges(tx, subject);
    const isSold = isSale(action, tx);
    this.#gotNothing = flow.gets.length === 0 && !this.#all.gets.some((asset) => !isSold || isBelieved(asset, tx));
    const isPart = tx !== run.whole;
    this.#sold = this.#gotNothing ? flow.gives.length > 0 : !isPart && isSold && this.#givesOpen();
    this.#paidOut = this.#findPaidOut();
    this.#payers = this.#paidOut.map(giverOf);
    this.#callsKnown = run.leaves.some(({ to }) => to !== null && this.#isKnown(to));
    const isBare = flow.gives.length === 0 && (isPart || isPlainCall(action));
    this.#keeps = this.#gotNothing && isOwnAct(action) && (this.#callsKnown || isBare);
  }

  find(): Payout[] {
    if (!this.#sold && !this.#keeps && this.#payers.length === 0) return [];
    const { tx, whole, labels, tellers, beside } = this.#run;
    const { subject } = this.#action.context;
    const flow = this.#flow;
    const proceeds = findProceeds(tx, {
      // The sender may earn for sending.
      others: [subject, this.#keeps ? tx.from : null, ...tellers, ...this.#receiptTakers()],
      pays: this.#counting(),
      leads: this.#leading(),
      // One that pays many at once pays each its own money.
      alone: this.#keeps && !this.#sold && this.#payers.length === 0,
      isFee: (key, sum) =>
        beside.some((got) => got.amount >= sum * feeParts && unwrappedKey(got.key, tx) === unwrappedKey(key, tx)),
      // A given-away token is a price only where the account got it.
      isPrice: (asset) =>
        (isBelieved(asset, tx) || flow.gets.some(({ key }) => key === asset.key)) &&
        !isSpeck({ ...asset, amount: asset.amount * speckParts }, tx, labels),
    });
    return proceeds.flatMap(({ payee, keys }) => {
      // Ether may have gone on unseen.
      const assets = balanceChanges(whole, payee).gets.filter(
        ({ key, token }) => keys.has(key) && (flow.complete || token !== null),
      );
      return assets.length === 0 ? [] : [{ account: subject, payee, assets }];
    });
  }

  /**
   * May be proceeds. What the account gave itself is a loss, unless the act names the payee, or a called known contract pays more of it.
   */
  #counting(): (move: Movement, key: string) => boolean {
    const { tx } = this.#run;
    const flow = this.#flow;
    const isForReceipt = receiptPayments(tx, flow);
    // Another NFT of the collection counts.
    const isAlike = ({ token, tokenId }: Movement) =>
      tokenId !== null && flow.gets.some((asset) => asset.kind === "nft" && asset.token === token);
    return (move, key) =>
      (this.#gotNothing || isBelieved(move, tx) || isAlike(move) || isForReceipt(move)) &&
      (!this.#gave(key) ||
        (this.#callsKnown && move.amount > (this.#gave(key) as bigint)) ||
        this.#paidOut.includes(move));
  }

  /** From a source to one who may keep it. Known contracts hold for others. */
  #leading(): (move: Movement) => boolean {
    const { tx, claimed } = this.#run;
    const { subject, target } = this.#action.context;
    const givers = this.#sold ? [subject, ...this.#payers] : this.#payers;
    const isReached = (giver: Address) => this.#payers.includes(giver) || downstreamIn(givers, this.#run).has(giver);
    const isKept = (move: Movement) =>
      this.#keeps && (this.#callsKnown || (giverOf(move) === target && isBelieved(move, tx)));
    return (move) =>
      this.#mayKeep(move) &&
      (move.from !== subject || !claimed.has(move.index)) &&
      (isKept(move) || isReached(giverOf(move)));
  }

  /**
   * A known contract is no payee, except one that got something by a call without a rule: no sentence says for whom it holds it. WETH for
   * the account's ether is no payout.
   */
  #mayKeep({ to, token }: Movement): boolean {
    const { tx } = this.#run;
    if (!this.#isKnown(to)) return true;
    const isNamedAlone = isPlainCall(this.#action) && this.#flow.gives.length > 0;
    return (
      isNamedAlone && to === this.#action.context.target && !(this.#gave("native") && tx.weth.has(token as Address))
    );
  }

  /** Gives something that no other act explains. */
  #givesOpen(): boolean {
    const { movements } = this.#action;
    const isOpen = (index: number) => movements.includes(index) || !this.#run.claimed.has(index);
    return this.#flow.gives.some((asset) => asset.movements.some(isOpen));
  }

  #gave(key: string): bigint | undefined {
    this.#given ??= new Map([...this.#flow.gives, ...this.#all.gives].map((asset) => [asset.key, asset.amount]));
    return this.#given.get(key);
  }

  /**
   * Paid out by a known contract in this act, neither to the account nor to a known contract. What a called stranger's contract gives is
   * its own act.
   */
  #findPaidOut(): Movement[] {
    const { rule, context } = this.#action;
    const { legs, log, subject, target } = context;
    if (!atKnownPlace(rule)) return [];
    const isPayout = (leg: Movement) =>
      leg.from !== subject &&
      (leg.from !== target || leg.from === log?.address || this.#isKnown(target)) &&
      leg.to !== subject &&
      leg.to !== log?.address &&
      isBelieved(leg, this.#run.tx) &&
      !this.#isKnown(leg.to);
    return legs.filter((leg) => leg !== null && isPayout(leg)) as Movement[];
  }

  /** Contracts that got their own receipts back at a known contract: they hold what belongs to others. */
  #receiptTakers(): Address[] {
    const { rule, movements, context } = this.#action;
    if (!atKnownPlace(rule)) return [];
    return movements.flatMap((index) => {
      const move = this.#run.whole.movements[index];
      return move !== undefined && move.from === context.subject && move.to === move.token ? move.to : [];
    });
  }

  #isKnown(address: Address): boolean {
    return isLabelled(this.#run.labels, address);
  }
}

/** Wrapped ether as ether. */
export function unwrappedKey(key: string, { weth }: Transaction): string {
  return weth.has(key as Address) ? "native" : key;
}

/** Only names the called contract. */
function isPlainCall({ rule }: Candidate): boolean {
  return rule.tier === tierRank("fallback");
}

/** An exchange, an act at an unknown contract, or an NFT for money. Not a deposit at a known contract whose legs state most of it. */
function isSale(action: Candidate, tx: Transaction): boolean {
  const { flow } = action.rule;
  // Without legs and flow nothing given is accounted for; by flow alone anybody may pay.
  const isBare = action.context.legs.every((leg) => leg === null);
  if (isBare && (flow === null || (flow.gives?.min && flow.gets?.min))) return true;
  if (isFilledOrder(action)) return false;
  return action.rule.exchanges || !atKnownPlace(action.rule) || bindsLittle(action, tx) || tradesNft(action, tx);
}

/**
 * A known contract's event states all that the account gave, and what it got for it: others of the batch have the rest. What it gave besides
 * may have been sold.
 */
export function isFilledOrder({
  rule,
  context: { legs, flow, subject },
}: Pick<Candidate, "rule" | "context">): boolean {
  if (rule.actsFor === null || !atKnownPlace(rule)) return false;
  if (!legs.some((leg, i) => leg?.to === subject && rule.legs[i]?.amount != null)) return false;
  const isStated = ({ token, amount }: AssetChange) =>
    legs.some((leg) => leg?.from === subject && leg.token === token && leg.amount >= amount);
  return flow.gives.length > 0 && flow.gives.every(isStated);
}

/** An NFT for money, or money for an NFT. */
function tradesNft({ context: { flow } }: Candidate, tx: Transaction): boolean {
  const isNft = ({ kind }: AssetChange) => kind === "nft";
  const isMoney = (asset: AssetChange) => !isNft(asset) && isBelieved(asset, tx);
  const { gives, gets } = flow;
  return (gives.some(isNft) && gets.some(isMoney)) || (gives.some(isMoney) && gets.some(isNft));
}

/** Less than half of a given asset, or nothing for a destroyed receipt. */
function bindsLittle({ context: { legs, flow, subject } }: Candidate, { movements }: Transaction): boolean {
  return flow.gives.some(({ kind, token, amount }) => {
    const bound = legs.reduce((sum, leg) => (leg !== null && leg.token === token ? sum + leg.amount : sum), 0n);
    const isGone = () => movements.some((move) => move.token === token && isBurnAddress(move.to));
    const isOpen = bound === 0n || !legs.some((leg) => leg?.to === subject);
    return kind !== "nft" && ((bound > 0n && bound * 2n < amount) || (isOpen && isGone()));
  });
}
