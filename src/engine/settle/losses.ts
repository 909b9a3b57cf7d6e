import { type Address, isBurnAddress } from "../../kernel/address.ts";
import { type Members, membersOf } from "../../kernel/lists.ts";
import type { AssetChange } from "../../model/match.ts";
import type { Transaction } from "../../model/transaction.ts";
import { feeLeg } from "../../rules/ruleset/compiled.ts";
import { atKnownPlace } from "../../rules/ruleset/precedence.ts";
import type { Candidate } from "../match/candidate.ts";
import { assetKeyOf, type Parcel } from "../money/trail.ts";
import { balanceChanges } from "../normalize/balance-changes.ts";
import { promises } from "./narrow.ts";
import type { Arrival, ReachedMoney } from "./reached-money.ts";

/** `fee`: a leg says that it was paid for the service itself. */
interface ReachedPart {
  action: Candidate;
  amount: bigint;
  redeemed: boolean;
  fee?: boolean;
}

/** Net, in base units, with its actions. */
export interface Loss {
  account: Address;
  asset: AssetChange;
  /** All that went to others, before returns. */
  gross: bigint;
  /** `redeemed`: destroyed, and the account got something for it. */
  reached: ReachedPart[];
  /** Sent on by an action's contract. */
  sent: { action: Candidate; to: Address; amount: bigint }[];
  /** Without an action. `to`: direct receiver; `holders`: in the end. */
  strangers: { to: Address; holders: Address[]; amount: bigint }[];
  /** Received by an owner whose asset others moved; otherwise the actions state it. */
  got?: readonly AssetChange[];
}

/** Without gas; the first account is the subject. Empty when reverted. */
export function findLosses(
  accounts: readonly Address[],
  { tx, actions, money }: { tx: Transaction; actions: readonly Candidate[]; money: ReachedMoney },
): Loss[] {
  if (tx.status === "reverted") return [];
  let claiming: readonly Claiming[] | undefined;
  const losses: Loss[] = [];
  const find = (account: Address, asset: AssetChange) => {
    claiming ??= actions.map(claimingOf);
    return lossOf({ account, asset }, claiming, money);
  };
  for (const account of accounts) {
    const { gives, gets, neutral } = balanceChanges(tx, account);
    for (const asset of gives) losses.push(find(account, asset));
    // What came to an acting account may be moved on by others. A called contract passes on what belongs to others.
    if ((account === tx.to && account !== accounts[0]) || !actions.some(({ context }) => context.subject === account))
      continue;
    for (const asset of [...gets, ...neutral]) {
      if (asset.movements.length < 2) continue;
      const open = { ...asset, movements: untold(asset, account, actions) };
      const amount = lostIn(account, open, money);
      if (amount === 0n) continue;
      const loss = find(account, { ...open, amount });
      if (loss.strangers.length > 0) losses.push({ ...loss, reached: [], sent: [] });
    }
  }
  return losses;
}

/** Owners did nothing, and no action accounts for it. */
export function findTakenLosses(
  owners: readonly Address[],
  { tx, money }: { tx: Transaction; money: ReachedMoney },
): Loss[] {
  return findLosses(owners, { tx, actions: [], money }).map((loss) => ({
    ...loss,
    got: balanceChanges(tx, loss.account).gets,
  }));
}

/** Movements, and keys of assets given net. */
interface Claiming {
  action: Candidate;
  claimed: Members<number>;
  given: Members<string>;
}

function claimingOf(action: Candidate): Claiming {
  const given = membersOf(action.context.flow.gives.map(({ key }) => key));
  return { action, claimed: membersOf(action.movements), given };
}

/** Without what an act at a known contract states as given. */
function untold({ movements }: AssetChange, account: Address, actions: readonly Candidate[]): number[] {
  const told = (index: number) =>
    actions.some(
      ({ rule, context }) =>
        atKnownPlace(rule) && context.legs.some((leg) => leg?.index === index && leg.from === account),
    );
  return movements.filter((index) => !told(index));
}

function lostIn(account: Address, asset: AssetChange, { trail }: ReachedMoney): bigint {
  const parcels = trail.lostOf(account, asset).filter(({ holder }) => holder !== account);
  return parcels.reduce((sum, { amount }) => sum + amount, 0n);
}

function lossOf(
  { account, asset }: Pick<Loss, "account" | "asset">,
  actions: readonly Claiming[],
  money: ReachedMoney,
): Loss {
  const loss: Loss = { account, asset, gross: 0n, reached: [], sent: [], strangers: [] };
  const receivers: Receivers = {};
  let left = asset.amount;
  for (const parcel of money.trail.lostOf(account, asset)) {
    if (parcel.holder === account) continue;
    loss.gross += parcel.amount;
    if (left === 0n) continue;
    // Some may have come back another way.
    const amount = parcel.amount < left ? parcel.amount : left;
    left -= amount;
    addPart({ loss, receivers }, parcel, amount, findAction(actions, { account, asset, parcel, money }));
  }
  return loss;
}

