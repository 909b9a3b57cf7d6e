import { chain } from "../../kernel/chain-profile.ts";
import type { ServiceError } from "../../kernel/error.ts";
import type { CaseFile, LookupStatus } from "../../model/case-file.ts";
import { traceReasons } from "../fetch/fetch.ts";

/**
 * Milliseconds for reuse; `now`: Unix ms. A day once the block is final, seconds while it may be reorganized. Where a source was silent
 * half a minute at most: it may tell more then, but is not asked, and paid, again and again. 0 without the block's time.
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

/** No drainer list is a setting, not a failure. A stale one is an answer: it may stay stale for long. */
function riskLookups({ risk }: CaseFile): Asked[] {
  if (risk === undefined) return [];
  const { drainers, history, verification } = risk;
  const lists = drainers.lists.map(({ snapshot_time }) => ({
    status: snapshot_time === null ? ("unavailable" as const) : ("found" as const),
  }));
  return [...lists, ...Object.values(history), ...Object.values(verification)];
}

/** Milliseconds. 0: upstream failures say nothing about the transaction. */
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
