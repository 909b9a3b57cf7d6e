import { type Address, isBurnAddress } from "../kernel/address.ts";
import type { Candidate } from "../match/candidate.ts";
import type { MoneyTrail } from "../money/trail.ts";
import type { CompiledCapture, Getter } from "../ruleset/compiled.ts";
import type { Loss } from "./losses.ts";

/**
 * What an account did once more of the kind and by the protocol of a standing action that tells the money of both: whom it was for is
 * to be told all the same. `passed`: candidates that did not stand because of others.
 */
export function twinsOf(actions: readonly Candidate[], passed: readonly Candidate[]): Candidate[] {
  if (passed.length === 0) return [];
  const isTold = ({ logs, calls }: Candidate) =>
    actions.some((one) => logs.some((log) => one.logs.includes(log)) || calls.some((call) => one.calls.includes(call)));
  const isTwin = (one: Candidate) => actions.some((action) => isAlike(one, action));
  return passed.filter((one) => one.logs.length + one.calls.length > 0 && isTwin(one) && !isTold(one));
}

function isAlike({ rule, context }: Candidate, other: Candidate): boolean {
  if (context.subject !== other.context.subject || rule.action !== other.rule.action) return false;
  return rule.id === other.rule.id || (rule.protocol !== null && rule.protocol === other.rule.protocol);
}

/** An event of a known contract about somebody else than the account whose money came to it. */
type OfOther = Pick<Candidate, "rule" | "context">;

/**
 * What an account's money did at a known contract for somebody else, where no action tells it: the events that
 * name him. Their only captures are whom they name.
 */
export function creditsOf(
  ofOthers: readonly OfOther[],
  { losses, logs, trail }: { losses: readonly Loss[]; logs: ReadonlyMap<number, string>; trail: MoneyTrail },
): OfOther[] {
  if (ofOthers.length === 0 || losses.length === 0) return [];
  return ofOthers
    .filter(({ context: { log } }) => log !== null && !logs.has(log.index))
    .filter((one) => losses.some((loss) => comesTo(one, loss, trail)))
    .map(({ rule, context }) => ({ rule: { ...rule, captures: new Map(rule.who.map(otherBy)) }, context }));
}

function otherBy(get: Getter, place: number): [string, CompiledCapture] {
  return [String(place), { kind: "other", get, far: null }];
}

/** Whether something that no action of a protocol accounts for came to the contracts of a rule, or was given in a call of one. */
function comesTo({ rule, context }: OfOther, loss: Loss, trail: MoneyTrail): boolean {
  const { account, asset, strangers, reached, sent } = loss;
  const isHome = (address: Address) => address === context.log?.address || context.admits(rule.home, address);
  if (account !== context.subject) return false;
  if (strangers.some(({ to, holders }) => isHome(to) || holders.some(isHome))) return true;
  if (![...reached, ...sent].some(({ action }) => action.rule.protocol === null)) return false;
  if (context.target !== null && isHome(context.target)) return true;
  return trail
    .parcelsOf(account, asset)
    .some(({ holder, first }) => isHome(isBurnAddress(holder) ? (asset.token ?? holder) : holder) || isHome(first.to));
}
