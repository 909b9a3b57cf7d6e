import type { DrainerList } from "../../model/risk-lookups.ts";
import type { Service } from "../service/service.ts";
import type { Connections } from "./connections.ts";

/** Times in ms since the epoch. */
export interface EndpointState {
  kind: string;
  name: string;
  degradedSince: number | null;
  troubles: readonly { capability: string; reason: string; since: number; until: number }[];
  list?: DrainerList;
}

export interface DegradedPart {
  part: string;
  /** Host or list; null: the only such part. */
  name: string | null;
  reason: string;
  /** ISO 8601. */
  since: string;
}

export interface StateOptions {
  service: Service;
  connections: Connections;
  /** Asks no endpoint. */
  endpoints: () => readonly EndpointState[];
}

/** Where calls are charged up to about a second. */
export async function readState({ service, connections, endpoints }: StateOptions) {
  const readiness = service.access === null ? null : await service.access.readiness();
  // The reasons why requests should not come here: the service stops, a new caller would find no place, or it charges and its ledger does
  // not answer.
  const notReady: ("stopping" | "ledger" | "connections")[] = connections.draining ? ["stopping"] : [];
  if (connections.isFull) notReady.push("connections");
  if (readiness !== null && readiness.ledger !== "ready") notReady.push("ledger");
  const charging = readiness?.degraded ?? [];
  const degraded: DegradedPart[] = [
    ...endpoints().flatMap(describeEndpoint),
    ...describeOnly("connections", connections.isFull ? "full" : "crowded", connections.crowdedSince),
    ...charging.flatMap(({ part, reason, since }) => describeOnly(part, reason, since)),
    ...describeOnly("proxy", "untrusted_forwarding", service.untrustedForwardingSince()),
  ];
  return { notReady, degraded, readiness };
}

/** Without `since` nothing is wrong. */
function describeOnly(part: string, reason: string, since: number | null | undefined): DegradedPart[] {
  return since == null ? [] : [{ part, name: null, reason, since: toTime(since) }];
}

/** By its oldest trouble; `missing` is none. */
function describeEndpoint({ kind, name, degradedSince, troubles }: EndpointState): DegradedPart[] {
  if (degradedSince === null) return [];
  const oldest = troubles.find(({ since, reason }) => since === degradedSince && reason !== "missing");
  return [{ part: kind, name, reason: oldest?.reason ?? "failing", since: toTime(degradedSince) }];
}

export function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
