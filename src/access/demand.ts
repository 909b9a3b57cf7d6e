/** What was asked and how it ended, since the start. */
export interface DemandCounts {
  free: number;
  pass: number;
  paid: number;
  /** Asked for a payment, and none was offered. */
  challenged: number;
  /** Offered a payment that was not taken, or asked too often. */
  refused: number;
  passes_sold: number;
  /** Base units of USDC. */
  settled: bigint;
}

/** Counts demand; /healthz and /metrics show it. */
export class Demand {
  readonly counts: DemandCounts = { free: 0, pass: 0, paid: 0, challenged: 0, refused: 0, passes_sold: 0, settled: 0n };

  add(name: Exclude<keyof DemandCounts, "settled">): void {
    this.counts[name]++;
  }

  addSettled(units: bigint): void {
    this.counts.settled += units;
  }
}
