import type { Address } from "../../../kernel/address.ts";
import { isLabelled } from "../../../model/label.ts";
import type { AssetChange, BalanceChanges } from "../../../model/match.ts";
import type { Movement, Transaction } from "../../../model/transaction.ts";
import { tierRank } from "../../../rules/ruleset/actions.ts";
import { atKnownPlace } from "../../../rules/ruleset/precedence.ts";
import type { Candidate } from "../../match/candidate.ts";
import { isSpeck } from "../../money/fair-price.ts";
import { findProceeds, giverOf, isBelieved, receiptPayments } from "../../money/payees.ts";
import { balanceChanges } from "../../normalize/balance-changes.ts";
import { downstreamIn, type Run } from "./run.ts";
import { isSale } from "./sold.ts";

/** What a payee ended with, although it came for the account's money or out of the account's act. */
export interface Payout {
  account: Address;
  payee: Address;
  assets: AssetChange[];
}

/** An asset that is worth less than 1/1000 of a trifle is no price at all. More may be the price of a small trade. */
const speckParts = 1000n;

/** If the account itself got 99 times as much of an asset, what others got of it is a fee. */
const feeParts = 99n;

/** Payouts of one act. */
export function payoutsOf(action: Candidate, run: Run): Payout[] {
  return new Search(action, run).find();
}

/** Whether the account did the act itself, by a call. */
export function isOwnAct({ rule }: Candidate): boolean {
  return rule.tier > tierRank("system") && rule.actsFor === null;
}

/**
 * Looks for what one act brought to somebody other than its account. There are three sources:
 * - `#sold`: the account's money was sold, and somebody else kept the proceeds,
 * - `#payers`: the act tells that a known contract paid somebody else,
 * - `#keeps`: a contract that the account called keeps assets for it, and gave them to somebody else.
 */
class Search {
  readonly #action: Candidate;
  readonly #run: Run;
  readonly #flow: BalanceChanges;
  /** All balance changes of the account in this part of the transaction, not only those of this act. */
  readonly #all: BalanceChanges;
  /** Whether the account got nothing itself. If it sold something, only ether and listed tokens count: anybody can make other tokens. */
  readonly #gotNothing: boolean;
  readonly #sold: boolean;
  /** Movements by which a known contract paid somebody else, as the act tells. */
  readonly #paidOut: readonly Movement[];
  readonly #payers: readonly Address[];
  readonly #keeps: boolean;
  #given: ReadonlyMap<string, bigint> | undefined;
  /**
   * Whether the account called a known contract. Such a contract may pay out of what it keeps, so the payout need not come from what the
   * account gave.
   */
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
      // The sender of the transaction may earn something for sending it.
      others: [subject, this.#keeps ? tx.from : null, ...tellers, ...this.#receiptTakers()],
      pays: this.#counting(),
      leads: this.#leading(),
      // A known contract that pays many accounts at once pays each of them its own money.
      alone: this.#keeps && !this.#sold && this.#payers.length === 0,
      isFee: (key, sum) =>
        beside.some((got) => got.amount >= sum * feeParts && unwrappedKey(got.key, tx) === unwrappedKey(key, tx)),
      // Anybody can make a token and give it away. Such a token is a price only where the account got it.
      isPrice: (asset) =>
        (isBelieved(asset, tx) || flow.gets.some(({ key }) => key === asset.key)) &&
        !isSpeck({ ...asset, amount: asset.amount * speckParts }, tx, labels),
    });
    return proceeds.flatMap(({ payee, keys }) => {
      // Ether is left out where it may have gone on unseen.
      const assets = balanceChanges(whole, payee).gets.filter(
        ({ key, token }) => keys.has(key) && (flow.complete || token !== null),
      );
      return assets.length === 0 ? [] : [{ account: subject, payee, assets }];
    });
  }

  /**
   * Returns a test: whether a movement may be proceeds. An asset that the account gave itself is told as a loss, so it is none, unless the
   * act says who was paid in it, or a known contract that was called pays more of it than the account gave.
   */
  #counting(): (move: Movement, key: string) => boolean {
    const { tx } = this.#run;
    const flow = this.#flow;
    const isForReceipt = receiptPayments(tx, flow);
    // Another NFT of the same collection counts where the account got one of them.
    const isAlike = ({ token, tokenId }: Movement) =>
      tokenId !== null && flow.gets.some((asset) => asset.kind === "nft" && asset.token === token);
    return (move, key) =>
      (this.#gotNothing || isBelieved(move, tx) || isAlike(move) || isForReceipt(move)) &&
      (!this.#gave(key) ||
        (this.#callsKnown && move.amount > (this.#gave(key) as bigint)) ||
        this.#paidOut.includes(move));
  }

  /** Returns a test: whether a movement leads from a source to somebody who may keep what came. Known contracts keep assets for others. */
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
   * Whether a receiver may be a payee. A known contract is none. Exception: the contract to which the account gave something by a call that
   * no rule knows, since no sentence says for whom it keeps things. WETH for the account's ether is no payout.
   */
  #mayKeep({ to, token }: Movement): boolean {
    const { tx } = this.#run;
    if (!this.#isKnown(to)) return true;
    const isNamedAlone = isPlainCall(this.#action) && this.#flow.gives.length > 0;
    return (
      isNamedAlone && to === this.#action.context.target && !(this.#gave("native") && tx.weth.has(token as Address))
    );
  }

  /** Whether the account gave something that no other act explains. */
  #givesOpen(): boolean {
    const { movements } = this.#action;
    const isOpen = (index: number) => movements.includes(index) || !this.#run.claimed.has(index);
    return this.#flow.gives.some((asset) => asset.movements.some(isOpen));
  }

  /** How much of an asset the account gave, if it gave any. */
  #gave(key: string): bigint | undefined {
    this.#given ??= new Map([...this.#flow.gives, ...this.#all.gives].map((asset) => [asset.key, asset.amount]));
    return this.#given.get(key);
  }

  /**
   * Movements by which a known contract paid out in this act, neither to the account nor to another known contract. If the account called a
   * stranger's contract, what that contract gives is its own act.
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

  /** Contracts that got their own receipts back from the account, by an act at a known contract. They keep what belongs to others. */
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

/** The key of an asset, where wrapped ether counts as ether. */
export function unwrappedKey(key: string, { weth }: Transaction): string {
  return weth.has(key as Address) ? "native" : key;
}

/** Whether the act only says which contract was called. */
function isPlainCall({ rule }: Candidate): boolean {
  return rule.tier === tierRank("fallback");
}
