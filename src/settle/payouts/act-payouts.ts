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

/** Payouts of one act. */
export function payoutsOf(action: Candidate, run: Run): Payout[] {
  const search = new Search(action, run);
  return search.hasSource ? search.find() : [];
}

/** An act of its account's own, by a call. */
export function isOwnAct({ rule }: Candidate): boolean {
  return rule.tier > tierRank("system") && rule.actsFor === null;
}

/**
 * Looks for what came out of one act to somebody else. There are three sources: what the account gave was sold (`#sold`), a known
 * contract paid out and others passed it on (`#payers`), or a contract that the account called keeps things for it (`#keeps`).
 */
class Search {
  readonly #action: Candidate;
  readonly #run: Run;
  readonly #flow: BalanceChanges;
  /** Of all that the account did in this part. */
  readonly #all: BalanceChanges;
  /**
   * The account got nothing itself, of what counts: where it sold something, only ether and listed tokens do. What anybody could have
   * made is no proceeds beside them.
   */
  readonly #gotNothing: boolean;
  readonly #sold: boolean;
  /** What an act at a known contract had paid out to somebody else. */
  readonly #paidOut: readonly Movement[];
  readonly #payers: readonly Address[];
  readonly #keeps: boolean;
  #given: ReadonlySet<string> | undefined;
  /** A known contract that an account calls pays out of what it keeps for it: nothing leads there from what it gave. */
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
      // Whoever carries the act may earn by it.
      others: [subject, this.#keeps ? tx.from : null, ...tellers, ...this.#receiptTakers()],
      pays: this.#counting(),
      leads: this.#leading(),
      // Whoever has a known contract pay many carries out what is theirs.
      alone: this.#keeps && !this.#sold && this.#payers.length === 0,
      isFee: (key, sum) =>
        beside.some((got) => got.amount >= sum * feeParts && unwrappedKey(got.key, tx) === unwrappedKey(key, tx)),
      // Anybody can give a token of his own making: it is a price where the account got it.
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

  /** Which movements may be ones of proceeds. What the account gave itself is a loss, unless the act says who was paid. */
  #counting(): (move: Movement, key: string) => boolean {
    const { tx } = this.#run;
    const flow = this.#flow;
    const isForReceipt = receiptPayments(tx, flow);
    // Of a collection that the account got a piece of, another piece counts as well.
    const isAlike = ({ token, tokenId }: Movement) =>
      tokenId !== null && flow.gets.some((asset) => asset.kind === "nft" && asset.token === token);
    return (move, key) =>
      (this.#gotNothing || isBelieved(move, tx) || isAlike(move) || isForReceipt(move)) &&
      (!this.#gave(key) || this.#paidOut.includes(move));
  }

  /** Which movements lead from a source to somebody who may keep what came. Contracts that are known keep what they get for somebody. */
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
   * A known contract that is only said to be called names nobody whom it keeps things for. What it wrapped is what it was given.
   */
  #mayKeep({ to, token }: Movement): boolean {
    const { tx } = this.#run;
    if (!this.#isKnown(to)) return true;
    const isNamedAlone = isPlainCall(this.#action) && this.#flow.gives.length > 0;
    return (
      isNamedAlone && to === this.#action.context.target && !(this.#gave("native") && tx.weth.has(token as Address))
    );
  }

  /** Whether the account gave something of which no other act tells what it was for. */
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
   * What an act at a known contract had paid out, and neither to its account nor to a contract that is known. What a stranger's contract
   * that was called gives is its own act.
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

  /** Contracts that took their own receipts back from the account, as an act at a known contract tells: what they keep is others'. */
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

/** An act that only says what was called. */
function isPlainCall({ rule }: Candidate): boolean {
  return rule.tier === tierRank("fallback");
}
