import type { FastifyInstance } from "fastify";
import { decimalText } from "../../../kernel/amount.ts";
import { ServiceError } from "../../../kernel/error.ts";
import type { DrainerList } from "../../../model/risk-lookups.ts";
import type { Readiness } from "../../access/readiness.ts";
import type { Service } from "../../service/service.ts";
import { acceptsJson } from "../accept.ts";
import type { IsOperator } from "../operator.ts";
import { type EndpointState, readState, type StateOptions, toTime } from "../state.ts";

/** Time in Unix seconds; null: unknown. */
export type ReadHead = () => Promise<{ number: number; timestamp: number } | null>;

export interface HealthRouteOptions extends StateOptions {
  version: string;
  ruleset: string;
  head: ReadHead;
  isOperator: IsOperator;
}

/** `GET /healthz` (schemas/health.schema.json), always 200. `GET /readyz`: 200 or 503. */
export function addHealthRoutes(app: FastifyInstance, options: HealthRouteOptions): void {
  const { version, ruleset, head, endpoints, service, isOperator } = options;
  const started = performance.now();
  app.get("/healthz", async (request, reply) => {
    if (!acceptsJson(request.headers.accept)) throw new ServiceError("not_acceptable");
    const [newest, state] = await Promise.all([head(), readState(options)]);
    reply.header("cache-control", "no-store").header("x-ruleset", ruleset);
    return {
      status: state.degraded.length === 0 ? "ok" : "degraded",
      ready: state.notReady.length === 0,
      degraded: state.degraded,
      version,
      uptime_seconds: Math.floor((performance.now() - started) / 1000),
      ruleset,
      chain_head: newest === null ? null : describeHead(newest),
      endpoints: endpoints().map(describeEndpoint),
      explanations: service.counts.read(),
      access: describeAccess(service, state.readiness, isOperator(request)),
    };
  });
  app.get("/readyz", async (_request, reply) => {
    // When stopping, a proxy must hear it without waiting for the ledger.
    const { notReady } = options.connections.draining ? { notReady: ["stopping"] } : await readState(options);
    if (notReady.length > 0) reply.code(503).header("retry-after", "2");
    return reply.header("cache-control", "no-store").send({ ready: notReady.length === 0, not_ready: notReady });
  });
}

function describeHead({ number, timestamp }: { number: number; timestamp: number }) {
  // Never negative: clocks may differ.
  return { number, age_seconds: Math.max(0, Math.floor(Date.now() / 1000) - timestamp) };
}

function describeEndpoint({ kind, name, degradedSince, troubles, list }: EndpointState) {
  return {
    kind,
    name,
    degraded_since: degradedSince === null ? null : toTime(degradedSince),
    troubles: troubles.map((trouble) => ({ ...trouble, since: toTime(trouble.since), until: toTime(trouble.until) })),
    ...(list === undefined ? {} : { list: describeList(list) }),
  };
}

/** Its age decides what the check is worth. */
function describeList({ newest_entry = null, snapshot_time, entries, sha256, stale }: DrainerList) {
  return { newest_entry, snapshot_time, entries, sha256, stale };
}

/** Without `money`: counts, no revenue and balance. */
function describeAccess(service: Service, readiness: Readiness | null, money: boolean) {
  const { access } = service;
  if (access === null || readiness === null) return { mode: "open", demand: describeFree(service, money) };
  const { settled, ...counts } = access.usage.counts;
  const { degraded: _told, gas_balance_eth, ...works } = readiness;
  return {
    mode: "metered",
    ledger: access.ledger,
    demand: { ...counts, settled_usd: money ? decimalText(settled, access.decimals) : null },
    readiness: { ...works, gas_balance_eth: money ? gas_balance_eth : null },
  };
}

/** Where nothing is charged every explanation is free. */
function describeFree({ counts }: Service, money: boolean) {
  const { success = 0, reverted = 0 } = counts.read();
  const none = { pass: 0, paid: 0, challenged: 0, refused: 0, passes_sold: 0 };
  return { free: success + reverted, ...none, settled_usd: money ? "0" : null };
}
