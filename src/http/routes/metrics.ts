import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import type { Access } from "../../access/open.ts";
import { decimalText } from "../../kernel/amount.ts";
import type { Service } from "../../service/service.ts";

export interface MetricsRouteOptions {
  version: string;
  service: Service;
}

/** `GET /metrics`: the counters of /healthz for Prometheus. The library is loaded when it is first asked for. */
export function addMetricsRoute(app: FastifyInstance, options: MetricsRouteOptions): void {
  let opened: ReturnType<typeof openRegistry> | undefined;
  app.get("/metrics", async (_request, reply) => {
    opened ??= openRegistry(options);
    const registry = await opened;
    reply.header("cache-control", "no-store").header("content-type", registry.contentType);
    return registry.metrics();
  });
}

async function openRegistry(options: MetricsRouteOptions) {
  const prometheus = await import("prom-client");
  const registry = new prometheus.Registry();
  addProcess(prometheus, registry, options);
  const { access } = options.service;
  if (access !== null) addAccess(prometheus, registry, access);
  return registry;
}

type Prometheus = typeof import("prom-client");

function addProcess(
  { Counter, Gauge }: Prometheus,
  registry: Registry,
  { version, service }: MetricsRouteOptions,
): void {
  const registers = [registry];
  const info = { name: "txgloss_info", help: "Version of the service.", labelNames: ["version"], registers };
  new Gauge(info).set({ version }, 1);
  new Counter({
    name: "txgloss_explanations_total",
    help: "Requests for an explanation since the start, by outcome.",
    labelNames: ["outcome"],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(service.counts.read())) this.inc({ outcome }, count);
    },
  });
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Memory of the process.",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
}

function addAccess({ Counter, Gauge }: Prometheus, registry: Registry, access: Access): void {
  const registers = [registry];
  new Counter({
    name: "txgloss_access_total",
    help: "How requests were let in or refused since the start.",
    labelNames: ["kind"],
    registers,
    collect() {
      this.reset();
      const { settled: _amount, ...counts } = access.usage.counts;
      for (const [kind, count] of Object.entries(counts)) this.inc({ kind }, count);
    },
  });
  new Counter({
    name: "txgloss_settled_usd_total",
    help: "USDC settled since the start.",
    registers,
    collect() {
      this.reset();
      // Prometheus knows only floating point numbers; the exact amounts are in the ledger.
      this.inc(Number(decimalText(access.usage.counts.settled, access.decimals)));
    },
  });
  new Gauge({
    name: "txgloss_ready",
    help: "1 where what charging depends on works.",
    labelNames: ["part"],
    registers,
    async collect() {
      const { facilitator, ledger } = await access.readiness();
      this.set({ part: "facilitator" }, facilitator === "ready" ? 1 : 0);
      this.set({ part: "ledger" }, ledger === "ready" ? 1 : 0);
    },
  });
  new Gauge({
    name: "txgloss_gas_balance_eth",
    help: "Ether of the wallet that pays for settlements; NaN when another settles or the chain does not answer.",
    registers,
    async collect() {
      this.set(Number((await access.readiness()).gas_balance_eth ?? Number.NaN));
    },
  });
}
