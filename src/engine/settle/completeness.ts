import type { Address } from "../../kernel/address.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Log, Movement, Transaction } from "../../model/transaction.ts";
import { tierRank } from "../../rules/ruleset/actions.ts";
import { assetKeyOf } from "../money/trail.ts";
import { frameEnd, leafCalls } from "../unwrap/call-tree.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";
import type { Settled } from "./settle.ts";

/** How much of the subject's part in the transaction the actions account for. */
export interface Completeness {
  /** Movements of the subject that no action claims. Those of an asset that came back in full are left out. */
  movements: Movement[];
  movementsTotal: number;
  /** `total`: the number of innermost calls that the subject made. `open`: those that no action accounts for. For the evidence alone. */
  measureCalls(): { open: ActorCall[]; total: number };
  /** Logs that no action claims and that are not about a movement. For the evidence alone. */
  findLogs(): Log[];
}

interface Found {
  unwrapped: Unwrapped;
  settled: Settled;
  subject: Address;
}

/** Compares what happened to the subject with what the actions claim. */
export function measureCompleteness(found: Found): Completeness {
  const { settled, subject } = found;
  const { tx } = found.unwrapped;
  const own = tx.movements.filter((move) => isValue(move) && (move.from === subject || move.to === subject));
  const open = own.filter((move) => !settled.claimedMovements.has(move.index));
  return {
    movements: leftOf(open, subject),
    movementsTotal: own.length,
    measureCalls() {
      const calls = innermostCalls(found);
      return { open: openCalls(found, calls), total: calls.length };
    },
    findLogs: () => silentLogs(found.unwrapped, settled),
  };
}

/** The movements of assets whose sum is not zero. */
function leftOf(open: Movement[], subject: Address): Movement[] {
  if (open.length === 0) return open;
  const nets = netsOf(open, subject);
  return open.filter((move) => nets.get(assetKeyOf(move)) !== 0n);
}

/** Logs that no action claims and that are not about a movement. */
function silentLogs({ tx }: Unwrapped, { claimedLogs }: Settled): Log[] {
  const unclaimed = tx.logs.filter((log) => !claimedLogs.has(log.index));
  if (unclaimed.length === 0) return unclaimed;
  const stating = new Set(tx.movements.map((move) => move.log));
  return unclaimed.filter((log) => !stating.has(log.index));
}

/** The sum of an account's movements by asset, in the order of first movement. Negative where the account gave more than it got. */
export function netsOf(moves: readonly Movement[], account: Address): Map<string, bigint> {
  const nets = new Map<string, bigint>();
  for (const move of moves) {
    const key = assetKeyOf(move);
    nets.set(key, (nets.get(key) ?? 0n) + (move.to === account ? move.amount : -move.amount));
  }
  return nets;
}

function isValue(move: Movement): boolean {
  return !move.fee && move.amount > 0n && move.from !== move.to;
}

function innermostCalls({ unwrapped, subject }: Found): ActorCall[] {
  return leafCalls(unwrapped.calls).filter(
    (call) => call.actor === subject && call.to !== null && call.state !== "failed",
  );
}

/**
 * Calls that no action accounts for. A call is accounted for when it is claimed, when something inside it is (without a call tree: when its
 * target takes part in what is claimed), or when it is the only one. An action of a fallback type ("called X") accounts for others only
 * where it names a protocol or tells an event.
 */
function openCalls({ unwrapped: { tx }, settled }: Found, calls: ActorCall[]): ActorCall[] {
  const telling = settled.actions.some(
    ({ rule }) => rule.tier < tierRank("fallback") || rule.protocol !== null || rule.anchor.kind === "event",
  );
  if (!telling) return calls;
  if (calls.length === 1) return [];
  const involved = new Set<Address | null>();
  for (const index of settled.claimedLogs.keys()) involved.add(tx.logs[index]?.address ?? null);
  for (const index of settled.claimedMovements.keys()) {
    const move = tx.movements[index];
    for (const address of [move?.token, move?.from, move?.to]) involved.add(address ?? null);
  }
  const own = new Set<number>();
  for (const { context } of settled.actions) {
    if (context.call !== null) own.add(context.call.id);
    involved.add(context.log?.address ?? null).add(context.call?.to ?? null);
  }
  const placed = tx.traced && tx.logs.every((log) => isPlaced(log, tx));
  return calls.filter(
    (call) =>
      !settled.claimedCalls.has(call.id) &&
      !own.has(call.id) &&
      !(placed && call.frame >= 0 ? claimsIn(call, tx, settled) : involved.has(call.to)),
  );
}

/** Whether it is known which call wrote a log. Some call trees do not say it. */
function isPlaced({ call, address }: Log, { calls }: Transaction): boolean {
  const frame = calls[call];
  return frame !== undefined && (frame.to === address || frame.from === address);
}

/** Whether an action claims a log or a movement of this call or of one inside it. */
function claimsIn({ frame }: ActorCall, { calls, logs, movements }: Transaction, settled: Settled): boolean {
  const end = frameEnd(calls, frame);
  const isInside = (at: number | undefined) => at !== undefined && at >= frame && at < end;
  for (const index of settled.claimedLogs.keys()) if (isInside(logs[index]?.call)) return true;
  for (const index of settled.claimedMovements.keys()) if (isInside(movements[index]?.call)) return true;
  return false;
}
