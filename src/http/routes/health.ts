import type { FastifyInstance } from "fastify";
import type { Access } from "../../access/open.ts";
import { decimalText } from "../../kernel/amount.ts";
import { ServiceError } from "../../kernel/error.ts";
import type { Service } from "../../service/service.ts";
import { acceptsJson } from "../accept.ts";

/** Reads the newest block: its number and its time in Unix seconds; null when unknown. */
export type ReadHead = () => Promise<{ number: number; timestamp: number } | null>;

/** How one endpoint answers, as the network reports it. Times are milliseconds since the epoch. */
export interface EndpointState {
  kind: string;
  name: string;
  degradedSince: number | null;
  troubles: readonly { capability: string; reason: string; since: number; until: number }[];
}

export interface HealthRouteOptions {
  version: string;
  ruleset: string;
  service: Service;
  head: ReadHead;
  /** How each endpoint answers. Asks nobody. */
  endpoints: () => readonly EndpointState[];
}

/** `GET /healthz`: the state of the process (schemas/health.schema.json). */
export function addHealthRoute(app: FastifyInstance, options: HealthRouteOptions): void {
  const { version, ruleset, head, endpoints, service } = options;
  const { access } = service;
  const started = performance.now();
  app.get("/healthz", async (request, reply) => {
    if (!acceptsJson(request.headers.accept)) throw new ServiceError("not_acceptable");
    const [newest, described] = await Promise.all([
      head(),
      access === null ? describeOpen(service) : describeAccess(access),
    ]);
    reply.header("cache-control", "no-store").header("x-ruleset", ruleset);
    return {
      status: "ok",
      version,
      uptime_seconds: Math.floor((performance.now() - started) / 1000),
      ruleset,
      chain_head:
        newest === null
          ? null
          : {
              number: newest.number,
              // Never negative: the clocks of the sequencer and of this machine may differ.
              age_seconds: Math.max(0, Math.floor(Date.now() / 1000) - newest.timestamp),
            },
      endpoints: endpoints().map(describeEndpoint),
      explanations: service.counts.read(),
      access: described,
    };
  });
}

function describeEndpoint({ kind, name, degradedSince, troubles }: EndpointState) {
  return {
    kind,
    name,
    degraded_since: degradedSince === null ? null : toTime(degradedSince),
    troubles: troubles.map((trouble) => ({ ...trouble, since: toTime(trouble.since), until: toTime(trouble.until) })),
  };
}

function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Where nothing is charged, every explanation is a free one. */
function describeOpen({ counts }: Service) {
  const { success = 0, reverted = 0 } = counts.read();
  const none = { pass: 0, paid: 0, challenged: 0, refused: 0, passes_sold: 0, settled_usd: "0" };
  return { mode: "open", demand: { free: success + reverted, ...none } };
}

async function describeAccess(access: Access) {
  const { settled, ...counts } = access.usage.counts;
  return {
    mode: "metered",
    ledger: access.ledger,
    demand: { ...counts, settled_usd: decimalText(settled, access.decimals) },
    readiness: await access.readiness(),
  };
}
