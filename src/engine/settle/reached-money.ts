import { type Address, isBurnAddress, zeroAddress } from "../../kernel/address.ts";
import { transferCall, transferFromCall } from "../../kernel/token-standards.ts";
import type { Labels } from "../../model/label.ts";
import type { ActorCall, AssetChange, MatchContext } from "../../model/match.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";
import { tierRank } from "../../rules/ruleset/actions.ts";
import type { CompiledRule } from "../../rules/ruleset/compiled.ts";
import { allowanceKeepersOf, allowsSpending, type GrantTable } from "../../rules/ruleset/grant-table.ts";
import { atKnownPlace } from "../../rules/ruleset/precedence.ts";
import { isBound } from "../match/bind-legs.ts";
import type { Candidate } from "../match/candidate.ts";
import { leavesOf } from "../match/own-calls.ts";
import { isGivenAway, isTakenForTrifle } from "../money/fair-price.ts";
import { Markets } from "../money/markets.ts";
import { feeShare } from "../money/thresholds.ts";
import { type MoneyTrail, type Parcel, trailOf } from "../money/trail.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";

/** `reached`: what the act is about. `sent`: passed to others by an admitted contract or the account. */
export type Arrival = "reached" | "sent";

/** Base units: the action's own, and what went elsewhere. */
export interface Reached {
  amount: bigint;
  /** Went to others who gave nothing. */
  strangers: readonly Parcel[];
}

/** Holders of allowances, and labels. */
export interface KnownFacts {
  grants: GrantTable;
  labels: Pick<Labels, "name" | "token">;
}

/** Part of a given asset. */
interface Sending {
  account: Address;
  asset: AssetChange;
  parcel: Parcel;
}

/**
 * Reached: a contract that the rule admits, its receivers, or who gave something for it. The rest went to strangers. See docs/loyalty.md,
 * promise 4.
 */
export class ReachedMoney {
  readonly trail: MoneyTrail;
  readonly markets: Markets;
  readonly #unwrapped: Unwrapped;
  readonly #leaves: readonly ActorCall[];
  readonly #grants: GrantTable;
  readonly #labels: KnownFacts["labels"];
  /** Such as Permit2: they move tokens by the caller's right. */
  readonly #keepers: ReadonlySet<Address>;

  constructor(unwrapped: Unwrapped, { grants, labels }: KnownFacts) {
    this.trail = trailOf(unwrapped.tx);
    this.markets = new Markets(unwrapped.tx);
    this.#unwrapped = unwrapped;
    this.#leaves = leavesOf(unwrapped);
    this.#grants = grants;
    this.#labels = labels;
    this.#keepers = allowanceKeepersOf(grants);
  }

  /** The action's amount, and parts to strangers. */
  of(candidate: Candidate, account: Address, asset: AssetChange): Reached {
    const strangers: Parcel[] = [];
    let away = 0n;
    for (const parcel of this.trail.lostOf(account, asset)) {
      if (parcel.holder === account || this.covers(candidate, account, asset, parcel) !== null) continue;
      strangers.push(parcel);
      away += parcel.amount;
    }
    return { amount: away >= asset.amount ? 0n : asset.amount - away, strangers };
  }

