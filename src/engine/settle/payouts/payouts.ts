import type { Address } from "../../../kernel/address.ts";
import type { AssetChange } from "../../../model/match.ts";
import type { Movement } from "../../../model/transaction.ts";
import { atKnownPlace } from "../../../rules/ruleset/precedence.ts";
import type { Candidate } from "../../match/candidate.ts";
import { giverOf, isBelieved } from "../../money/payees.ts";
import { balanceChanges } from "../../normalize/balance-changes.ts";
import { frameEnd } from "../../unwrap/call-tree.ts";
import { isOwnAct, type Payout, payoutsOf } from "./act-payouts.ts";
import { downstreamIn, type KnownRun, partOf, type Run, runOf } from "./run.ts";

/**
 * Who was paid in an account's place: got much of what came for its money, or its withdrawal, its loan, or the receipt for its deposit.
 * Each payee and asset once. `claimed`: by actions.
 */
export function findPayouts(actions: readonly Candidate[], known: KnownRun, claimed: Run["claimed"]): Payout[] {
  const { tx, leaves } = known;
  if (tx.status === "reverted" || tx.movements.length === 0) return [];
  const run = runOf(known, { tellers: tellersOf(actions), claimed });
  const found: Payout[] = [];
  for (const action of actions) found.push(...payoutsOf(action, run));
  const own = actions.find(isOwnAct);
  if (own === undefined) return once(found);
  const { gets } = balanceChanges(tx, own.context.subject);
  if (gets.length + leaves.length !== 1)
    for (const part of partsBeside(own, gets, run)) found.push(...payoutsInPart(own, part));
  return once(found);
}

function once(payouts: Payout[]): Payout[] {
  if (payouts.length === 0) return payouts;
  const told = new Set<string>();
  return payouts.flatMap((payout) => {
    const assets = payout.assets.filter(({ key }) => {
      const { size } = told;
      return told.add(`${payout.payee}${key}`).size > size;
    });
    return assets.length === 0 ? [] : [{ ...payout, assets }];
  });
}

/** Known contracts whose events state the actions. */
function tellersOf(actions: readonly Candidate[]): Address[] {
  const tellers: Address[] = [];
  for (const { rule, context } of actions)
    if (context.log !== null && atKnownPlace(rule)) tellers.push(context.log.address);
  return tellers;
}

/** And the contract of its call. */
interface Part {
  run: Run;
  target: Address | null;
}

/** Movements that do not touch the account, and those of each call. */
function partsBeside({ context }: Candidate, gets: readonly AssetChange[], run: Run): Part[] {
  const { tx, leaves } = run;
  const { subject, target } = context;
  const reached = downstreamIn([subject], run);
  const isBeside = (move: Movement) =>
    move.to !== subject && giverOf(move) !== subject && isBelieved(move, tx) && !reached.has(giverOf(move));
  const part = (movements: Movement[], of: Address | null, others: Pick<Run, "leaves" | "beside">): Part[] =>
    movements.length === 0 ? [] : [{ run: partOf(run, movements, others), target: of }];
  const beside = part(tx.movements.filter(isBeside), target, { leaves, beside: gets });
  if (!tx.traced || leaves.length < 2) return beside;
  const ofCalls = leaves.flatMap((leaf) => {
    const end = frameEnd(tx.calls, leaf.frame);
    const isInside = ({ call }: Movement) => call >= leaf.frame && call < end;
    return part(tx.movements.filter(isInside), leaf.to, { leaves: [leaf], beside: [] });
  });
  return [...beside, ...ofCalls];
}

/** As if that part were alone, without the act's money. */
function payoutsInPart(own: Candidate, { run, target }: Part): Payout[] {
  const { context } = own;
  const flow = balanceChanges(run.tx, context.subject);
  return payoutsOf({ ...own, context: { ...context, legs: [], target, flow } }, run);
}
