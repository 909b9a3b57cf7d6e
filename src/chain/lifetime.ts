import type { ServiceError } from "../kernel/error.ts";
import type { CaseFile, LookupStatus, RpcFrame } from "../model/case-file.ts";

/** Why a case has no trace. Decides whether asking again could help. */
export const traceReasons = {
  plain: "plain transfer: 21000 gas",
  none: "no endpoint offers a trace and no explorer is configured",
  unlisted: "no endpoint offers a trace and the explorer does not list this transaction",
  unclear: "no endpoint offers a trace and the explorer's list cannot be told apart",
  failed: "the trace sources did not answer",
} as const;

/**
 * Milliseconds for which a gathered case may be reused: a day when its block is settled, seconds while the block is young
 * and may be reorganized, none while a source that did not answer could still tell more.
 */
export function caseLifetime(caseFile: CaseFile, now: number): number {
  const { block, trace, price, tokens, reads } = caseFile;
  if (block.timestamp === undefined) return 0;
  if (trace.source === "none" && trace.reason === traceReasons.failed) return 0;
  const asked = [price, ...reads, ...Object.values(tokens), ...riskLookups(caseFile)];
  const unanswered = asked.some((lookup) => lookup.status === "unavailable");
  if (unanswered) return 0;
  return now - Number(block.timestamp) * 1000 > settledAfterMs ? lifetimes.settled : lifetimes.young;
}

/** No drainer list at all is how it is configured, not a failure; a stale one may stay so for long. */
function riskLookups({ risk }: CaseFile): { status: LookupStatus }[] {
  if (risk === undefined) return [];
  const { drainers, history, verification } = risk;
  const lists = drainers.lists.map(({ snapshot_time }) => ({
    status: snapshot_time === null ? ("unavailable" as const) : ("found" as const),
  }));
  return [...lists, ...Object.values(history), ...Object.values(verification)];
}

/** Milliseconds for which a failure may be told again without asking. Nothing is known of an upstream failure: none. */
export function failureLifetime(error: ServiceError): number {
  if (error.code === "transaction_not_found") return lifetimes.notFound;
  return error.code === "transaction_pending" ? lifetimes.pending : 0;
}

/** Milliseconds for which a token's answer may be reused for other transactions. */
export function tokenLifetime(status: LookupStatus): number {
  if (status === "found") return lifetimes.tokenFound;
  return status === "absent" ? lifetimes.tokenAbsent : 0;
}

/** Base blocks are final on Ethereum well within this time. */
const settledAfterMs = 30 * 60_000;

export const lifetimes = {
  settled: 24 * 3_600_000,
  young: 15_000,
  notFound: 4_000,
  pending: 1_000,
  tokenFound: 6 * 3_600_000,
  tokenAbsent: 60_000,
} as const;

/** Bytes of a case in memory, roughly: two a character of its long strings, and some for each object. */
export function caseWeight(caseFile: CaseFile): number {
  let weight = 2_000 + caseFile.transaction.input.length;
  for (const log of caseFile.receipt.logs) weight += 400 + log.data.length;
  const frames: RpcFrame[] = "root" in caseFile.trace ? [caseFile.trace.root] : [];
  for (let frame = frames.pop(); frame !== undefined; frame = frames.pop()) {
    weight += 400 + (frame.input?.length ?? 0) + (frame.output?.length ?? 0);
    for (const log of frame.logs ?? []) weight += 400 + log.data.length;
    if (frame.calls !== undefined) frames.push(...frame.calls);
  }
  if ("internal" in caseFile.trace) weight += caseFile.trace.internal.length * 300;
  weight += (Object.keys(caseFile.tokens).length + caseFile.reads.length) * 500;
  for (const { counterparties } of Object.values(caseFile.risk?.history ?? {})) weight += counterparties.length * 100;
  return weight;
}
