/** Milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

export type EndpointKind = "rpc" | "blockscout" | "sourcify" | "drainer_list";

/** `busy`: the server asked for a pause. `missing`: it does not offer the capability. */
export type TroubleReason = "failing" | "busy" | "slow" | "missing" | "wrong_chain";

/** What is wrong with an endpoint, as a whole or in one capability. Times are milliseconds since the epoch. */
export interface Trouble {
  /** `all` for the endpoint as a whole, else what it is used for: an RPC method, a list of an explorer. */
  capability: string;
  reason: TroubleReason;
  /** When it began. Nothing was answered since. */
  since: number;
  /** Until then it is left alone; in the past when it may be asked again. */
  until: number;
}

/** The state of one endpoint for whoever watches the service. */
export interface HealthReport {
  kind: EndpointKind;
  /** Host, without path and query, because these may hold keys. A drainer list adds its path, or is the name of its file. */
  name: string;
  /** When the oldest trouble began; null when there is none. A capability that is missing is no trouble. */
  degradedSince: number | null;
  troubles: Trouble[];
}

/** Everything that is known about how well one endpoint answers. There is one such record for each endpoint. */
export class EndpointHealth {
  readonly kind: EndpointKind;
  readonly name: string;
  readonly #clock: Clock;
  readonly #troubles: Map<string, Trouble & { failures: number }> = new Map();

  constructor(kind: EndpointKind, name: string, clock: Clock) {
    this.kind = kind;
    this.name = name;
    this.#clock = clock;
  }

  /** True while it should be left alone. */
  rests(capability = "all"): boolean {
    const trouble = this.#troubles.get(capability);
    return trouble !== undefined && this.#clock.now() < trouble.until;
  }

  /** True from the first failure to the next answer. */
  isFailing(capability = "all"): boolean {
    return this.#troubles.has(capability);
  }

  /** Leaves it alone for so many milliseconds. */
  rest(reason: TroubleReason, ms: number, capability = "all"): void {
    const now = this.#clock.now();
    const { since = now, failures = 0 } = this.#troubles.get(capability) ?? {};
    this.#troubles.set(capability, { capability, reason, since, until: now + ms, failures });
  }

  /**
   * Counts a failure. After `breakAfter` of them in a row it rests for `restMs`; the first failure after a rest makes it rest
   * again.
   */
  fail({ breakAfter = 1, restMs }: { breakAfter?: number; restMs: number }, capability = "all"): void {
    const now = this.#clock.now();
    const { since = now, until = now, failures = 0 } = this.#troubles.get(capability) ?? {};
    const next = failures + 1 >= breakAfter ? now + restMs : until;
    this.#troubles.set(capability, { capability, reason: "failing", since, until: next, failures: failures + 1 });
  }

  /** It answered: whatever was wrong is over. */
  succeed(capability = "all"): void {
    this.#troubles.delete(capability);
  }

  report(): HealthReport {
    const troubles = [...this.#troubles.values()].map(({ failures: _, ...trouble }) => trouble);
    const begun = troubles.filter(({ reason }) => reason !== "missing").map(({ since }) => since);
    return {
      kind: this.kind,
      name: this.name,
      degradedSince: begun.length === 0 ? null : Math.min(...begun),
      troubles,
    };
  }
}
