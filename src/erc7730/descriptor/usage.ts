import type { ReportPart } from "../report.ts";

/** Which parts of a descriptor were used or reported, by JSON pointer. A pointer stands for everything inside of it. */
export class Usage {
  readonly #settled = new Set<string>();
  /** Pointers above settled ones. */
  readonly #above = new Set<string>();
  readonly #reported = new Set<string>();
  readonly #report: ReportPart;

  constructor(report: ReportPart) {
    this.#report = report;
  }

  settle(pointer: string): void {
    this.#settled.add(pointer);
    const keys = pointer.split("/");
    for (let count = 1; count < keys.length; count++) this.#above.add(keys.slice(0, count).join("/"));
  }

  /** Reports a line once, although several functions may meet it. */
  report(pointer: string, reason: string): void {
    const line = `${pointer} ${reason}`;
    if (!this.#reported.has(line)) this.#report(pointer, reason);
    this.#reported.add(line);
  }

  isSettled(pointer: string): boolean {
    return this.#settled.has(pointer);
  }

  /** True when something inside was used or reported. */
  isPartlySettled(pointer: string): boolean {
    return this.#above.has(pointer);
  }
}
