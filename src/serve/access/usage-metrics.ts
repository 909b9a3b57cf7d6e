/** How many requests were admitted or refused since the start. */
export interface UsageCounts {
  free: number;
  pass: number;
  paid: number;
  /** The caller was asked to pay, and had offered no payment. */
  challenged: number;
  /** The payment was not accepted, or the client asked too often. */
  refused: number;
  passes_sold: number;
  /** Base units of USDC. */
  settled: bigint;
}

/** Counts for /healthz and /metrics. */
export class UsageMetrics {
  /** Payments that should be closed by now and are not, as the ledger and the chain were asked last. */
  open = 0;
  readonly counts: UsageCounts = { free: 0, pass: 0, paid: 0, challenged: 0, refused: 0, passes_sold: 0, settled: 0n };

  add(name: Exclude<keyof UsageCounts, "settled">): void {
    this.counts[name]++;
  }
}
