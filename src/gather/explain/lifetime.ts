import { chain } from "../../kernel/chain-profile.ts";
import type { ServiceError } from "../../kernel/error.ts";
import type { CaseFile, LookupStatus } from "../../model/case-file.ts";
import { traceReasons } from "../fetch/fetch.ts";

/**
 * Milliseconds for which a gathered case may be reused, at the time `now` (Unix milliseconds): a day once its block is final, seconds while
 * the block may still be reorganized. If a source did not answer, half a minute at most: it may tell more the next time, but until then the
 * same answer is not gathered, and paid for, again and again. 0 without the block's time.
 */
export function caseLifetime(caseFile: CaseFile, now: number): number {
  const { block, trace, price, tokens, reads } = caseFile;
  if (block.timestamp === undefined) return 0;
  const asked: Asked[] = [price, ...reads, ...Object.values(tokens), ...riskLookups(caseFile)];
  const isTraced = trace.source !== "none" || trace.reason !== traceReasons.failed;
  const isWhole = isTraced && !asked.some((lookup) => lookup.status === "unavailable" && lookup.reason === undefined);
  if (now - Number(block.timestamp) * 1000 <= chain.finalAfterMs) return lifetimes.young;
  return isWhole ? lifetimes.settled : lifetimes.partial;
}

/** A lookup. With a reason, asking again does not help. */
interface Asked {
  status: LookupStatus;
  reason?: string;
}

/**
 * The risk lookups that count as asked. Having no drainer list is a setting, not a failure. A stale list counts as an answer, because it
 * may stay stale for long.
 */
function riskLookups({ risk }: CaseFile): Asked[] {
  if (risk === undefined) return [];
  const { drainers, history, verification } = risk;
  const lists = drainers.lists.map(({ snapshot_time }) => ({
    status: snapshot_time === null ? ("unavailable" as const) : ("found" as const),
  }));
  return [...lists, ...Object.values(history), ...Object.values(verification)];
}

/** Milliseconds for which a failure is remembered. 0 for failures of upstream sources: they say nothing about the transaction. */
export function failureLifetime(error: ServiceError): number {
  if (error.code === "transaction_not_found") return lifetimes.notFound;
  return error.code === "transaction_pending" ? lifetimes.pending : 0;
}

export const lifetimes = {
  settled: 24 * 3_600_000,
  young: 15_000,
  partial: 30_000,
  // Shorter than the time after which the caller is told to try again.
  pending: 500,
  notFound: 2_000,
} as const;
