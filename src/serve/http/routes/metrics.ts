import type { FastifyInstance } from "fastify";
import { decimalText } from "../../../kernel/amount.ts";
import { ServiceError } from "../../../kernel/error.ts";
import type { Access } from "../../access/open.ts";
import type { IsOperator } from "../operator.ts";
import { readState, type StateOptions } from "../state.ts";

export interface ProcessCounts {
  log_lines_dropped: number;
  /** Errors that nobody caught. */
  rejections: number;
  exceptions: number;
}

export interface MetricsRouteOptions extends StateOptions {
  version: string;
  isOperator: IsOperator;
  process: () => ProcessCounts;
}

/** `GET /metrics`, Prometheus; operator only: shows revenue. Loads its library at first use. */
export function addMetricsRoute(app: FastifyInstance, options: MetricsRouteOptions): void {
  let opened: ReturnType<typeof openRegistry> | undefined;
  app.get("/metrics", async (request, reply) => {
    if (!options.isOperator(request)) {
      reply.header("www-authenticate", 'Bearer realm="txgloss"');
      throw new ServiceError("unauthorized");
    }
    opened ??= openRegistry(options);
    const registry = await opened;
    reply.header("cache-control", "no-store").header("content-type", registry.contentType);
    return registry.metrics();
  });
}

type Values = number | Record<string, number>;
/** Read per request: one number, or one per label value. */
type Add = (type: "Counter" | "Gauge", texts: readonly string[], read: () => Values | Promise<Values>) => void;

async function openRegistry(options: MetricsRouteOptions) {
  const prometheus = await import("prom-client");
  const registry = new prometheus.Registry();
  const add: Add = (type, [name = "", help = "", label], read) => {
    new prometheus[type]({
      ...{ name, help, labelNames: label === undefined ? [] : [label], registers: [registry] },
      async collect() {
        const values = await read();
        this.reset();
        if (typeof values === "number") return this.inc(values);
        for (const [value, count] of Object.entries(values)) this.inc({ [label ?? ""]: value }, count);
      },
    });
  };
  addService(add, options);
  addProcess(add, options);
  const { access } = options.service;
  if (access !== null) addAccess(add, access);
  return registry;
}

function addService(add: Add, options: MetricsRouteOptions): void {
  const { version, service } = options;
  add("Gauge", ["txgloss_info", "Version of the service.", "version"], () => ({ [version]: 1 }));
  const explained = "Requests for an explanation since the start, by outcome.";
  add("Counter", ["txgloss_explanations_total", explained, "outcome"], () => service.counts.read());
  const serving = "1 where requests should come here, as /readyz says.";
  add("Gauge", ["txgloss_serving", serving], async () => ((await readState(options)).notReady.length === 0 ? 1 : 0));
  add("Gauge", ["txgloss_degraded", "How many of each part do not work as they should.", "part"], async () => {
    const counts: Record<string, number> = {};
    for (const { part } of (await readState(options)).degraded) counts[part] = (counts[part] ?? 0) + 1;
    return counts;
  });
}

function addProcess(add: Add, { connections, process: read }: MetricsRouteOptions): void {
  add("Gauge", ["process_resident_memory_bytes", "Memory of the process."], () => process.memoryUsage.rss());
  add("Gauge", ["txgloss_connections", "Open connections."], () => connections.counts().open);
  const ended =
    "Connections beyond CONNECTIONS_MAX, and those whose peer did not read or close, or sent too much at once.";
  add("Counter", ["txgloss_connections_ended_total", ended, "reason"], () => {
    const { refused, cut_off } = connections.counts();
    return { refused, cut_off };
  });
  const dropped = "Log lines that nobody could take.";
  add("Counter", ["txgloss_log_lines_dropped_total", dropped], () => read().log_lines_dropped);
  add("Counter", ["txgloss_uncaught_total", "Errors that nobody caught; the log has them.", "kind"], () => {
    const { rejections, exceptions } = read();
    return { rejections, exceptions };
  });
}

/** Through `access` each time: it may start without its ledger. */
function addAccess(add: Add, access: Access): void {
  const admitted = "How requests were let in or refused since the start.";
  add("Counter", ["txgloss_access_total", admitted, "kind"], () => {
    const { settled: _amount, ...counts } = access.usage.counts;
    return counts;
  });
  // Floating point; exact sums are in the ledger.
  const settled = () => Number(decimalText(access.usage.counts.settled, access.decimals));
  add("Counter", ["txgloss_settled_usd_total", "USDC settled since the start."], settled);
  const open = "Payments whose money may have moved, and which no answer has closed for half a minute.";
  add("Gauge", ["txgloss_open_settlements", open], () => access.usage.open);
  add("Gauge", ["txgloss_ready", "1 where what charging depends on works.", "part"], async () => {
    const { facilitator, ledger } = await access.readiness();
    return { facilitator: facilitator === "ready" ? 1 : 0, ledger: ledger === "ready" ? 1 : 0 };
  });
  const gas = "Ether of the wallet that pays for settlements; NaN when another settles or the chain does not answer.";
  add("Gauge", ["txgloss_gas_balance_eth", gas], async () =>
    Number((await access.readiness()).gas_balance_eth ?? Number.NaN),
  );
}
