import type { DrainerList } from "../../../model/risk-lookups.ts";

/** Milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

export type EndpointKind = "rpc" | "blockscout" | "sourcify" | "drainer_list" | "price_api";

/**
 * `busy`: it wants a pause. `missing`: lacks the capability. `unauthorized`: refuses our key. `key_missing`: wants one. `server_error`:
 * status 500 or more. `garbage`: unreadable. `inconsistent`: contradicts itself, the asked hash, or others. `failing`: any other failure.
 */
export type TroubleReason =
  | ("failing" | "busy" | "slow" | "missing" | "wrong_chain" | "unauthorized" | "key_missing")
  | ("dns" | "tls" | "unreachable" | "timeout" | "server_error" | "garbage" | "inconsistent");

/** `reason` null: answers again. `after`: ms since it began. */
export interface HealthChange {
  kind: EndpointKind;
  name: string;
  capability: string;
  reason: TroubleReason | null;
  after: number;
}

/** Times in ms since the epoch. */
export interface Trouble {
  /** `all`, or one use: an RPC method, an explorer's list. */
  capability: string;
  reason: TroubleReason;
  /** No good answer since. */
  since: number;
  /** Not asked before. */
  until: number;
}

/** For the operator. */
export interface HealthReport {
  kind: EndpointKind;
  /** Host without path and query, which may hold keys. Drainer lists: with path, or the file's name. */
  name: string;
  /** Oldest trouble, without `missing`; null: none. */
  degradedSince: number | null;
  troubles: Trouble[];
  list?: DrainerList;
}

/** One for each endpoint. */
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

  /** Not to be asked now. */
  rests(capability = "all"): boolean {
    const trouble = this.#troubles.get(capability);
    return trouble !== undefined && this.#clock.now() < trouble.until;
  }

  /** Until the next good answer. */
  isFailing(capability = "all"): boolean {
    return this.#troubles.has(capability);
  }

  reasonOf(capability = "all"): TroubleReason | undefined {
    return this.#troubles.get(capability)?.reason;
  }

  /** On new trouble, another reason, and the end. */
  watch(tell: (change: HealthChange) => void): void {
    this.#tell = tell;
  }

  /** For `fail`, should the exchange under way fail. */
  note(reason: TroubleReason): void {
    this.#noted = reason;
  }

  /** No requests for `ms`. */
  rest(reason: TroubleReason, ms: number, capability = "all"): void {
    const now = this.#clock.now();
    const { since = now, failures = 0 } = this.#troubles.get(capability) ?? {};
    this.#put({ capability, reason, since, until: now + ms, failures });
  }

  /** Rests for `restMs` after `breakAfter` failures in a row, after a rest at the first. */
  fail(
    { breakAfter = 1, restMs, reason = this.#noted }: { breakAfter?: number; restMs: number; reason?: TroubleReason },
    capability = "all",
  ): void {
    const now = this.#clock.now();
    const { since = now, until = now, failures = 0 } = this.#troubles.get(capability) ?? {};
    const next = failures + 1 >= breakAfter ? now + restMs : until;
    this.#put({ capability, reason, since, until: next, failures: failures + 1 });
  }

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

/** `a.example: timeout; b.example: wrong_chain`; without `missing` and `slow`. */
export function describeTroubles(endpoints: readonly { health: EndpointHealth }[]): string {
  const described = endpoints.flatMap(({ health }) => {
    const { name, troubles } = health.report();
    const reasons = troubles.map(({ reason }) => reason).filter((reason) => reason !== "missing" && reason !== "slow");
    return reasons.length === 0 ? [] : [`${name}: ${[...new Set(reasons)].join(", ")}`];
  });
  return described.join("; ");
}
