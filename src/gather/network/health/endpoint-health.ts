import type { DrainerList } from "../../../model/risk-lookups.ts";

/** Milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

export type EndpointKind = "rpc" | "blockscout" | "sourcify" | "drainer_list" | "price_api";

/**
 * `busy`: the server asked for a pause. `missing`: it does not offer the capability. `slow`: it took too long. `wrong_chain`: it serves
 * another chain. `unauthorized`: it refuses our key. `key_missing`: it wants a key, and we have none. `dns`: its name cannot be resolved.
 * `tls`: its certificate or the handshake is wrong.
 * `unreachable`: no connection. `timeout`: no answer in time. `server_error`: an HTTP status of 500 or more. `garbage`: an answer that
 * cannot be read. `inconsistent`: its answers contradict each other, the hash that was asked for, or other endpoints. `failing`: any other
 * failure.
 */
export type TroubleReason =
  | ("failing" | "busy" | "slow" | "missing" | "wrong_chain" | "unauthorized" | "key_missing")
  | ("dns" | "tls" | "unreachable" | "timeout" | "server_error" | "garbage" | "inconsistent");

/** A change in an endpoint's health. `reason` is null when it answers again. `after`: milliseconds since the trouble began. */
export interface HealthChange {
  kind: EndpointKind;
  name: string;
  capability: string;
  reason: TroubleReason | null;
  after: number;
}

/** A trouble of an endpoint, as a whole or in one capability. Times are milliseconds since the epoch. */
export interface Trouble {
  /** `all` for the whole endpoint; else one use of it: an RPC method, or a list of an explorer. */
  capability: string;
  reason: TroubleReason;
  /** When it began. There was no good answer since then. */
  since: number;
  /** Until then it is not asked; a time in the past means that it may be asked again. */
  until: number;
}

/** The state of one endpoint, for people who watch the service. */
export interface HealthReport {
  kind: EndpointKind;
  /** The host, without path and query, which may hold keys. A drainer list adds its path, or is named by its file. */
  name: string;
  /** When the oldest trouble began; null when there is none. A missing capability does not count. */
  degradedSince: number | null;
  troubles: Trouble[];
  /** What a drainer list holds. */
  list?: DrainerList;
}

/** What is known about how well one endpoint answers. Each endpoint has exactly one such record. */
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

  /** True while the endpoint should not be asked. */
  rests(capability = "all"): boolean {
    const trouble = this.#troubles.get(capability);
    return trouble !== undefined && this.#clock.now() < trouble.until;
  }

  /** True from the first failure until the next good answer. */
  isFailing(capability = "all"): boolean {
    return this.#troubles.has(capability);
  }

  /** Why it is in trouble; undefined when it is not. */
  reasonOf(capability = "all"): TroubleReason | undefined {
    return this.#troubles.get(capability)?.reason;
  }

  /** Calls `tell` on every later change: a new trouble, another reason for it, and its end. */
  watch(tell: (change: HealthChange) => void): void {
    this.#tell = tell;
  }

  /** Remembers the reason that `fail` uses, if the exchange under way turns out to fail. */
  note(reason: TroubleReason): void {
    this.#noted = reason;
  }

  /** Records a trouble, with no requests for `ms` milliseconds. */
  rest(reason: TroubleReason, ms: number, capability = "all"): void {
    const now = this.#clock.now();
    const { since = now, failures = 0 } = this.#troubles.get(capability) ?? {};
    this.#put({ capability, reason, since, until: now + ms, failures });
  }

  /**
   * Counts a failure, with the given or the noted reason. After `breakAfter` failures in a row the endpoint rests for `restMs`
   * milliseconds. After a rest, a single failure makes it rest again.
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

  /** Ends the trouble: the endpoint answered. */
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

/**
 * Troubled endpoints with their reasons as text, such as `a.example: timeout; b.example: wrong_chain`; empty when there are none. `missing`
 * and `slow` are left out.
 */
export function describeTroubles(endpoints: readonly { health: EndpointHealth }[]): string {
  const described = endpoints.flatMap(({ health }) => {
    const { name, troubles } = health.report();
    const reasons = troubles.map(({ reason }) => reason).filter((reason) => reason !== "missing" && reason !== "slow");
    return reasons.length === 0 ? [] : [`${name}: ${[...new Set(reasons)].join(", ")}`];
  });
  return described.join("; ");
}
