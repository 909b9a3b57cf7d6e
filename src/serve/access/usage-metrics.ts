/** Since the start. */
export interface UsageCounts {
  free: number;
  pass: number;
  paid: number;
  /** Asked to pay, without an offer. */
  challenged: number;
  /** Payment refused, or asked too often. */
  refused: number;
  passes_sold: number;
  /** Base units of USDC. */
  settled: bigint;
}

/** For /healthz and /metrics. */
export class UsageMetrics {
  /** Payments that should be closed, by ledger and chain. */
  open = 0;
  readonly counts: UsageCounts = { free: 0, pass: 0, paid: 0, challenged: 0, refused: 0, passes_sold: 0, settled: 0n };

  add(name: Exclude<keyof UsageCounts, "settled">): void {
    this.counts[name]++;
  }
}
