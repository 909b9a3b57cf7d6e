/** Milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

export type EndpointKind = "rpc" | "blockscout" | "sourcify" | "drainer_list" | "price_api";

/**
 * `busy`: the server asked for a pause. `missing`: it does not offer the capability. `unauthorized`: it refuses our key. `dns`: its
 * name is not known. `tls`: its certificate or handshake is wrong. `unreachable`: no connection. `timeout`: no answer in time.
 * `server_error`: a status of 500 or more. `garbage`: an answer that cannot be read. `failing`: nothing of this.
 */
export type TroubleReason =
  | ("failing" | "busy" | "slow" | "missing" | "wrong_chain" | "unauthorized")
  | ("dns" | "tls" | "unreachable" | "timeout" | "server_error" | "garbage");

/** What changed about an endpoint. `reason` is null when it answers again, `after` milliseconds after the trouble began. */
export interface HealthChange {
  kind: EndpointKind;
  name: string;
  capability: string;
  reason: TroubleReason | null;
  after: number;
}

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
  #noted: TroubleReason = "failing";
  #tell: (change: HealthChange) => void = () => {};

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

  /** Tells every change from now on: each new trouble, each other reason for it, and its end. */
  watch(tell: (change: HealthChange) => void): void {
    this.#tell = tell;
  }

  /** Notes what it is if the exchange under way turns out to be a failure. */
  note(reason: TroubleReason): void {
    this.#noted = reason;
  }

  /** Leaves it alone for so many milliseconds. */
  rest(reason: TroubleReason, ms: number, capability = "all"): void {
    const now = this.#clock.now();
    const { since = now, failures = 0 } = this.#troubles.get(capability) ?? {};
    this.#put({ capability, reason, since, until: now + ms, failures });
  }

  /**
   * Counts a failure, for the given reason or the one that was noted. After `breakAfter` of them in a row it rests for `restMs`; the first failure after a rest makes it rest
   * again.
   */
  fail(
    { breakAfter = 1, restMs, reason = this.#noted }: { breakAfter?: number; restMs: number; reason?: TroubleReason },
    capability = "all",
  ): void {
    const now = this.#clock.now();
    const { since = now, until = now, failures = 0 } = this.#troubles.get(capability) ?? {};
    const next = failures + 1 >= breakAfter ? now + restMs : until;
    this.#put({ capability, reason, since, until: next, failures: failures + 1 });
  }

  /** It answered: whatever was wrong is over. */
  succeed(capability = "all"): void {
    const trouble = this.#troubles.get(capability);
    if (trouble === undefined) return;
    this.#troubles.delete(capability);
    const { kind, name } = this;
    this.#tell({ kind, name, capability, reason: null, after: this.#clock.now() - trouble.since });
  }

  #put(trouble: Trouble & { failures: number }): void {
    const { capability, reason, since } = trouble;
    const isNews = this.#troubles.get(capability)?.reason !== reason;
    this.#troubles.set(capability, trouble);
    const { kind, name } = this;
    if (isNews) this.#tell({ kind, name, capability, reason, after: this.#clock.now() - since });
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

/** Endpoints with what is wrong with each, such as `a.example: timeout; b.example: wrong_chain`; empty when nothing is. */
export function describeTroubles(endpoints: readonly { health: EndpointHealth }[]): string {
  const described = endpoints.flatMap(({ health }) => {
    const { name, troubles } = health.report();
    const reasons = troubles.map(({ reason }) => reason).filter((reason) => reason !== "missing" && reason !== "slow");
    return reasons.length === 0 ? [] : [`${name}: ${[...new Set(reasons)].join(", ")}`];
  });
  return described.join("; ");
}