/** Claims it, else first reached, else first sent on. */
function findAction(
  actions: readonly Claiming[],
  { account, asset, parcel, money }: { account: Address; asset: AssetChange; parcel: Parcel; money: ReachedMoney },
): { action: Candidate; arrival: Arrival } | undefined {
  let found: { action: Candidate; arrival: Arrival } | undefined;
  for (const { action, claimed, given } of actions) {
    const isClaimed = claimed.has(parcel.first.index);
    if (found?.arrival === "reached" && !isClaimed) continue;
    // An act states the net amount, not assets passed on.
    const isGiven = action.context.subject === account && given.has(asset.key);
    const arrival = promises(action)
      ? money.covers(action, account, asset, parcel)
      : isGiven && isClaimed
        ? "reached"
        : null;
    if (arrival === "reached" || found === undefined) found = arrival ? { action, arrival } : undefined;
    if (arrival === "reached" && isClaimed) break;
  }
  return found;
}

interface Receivers {
  sent?: Map<string, Loss["sent"][number]>;
  strangers?: Map<Address, Loss["strangers"][number]>;
  /** Only others were paid for this receipt; undefined: not computed yet. */
  paidAway?: boolean;
}

function addPart(
  { loss, receivers }: { loss: Loss; receivers: Receivers },
  parcel: Parcel,
  amount: bigint,
  found: { action: Candidate; arrival: Arrival } | undefined,
): void {
  if (found === undefined) addStranger(loss, receivers, parcel, amount);
  else if (found.arrival === "sent") addSent(loss, receivers, { action: found.action, to: parcel.holder, amount });
  else {
    const { action } = found;
    let redeemed = isRedeemed(action, loss, parcel);
    if (redeemed) {
      receivers.paidAway ??= isPaidAway(loss.account, loss.asset, action.context.tx);
      redeemed = !receivers.paidAway;
    }
    addReached(loss, { action, amount, redeemed, ...(isFee(action, parcel) && { fee: true }) });
  }
}

function addSent({ sent }: Loss, receivers: Receivers, part: Loss["sent"][number]): void {
  const key = `${part.action.rule.id}${part.to}`;
  receivers.sent ??= new Map();
  const known = receivers.sent.get(key);
  if (known === undefined) {
    sent.push(part);
    receivers.sent.set(key, part);
  } else known.amount += part.amount;
}

function isRedeemed(
  { rule, context, movements }: Candidate,
  { account, asset }: Loss,
  { holder, first }: Parcel,
): boolean {
  if (!isBurnAddress(holder) && holder !== asset.token) return false;
  // An act without a given side, such as a loan, paid nothing for the receipt.
  if (!rule.flow?.gives && !rule.flow?.open.gives && !movements.includes(first.index)) return false;
  // Dollars and wrapped ether are no receipts.
  if (asset.token !== null && context.tx.etherWorth(asset.token) !== undefined) return false;
  const gets = context.subject === account ? context.flow.gets : balanceChanges(context.tx, account).gets;
  return gets.length > 0;
}

/** The contract paid, and all stayed with others. */
function isPaidAway(account: Address, { token }: AssetChange, tx: Transaction): boolean {
  const paid = tx.movements.filter((move) => move.from === token && move.token !== token);
  return (
    paid.length > 0 &&
    paid.every(
      (move) => move.to !== account && balanceChanges(tx, move.to).gets.some(({ key }) => key === assetKeyOf(move)),
    )
  );
}

/** Bound by a leg that the rule calls `fee`. */
function isFee({ rule, context: { legs, legMoves } }: Candidate, { first }: Parcel): boolean {
  return rule.legs.some(
    ({ name }, i) => name === feeLeg && (legs[i]?.index === first.index || legMoves?.[i]?.includes(first) === true),
  );
}

function addReached({ reached }: Loss, part: ReachedPart): void {
  const known = reached.find(
    ({ action, redeemed, fee }) => action === part.action && redeemed === part.redeemed && fee === part.fee,
  );
  if (known === undefined) reached.push(part);
  else known.amount += part.amount;
}

function addStranger({ strangers }: Loss, receivers: Receivers, { first, holder }: Parcel, amount: bigint): void {
  receivers.strangers ??= new Map();
  const known = receivers.strangers.get(first.to);
  if (known === undefined) {
    const made = { to: first.to, holders: [holder], amount };
    strangers.push(made);
    receivers.strangers.set(first.to, made);
  } else {
    known.amount += amount;
    if (!known.holders.includes(holder)) known.holders.push(holder);
  }
}
