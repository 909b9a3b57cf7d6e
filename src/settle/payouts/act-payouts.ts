import type { Address } from "../../kernel/address.ts";
import type { Candidate } from "../../match/candidate.ts";
import { isLabelled } from "../../model/label.ts";
import type { AssetChange, BalanceChanges } from "../../model/match.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";
import { isSpeck } from "../../money/fair-price.ts";
import { findProceeds, giverOf, isBelieved, receiptPayments } from "../../money/payees.ts";
import { balanceChanges } from "../../normalize/balance-changes.ts";
import { tierRank } from "../../ruleset/actions.ts";
import { atKnownPlace } from "../../ruleset/precedence.ts";
import { downstreamIn, type Run } from "./run.ts";
import { sells } from "./sold.ts";

/** What a payee ended with although it came for the account's money, or out of the account's act. */
export interface Payout {
  account: Address;
  payee: Address;
  assets: AssetChange[];
}

/** What is so many times less than a trifle is no price at all. More may be the price of a small trade. */
const speckParts = 1000n;

/** Whoever got so many times less of an asset than the account got otherwise was paid a fee. */
const feeParts = 99n;

/** Payouts of one act. */
export function payoutsOf(action: Candidate, run: Run): Payout[] {
  const search = new Search(action, run);
  return search.hasSource ? search.find() : [];
}

/** Whether the account did the act itself, by a call. */
export function isOwnAct({ rule }: Candidate): boolean {
  return rule.tier > tierRank("system") && rule.actsFor === null;
}

/**
 * Looks for what one act brought to somebody else than its account. It may come from three sources:
 * - `#sold`: what the account gave was sold, and somebody else kept the proceeds,
 * - `#payers`: the act tells that a known contract paid somebody else,
 * - `#keeps`: a contract that the account called keeps things for it, and gave them to somebody else.
 */
class Search {
  readonly #action: Candidate;
  readonly #run: Run;
  readonly #flow: BalanceChanges;
  /** All balance changes of the account in this part, not of this act alone. */
  readonly #all: BalanceChanges;
  /** The account got nothing itself. Where it sold something, only ether and listed tokens count: anybody can make other tokens. */
  readonly #gotNothing: boolean;
  readonly #sold: boolean;
  /** What a known contract paid out to somebody else, as the act tells. */
  readonly #paidOut: readonly Movement[];
  readonly #payers: readonly Address[];
  readonly #keeps: boolean;
  #given: ReadonlySet<string> | undefined;
  /** The account called a known contract. Such a contract may pay out of what it keeps, so the payout need not follow from what V gave. */
  readonly #callsKnown: boolean;

  constructor(action: Candidate, run: Run) {
    const { tx } = run;
    const { flow, subject } = action.context;
    this.#action = action;
    this.#run = run;
    this.#flow = flow;
    this.#all = balanceChanges(tx, subject);
    const isExchange = sells(action, tx);
    this.#gotNothing = flow.gets.length === 0 && !this.#all.gets.some((asset) => !isExchange || isBelieved(asset, tx));
    const isPart = tx !== run.whole;
    this.#sold = this.#gotNothing ? flow.gives.length > 0 : !isPart && isExchange && this.#givesOpen();
    this.#paidOut = this.#findPaidOut();
    this.#payers = this.#paidOut.map(giverOf);
    this.#callsKnown = run.leaves.some(({ to }) => to !== null && this.#isKnown(to));
    const isBare = flow.gives.length === 0 && (isPart || isPlainCall(action));
    this.#keeps = this.#gotNothing && isOwnAct(action) && (this.#callsKnown || isBare);
  }

  get hasSource(): boolean {
    return this.#sold || this.#keeps || this.#payers.length > 0;
  }

  find(): Payout[] {
    const { tx, whole, labels, tellers, beside } = this.#run;
    const { subject } = this.#action.context;
    const flow = this.#flow;
    const proceeds = findProceeds(tx, {
      // Whoever sends the transaction for the account may earn by it.
      others: [subject, this.#keeps ? tx.from : null, ...tellers, ...this.#receiptTakers()],
      pays: this.#counting(),
      leads: this.#leading(),
      // A known contract that pays many at once pays each what is his own.
      alone: this.#keeps && !this.#sold && this.#payers.length === 0,
      isFee: (key, sum) =>
        beside.some((got) => got.amount >= sum * feeParts && unwrappedKey(got.key, tx) === unwrappedKey(key, tx)),
      // Anybody can make a token and give it. It is a price only where the account got it.
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

  /** Which movements may be proceeds. An asset that the account gave itself is told as a loss, unless the act says who was paid in it. */
  #counting(): (move: Movement, key: string) => boolean {
    const { tx } = this.#run;
    const flow = this.#flow;
    const isForReceipt = receiptPayments(tx, flow);
    // Another NFT of a collection of which the account got one counts as well.
    const isAlike = ({ token, tokenId }: Movement) =>
      tokenId !== null && flow.gets.some((asset) => asset.kind === "nft" && asset.token === token);
    return (move, key) =>
      (this.#gotNothing || isBelieved(move, tx) || isAlike(move) || isForReceipt(move)) &&
      (!this.#gave(key) || this.#paidOut.includes(move));
  }

  /** Which movements lead from a source to somebody who may keep what came. Known contracts keep things for others. */
  #leading(): (move: Movement) => boolean {
    const { tx, claimed } = this.#run;
    const { subject, target } = this.#action.context;
    const givers = this.#sold ? [subject, ...this.#payers] : this.#payers;
    const isReached = (giver: Address) => this.#payers.includes(giver) || downstreamIn(givers, this.#run).has(giver);
    const isKept = (move: Movement) =>
      this.#keeps && (this.#callsKnown || (giverOf(move) === target && isBelieved(move, tx)));
    const isToldOf = ({ from, index }: Movement) => from === subject && claimed.has(index);
    return (move) => this.#mayKeep(move) && !isToldOf(move) && (isKept(move) || isReached(giverOf(move)));
  }

  /**
   * Whether a receiver may be a payee. A known contract is none, except the one that the account only called and gave something: no
   * sentence says for whom it keeps things. Ether that it wrapped is what it was given.
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

  #gave(key: string): boolean {
    this.#given ??= new Set([...this.#all.gives, ...this.#flow.gives].map((asset) => asset.key));
    return this.#given.has(key);
  }

  /**
   * What a known contract paid out by the act, neither to the account nor to a known contract. What a stranger's contract gives, when the
   * account called it, is that contract's own act.
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

  /** Contracts to which the account gave their own receipts back, by an act at a known contract: they keep what belongs to others. */
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

/** The key of an asset; wrapped ether is ether. */
export function unwrappedKey(key: string, { weth }: Transaction): string {
  return weth.has(key as Address) ? "native" : key;
}

/** Whether the act only says what was called. */
function isPlainCall({ rule }: Candidate): boolean {
  return rule.tier === tierRank("fallback");
}
