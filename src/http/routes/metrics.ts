import type { FastifyInstance } from "fastify";
import { decimalText } from "../../kernel/amount.ts";
import type { Service } from "../../service/service.ts";

export interface MetricsRouteOptions {
  version: string;
  service: Service;
}

/** `GET /metrics`: the counters of /healthz for Prometheus. The library is loaded at the first request. */
export function addMetricsRoute(app: FastifyInstance, options: MetricsRouteOptions): void {
  let opened: ReturnType<typeof openRegistry> | undefined;
  app.get("/metrics", async (_request, reply) => {
    opened ??= openRegistry(options);
    const registry = await opened;
    reply.header("cache-control", "no-store").header("content-type", registry.contentType);
    return registry.metrics();
  });
}

type Values = number | Record<string, number>;

async function openRegistry({ version, service }: MetricsRouteOptions) {
  const prometheus = await import("prom-client");
  const registry = new prometheus.Registry();

  /** Adds a metric whose values are read at each request: one number, or one for each value of its label. */
  function add(type: "Counter" | "Gauge", [name, help, label]: string[], read: () => Values | Promise<Values>): void {
    new prometheus[type]({
      ...{ name: name ?? "", help: help ?? "", labelNames: label === undefined ? [] : [label], registers: [registry] },
      async collect() {
        const values = await read();
        this.reset();
        if (typeof values === "number") return this.inc(values);
        for (const [value, count] of Object.entries(values)) this.inc({ [label ?? ""]: value }, count);
      },
    });
  }

  add("Gauge", ["txgloss_info", "Version of the service.", "version"], () => ({ [version]: 1 }));
  const explained = "Requests for an explanation since the start, by outcome.";
  add("Counter", ["txgloss_explanations_total", explained, "outcome"], () => service.counts.read());
  add("Gauge", ["process_resident_memory_bytes", "Memory of the process."], () => process.memoryUsage.rss());
  if (service.access === null) return registry;

  const { usage, decimals, readiness } = service.access;
  const admitted = "How requests were let in or refused since the start.";
  add("Counter", ["txgloss_access_total", admitted, "kind"], () => {
    const { settled: _amount, ...counts } = usage.counts;
    return counts;
  });
  // Prometheus knows only floating point numbers; the exact amounts are in the ledger.
  const settled = () => Number(decimalText(usage.counts.settled, decimals));
  add("Counter", ["txgloss_settled_usd_total", "USDC settled since the start."], settled);
  add("Gauge", ["txgloss_ready", "1 where what charging depends on works.", "part"], async () => {
    const { facilitator, ledger } = await readiness();
    return { facilitator: facilitator === "ready" ? 1 : 0, ledger: ledger === "ready" ? 1 : 0 };
  });
  const gas = "Ether of the wallet that pays for settlements; NaN when another settles or the chain does not answer.";
  add("Gauge", ["txgloss_gas_balance_eth", gas], async () => Number((await readiness()).gas_balance_eth ?? Number.NaN));
  return registry;
}
