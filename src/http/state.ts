import type { Service } from "../service/service.ts";
import type { Connections } from "./connections.ts";

/** How one endpoint answers, as the network reports it. Times are milliseconds since the epoch. */
export interface EndpointState {
  kind: string;
  name: string;
  degradedSince: number | null;
  troubles: readonly { capability: string; reason: string; since: number; until: number }[];
}

/** One thing that does not work as it should. */
export interface DegradedPart {
  part: string;
  /** Host of an endpoint, name of a list; null for what there is one of. */
  name: string | null;
  reason: string;
  /** ISO 8601. */
  since: string;
}

export interface StateOptions {
  service: Service;
  connections: Connections;
  /** How each endpoint answers. Asks nobody. */
  endpoints: () => readonly EndpointState[];
}

/** Reads what works and what does not. It waits at most about a second, and only where calls are charged. */
export async function readState({ service, connections, endpoints }: StateOptions) {
  const readiness = service.access === null ? null : await service.access.readiness();
  // Why requests should go elsewhere: the service stops, or it charges and its ledger does not answer.
  const notReady: ("stopping" | "ledger")[] = connections.draining ? ["stopping"] : [];
  if (readiness !== null && readiness.ledger !== "ready") notReady.push("ledger");
  const charging = readiness?.degraded ?? [];
  const degraded: DegradedPart[] = [
    ...endpoints().flatMap(describeEndpoint),
    ...charging.map(({ part, reason, since }) => ({ part, name: null, reason, since: toTime(since) })),
  ];
  return { notReady, degraded, readiness };
}

/** One entry for each endpoint, with the reason of its oldest trouble. A capability that is missing is no trouble. */
function describeEndpoint({ kind, name, degradedSince, troubles }: EndpointState): DegradedPart[] {
  if (degradedSince === null) return [];
  const oldest = troubles.find(({ since, reason }) => since === degradedSince && reason !== "missing");
  return [{ part: kind, name, reason: oldest?.reason ?? "failing", since: toTime(degradedSince) }];
}

export function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