  /** null: it does not belong to the action. */
  covers(candidate: Candidate, account: Address, asset: AssetChange, parcel: Parcel): Arrival | null {
    const { rule, context } = candidate;
    const { holder, first } = parcel;
    if (isOwnTransfer(candidate)) return this.#isSentByOwner(account, first) ? "sent" : null;
    if (isUnseen(candidate, account, parcel)) {
      if (rule.anchor.kind === "none" && !this.#hasPart(holder, context)) return null;
      return this.#isAdmitted(candidate, holder) ? "reached" : "sent";
    }
    if (isBurnAddress(holder) || holder === asset.token || context.tx.weth.has(holder)) return "reached";
    if (first === context.move || isBound(candidate, parcel) || this.#isAdmitted(candidate, holder)) return "reached";
    return this.#passedOn(candidate, { account, asset, parcel });
  }

  /** For an unnamed holder: who sent it there matters. */
  #passedOn(candidate: Candidate, { account, asset, parcel }: Sending): Arrival | null {
    const { rule, context } = candidate;
    const { holder, path } = parcel;
    const proven = atKnownPlace(rule);
    const passed = path.some((one) => this.#isAdmitted(candidate, one));
    const sent = proven && this.#isSentBy(candidate, { account, asset, parcel });
    if (holder === context.subject) return passed || sent ? "reached" : null;
    if (this.#gave(candidate, account, { asset, parcel, through: passed || sent })) return "reached";
    if (rule.exchanges) return (passed || sent) && parcel.amount * feeShare <= asset.amount ? "sent" : null;
    if (
      passed ||
      (rule.anchor.kind === "none" &&
        (asksGives(rule) || account === context.subject) &&
        [...path, holder].some((one) => this.#isSeller(one, context)))
    )
      return "reached";
    return sent ? "sent" : null;
  }

  /**
   * Gave a price to a contract of the act: ether, a listed token, or one that the protocol gives too; any token if the protocol moved the
   * money (`through`).
   */
  #gave(
    candidate: Candidate,
    account: Address,
    { asset, parcel, through }: { asset: AssetChange; parcel: Parcel; through: boolean },
  ): boolean {
    const share = { part: parcel.amount, of: asset.amount };
    const { rule, context } = candidate;
    // Next to nothing is no price, except for a known contract: it asked for no more.
    const { holder } = parcel;
    const part = { ...asset, amount: parcel.amount };
    const isTrifle = rule.exchanges && isGivenAway(context.flow, context.tx, this.#labels);
    if (isTrifle || isTakenForTrifle({ account, part, holder }, context.tx, this.#labels)) return this.#isNamed(holder);
    const trades = rule.anchor.kind === "none" || rule.exchanges || rule.flow?.gets?.kind === "nft";
    if (!atKnownPlace(rule) && trades) return asksGives(rule) && this.markets.gaveTowards(account, holder, asset.key);
    const isAdmitted = (giver: Address) => this.#isAdmitted(candidate, giver);
    const came = through ? null : this.#cameForAct(candidate, account, holder);
    return this.markets.gave(
      holder,
      asset.key,
      share,
      (key, isBelieved) => came === null || (came.has(key) && (isBelieved || this.markets.isGivenBy(key, isAdmitted))),
    );
  }

  /**
   * Given to a contract of the act, not over the account. What came to the account counts in an exchange, or as the holder's own receipt.
   */
  #cameForAct({ rule, context }: Candidate, account: Address, holder: Address): ReadonlySet<string> {
    const towards = (place: Address | null | undefined) =>
      place ? [...this.markets.givenTowards(place, holder, account)] : [];
    const own = towards(account).filter((key) => rule.exchanges || key === holder);
    const places = [context.log?.address, context.call?.to, ...context.legs.map((leg) => leg?.to)];
    return new Set([...own, ...places.flatMap((place) => (place === account ? [] : towards(place)))]);
  }

  #isAdmitted({ rule, context }: Candidate, address: Address): boolean {
    if (rule.anchor.kind === "none") return false;
    if (address === context.log?.address) return true;
    if (rule.anchor.kind === "call" && address === context.call?.to) return true;
    if (rule.anchor.kind === "event" && rule.anchor.companion !== null && address === context.call?.to) return true;
    if (context.admits(rule.home, address)) return true;
    return rule.legs.some(
      ({ to }) => to !== null && typeof to === "object" && to.kind !== "any" && context.admits(to, address),
    );
  }

  /** By the call tree, else where nothing else was called and it kept nothing. */
  #isSentBy(candidate: Candidate, { account, asset, parcel }: Sending): boolean {
    const { tx } = this.#unwrapped;
    const { first: move, holder } = parcel;
    if (move.token === null) return false;
    const callers = this.#callersOf(move);
    if (callers !== null) return callers.some((caller) => this.#isAdmitted(candidate, caller));
    if (parcel.amount * feeShare > asset.amount && this.#keepsSome(candidate, account, asset)) return false;
    const tokens = new Set(candidate.context.flow.gives.map(({ token }) => token));
    const others = this.#leaves.filter(({ to, input, state }) => {
      if (to === null || state === "failed" || this.#isAdmitted(candidate, to)) return false;
      // An allowance moves nothing.
      if (allowsSpending(this.#grants, input) && (tx.listed.has(to) || tokens.has(to))) return false;
      return to !== move.token || input.startsWith(transferCall(holder));
    });
    return others.length === 0 && this.#leaves.length > 0;
  }

  /** The called contract. A stranger did not sell what a known contract minted. */
  #isSeller(address: Address, context: MatchContext): boolean {
    const { target, legs } = context;
    if (address !== target || !this.#hasPart(address, context)) return false;
    const isMade = (leg: Movement | null) => leg?.from === zeroAddress && leg.token !== target;
    return this.#isNamed(target) || !legs.some((leg) => isMade(leg) && this.#isNamed(leg?.token ?? null));
  }

  #isNamed(address: Address | null): boolean {
    return address !== null && this.#labels.name(address) !== undefined;
  }

  #hasPart(called: Address, { flow }: MatchContext): boolean {
    return hasPart(called, flow.gets, { tx: this.#unwrapped.tx, leaves: this.#leaves, grants: this.#grants });
  }

  #keepsSome(candidate: Candidate, account: Address, asset: AssetChange): boolean {
    return this.trail.parcelsOf(account, asset).some(({ holder }) => this.#isAdmitted(candidate, holder));
  }

  /** By the call tree, else its calldata. */
  #isSentByOwner(account: Address, move: Movement): boolean {
    const { tx } = this.#unwrapped;
    if (move.token === null) return move.basis !== "trace" || tx.calls[move.call]?.from === account;
    const callers = this.#callersOf(move);
    if (callers !== null) return callers[0] === account;
    const starts = [transferCall(move.to), transferFromCall(account, move.to)];
    const isNft = move.tokenId !== null;
    return this.#leaves.some(
      ({ to, input }) => to === move.token && (isNft || starts.some((start) => input.startsWith(start))),
    );
  }

  /** The token's caller, behind an agent such as Permit2 the agent's caller. null: no call tree. */
  #callersOf({ call, token }: Movement): Address[] | null {
    const { calls, traced } = this.#unwrapped.tx;
    let frame = traced ? calls[call] : undefined;
    while (frame !== undefined && frame.to !== token) frame = calls[frame.parent];
    while (frame !== undefined && calls[frame.parent]?.to === token) frame = calls[frame.parent];
    if (frame === undefined) return null;
    const callers: Address[] = [frame.from];
    for (let at = calls[frame.parent]; at !== undefined && at.to === callers.at(-1); at = calls[at.parent]) {
      if (!this.#keepers.has(callers.at(-1) as Address)) break;
      callers.push(at.from);
    }
    return callers;
  }
}

/** The account's own token call or plain payment: states only what that moved. */
export function isOwnTransfer({ rule, context }: Candidate): boolean {
  const calls = rule.anchor.kind === "call" && !atKnownPlace(rule) && context.call?.step === null;
  return calls && rule.tier === tierRank("transfer") && rule.actsFor === null;
}

function asksGives({ flow }: CompiledRule): boolean {
  return (flow?.gives?.max ?? 0) > 0;
}

/** Ether to the called contract without a call tree; the answer says so. */
function isUnseen({ context: { tx, subject } }: Candidate, account: Address, { first, path }: Parcel): boolean {
  return first.token === null && !tx.nativeComplete && path.length === 0 && account === subject;
}

/** Innermost, of an account. */
interface Called {
  tx: Transaction;
  leaves: readonly ActorCall[];
  grants: GrantTable;
}

/**
 * Got something by its call of this contract. If other contracts were called too, an asset must be this contract's token, come from it, or
 * have moved while it ran (call tree).
 */
export function hasPart(called: Address, gets: readonly AssetChange[], { tx, leaves, grants }: Called): boolean {
  const isOther = ({ to, input, state }: ActorCall) =>
    to !== called && to !== null && state !== "failed" && !allowsSpending(grants, input);
  if (!leaves.some(isOther)) return true;
  return gets.some(({ token, movements }) => {
    if (token === called) return true;
    return movements.some((index) => {
      const move = tx.movements[index];
      return move !== undefined && (move.from === called || isInside(move, called, tx));
    });
  });
}

function isInside({ call }: Movement, called: Address, { calls, traced }: Transaction): boolean {
  for (let frame = traced ? calls[call] : undefined; frame !== undefined; frame = calls[frame.parent])
    if (frame.to === called) return true;
  return false;
}
