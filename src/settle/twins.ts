import type { Candidate } from "../match/candidate.ts";

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
