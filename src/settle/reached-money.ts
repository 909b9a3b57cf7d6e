import { type Address, isBurnAddress, readAddress } from "../kernel/address.ts";
import { transferCall } from "../kernel/token-calls.ts";
import type { Candidate } from "../match/candidate.ts";
import { leavesOf } from "../match/own-calls.ts";
import type { ActorCall, AssetChange } from "../model/match.ts";
import type { Movement } from "../model/transaction.ts";
import { Markets } from "../money/markets.ts";
import { MoneyTrail, type Parcel } from "../money/trail.ts";
import type { GrantTable } from "../ruleset/grant-table.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";

/** What of an asset an action may speak of, and what went elsewhere. Base units. */
export interface Reached {
  amount: bigint;
  /** What went to others, who gave nothing for it. */
  strangers: readonly Parcel[];
}

/** Of what an exchange took, the most that may go to somebody who gave nothing, as a fee: one part in so many. */
const feeShare = 5n;

/** From here on an anchor's place is proven: a known contract, or a proven member. */
const knownPlace = 2;

/**
 * Tells whether what an account gave reached what an action is about: a contract that its rule admits, where that contract itself
 * sent it, or somebody who gave something else for it. The rest went to strangers.
 */
export class ReachedMoney {
  readonly trail: MoneyTrail;
  readonly #markets: Markets;
  readonly #unwrapped: Unwrapped;
  readonly #leaves: readonly ActorCall[];
  /** Contracts that move tokens for whoever calls them: the right is the caller's. */
  readonly #agents: ReadonlySet<Address>;

  constructor(unwrapped: Unwrapped, grants: GrantTable) {
    this.trail = new MoneyTrail(unwrapped.tx);
    this.#markets = new Markets(unwrapped.tx);
    this.#unwrapped = unwrapped;
    this.#leaves = leavesOf(unwrapped);
    this.#agents = new Set(
      [...grants.events.values()].flatMap((some) => some.flatMap(({ contracts }) => [...contracts])),
    );
  }

  /** Parts an asset that an account gave by where it ended, as one action sees it. */
  of(candidate: Candidate, account: Address, asset: AssetChange): Reached {
    const strangers: Parcel[] = [];
    let away = 0n;
    for (const parcel of this.trail.parcelsOf(account, asset)) {
      if (parcel.holder === account || this.covers(candidate, account, asset, parcel)) continue;
      strangers.push(parcel);
      away += parcel.amount;
    }
    return { amount: away >= asset.amount ? 0n : asset.amount - away, strangers };
  }

  /** Whether a part of what an account gave belongs to an action. */
  covers(candidate: Candidate, account: Address, asset: AssetChange, parcel: Parcel): boolean {
    const { rule, context } = candidate;
    const { holder, path, first } = parcel;
    // Ether behind an unknown contract is not seen; the answer says so.
    if (asset.token === null && !context.tx.nativeComplete && path.length === 0) return true;
    if (isBurnAddress(holder) || holder === asset.token || context.tx.weth.has(holder)) return true;
    if (holder === context.subject || isBound(candidate, first) || isNamed(candidate, holder)) return true;
    if (this.#isAdmitted(candidate, holder)) return true;
    const proven = rule.specificity.place >= knownPlace;
    const through =
      path.some((one) => this.#isAdmitted(candidate, one)) || (proven && this.#isSentBy(candidate, first, holder));
    const gave = (one: Address) =>
      proven ? this.#gave(candidate, one, asset.key, through) : this.#markets.gaveTowards(account, one, asset.key);
    if (gave(holder) || path.some(gave)) return true;
    if (rule.exchanges) return through && parcel.amount * feeShare <= asset.amount;
    return through || (rule.anchor.kind === "none" && [...path, holder].includes(context.target as Address));
  }

  /**
   * Whether somebody gave something for what he got of the account's: ether, a listed token, what the protocol itself gives too, and
   * where the protocol moved the money anything.
   */
  #gave(candidate: Candidate, one: Address, asset: string, through: boolean): boolean {
    const isAdmitted = (giver: Address) => this.#isAdmitted(candidate, giver);
    return this.#markets.gave(one, asset, (given) => through || this.#markets.isGivenBy(given, isAdmitted));
  }

  /** Whether a contract is one that the rule is about. */
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

  /** Whether an admitted contract had the account's asset sent on: by the call tree, or because nothing else was called. */
  #isSentBy(candidate: Candidate, move: Movement, holder: Address): boolean {
    const { tx } = this.#unwrapped;
    if (move.token === null) return false;
    if (tx.traced) return this.#callersOf(move).some((caller) => this.#isAdmitted(candidate, caller));
    const others = this.#leaves.filter(({ to, input, state }) => {
      if (to === null || state === "failed" || this.#isAdmitted(candidate, to)) return false;
      return to !== move.token || input.startsWith(transferCall(holder));
    });
    return others.length === 0 && this.#leaves.length > 0;
  }

  /** Who called the token to move it, and whoever that was done for. */
  #callersOf({ call, token }: Movement): Address[] {
    const { calls } = this.#unwrapped.tx;
    let frame = calls[call];
    while (frame !== undefined && frame.to !== token) frame = calls[frame.parent];
    while (frame !== undefined && calls[frame.parent]?.to === token) frame = calls[frame.parent];
    if (frame === undefined) return [];
    const callers: Address[] = [frame.from];
    for (let at = calls[frame.parent]; at !== undefined && at.to === callers.at(-1); at = calls[at.parent]) {
      if (!this.#agents.has(callers.at(-1) as Address)) break;
      callers.push(at.from);
    }
    return callers;
  }
}

/** Whether a leg asks for this movement by its receiver or its id. An amount alone can be met by any other movement. */
function isBound({ rule, context }: Candidate, move: Movement): boolean {
  const leg = rule.legs[context.legs.indexOf(move)];
  return leg !== undefined && (leg.to !== null || leg.id !== null);
}

/** Whether the sentence names the address: a receiver, say. */
function isNamed({ rule, context }: Candidate, address: Address): boolean {
  for (const capture of rule.captures.values())
    if ((capture.kind === "address" || capture.kind === "other") && readAddress(capture.get(context)) === address)
      return true;
  return false;
}
