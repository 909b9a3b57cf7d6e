import type { FastifyInstance } from "fastify";
import type { Access } from "../../access/open.ts";
import { decimalText } from "../../kernel/amount.ts";
import { ServiceError } from "../../kernel/error.ts";
import type { Service } from "../../service/service.ts";
import { acceptsJson } from "../accept.ts";

/** Reads the newest block: its number and its time in Unix seconds; null when unknown. */
export type ReadHead = () => Promise<{ number: number; timestamp: number } | null>;

export interface HealthRouteOptions {
  version: string;
  ruleset: string;
  service: Service;
  head: ReadHead;
}

/** `GET /healthz`: the state of the process (schemas/health.schema.json). */
export function addHealthRoute(app: FastifyInstance, options: HealthRouteOptions): void {
  const { version, ruleset, head, service } = options;
  const { access } = service;
  const started = performance.now();
  app.get("/healthz", async (request, reply) => {
    if (!acceptsJson(request.headers.accept)) throw new ServiceError("not_acceptable");
    const [newest, charging] = await Promise.all([head(), access === null ? { mode: "open" } : describeAccess(access)]);
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
      explanations: service.counts.read(),
      access: charging,
    };
  });
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
