import type { FastifyInstance } from "fastify";
import type { Explainer } from "../../src/gather/explain/explain.ts";
import type { Hash } from "../../src/kernel/hex.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import type { Explanation } from "../../src/model/explanation.ts";
import type { Catalog } from "../../src/rules/ruleset/catalog.ts";
import type { Access } from "../../src/serve/access/open.ts";
import { openVisitors, type Visitors } from "../../src/serve/access/quota/visitors.ts";
import { UsageMetrics } from "../../src/serve/access/usage-metrics.ts";
import { Connections } from "../../src/serve/http/connections.ts";
import type { ReadHead } from "../../src/serve/http/routes/health.ts";
import { createServer, type ServerOptions } from "../../src/serve/http/server.ts";
import { addMcpEndpoint } from "../../src/serve/mcp/endpoint.ts";
import type { Tool } from "../../src/serve/mcp/tool.ts";
import { Service } from "../../src/serve/service/service.ts";
import { explainerOver } from "./explainer.ts";
import { caseFileOf, evidenceOf, explanationOf, pictureFactsOf } from "./sample.ts";

export const actionTypes = ["token_transfer", "swap"];

/** The catalog of a small set of rules. */
export const catalog: Catalog = {
  protocols: [{ id: "erc20", name: null, actions: ["token_transfer"] }],
  actionTypes: [{ id: "token_transfer", tier: "transfer", definition: "tokens leave the subject" }],
};

export interface TestServer {
  app: FastifyInstance;
  explainer: Explainer;
  /** Lines of the log, parsed. */
  lines: Record<string, unknown>[];
  /** Hashes that were gathered, in order. */
  gathered: Hash[];
}

/** The state of charging, of which nobody has paid anything. */
const chargingNothing = () =>
  ({
    ...{ prices: null, ledger: "sqlite", decimals: 6, usage: new UsageMetrics() },
    visitors: openVisitors({ rateLimitPerMinute: 0, openCallsPerMinute: 0, trustProxy: [] }),
    readiness: async () => ({ facilitator: "ready", ledger: "ready", gas_balance_eth: "0.5", degraded: [] }),
  }) as unknown as Access;

/** HTTP and MCP over the real service and explainer. The test provides case files and explanations. */
export function openServer(
  options: {
    gather?: (hash: Hash) => Promise<CaseFile>;
    explanation?: (hash: Hash) => Explanation;
    readHead?: ReadHead;
    /** Passed on to the server as it is. */
    connections?: Connections;
    health?: ServerOptions["health"];
    adminToken?: string;
    corsOrigins?: readonly string[];
    /** The address that the service believes to listen on. */
    host?: string;
    mcpHosts?: string[];
    mcpOrigins?: string[];
    /** Without them nobody is limited. */
    visitors?: Visitors;
    moreTools?: readonly Tool[];
    /** Where callers reach it. */
    publicUrl?: string;
    /** Draws results for hosts that show pages. */
    pictures?: boolean;
    /** Whether it charges. Then nothing but its state can be asked for. */
    metered?: boolean;
    /** Checks the Host header on every path, as the product does. */
    guarded?: boolean;
  } = {},
): TestServer {
  const lines: Record<string, unknown>[] = [];
  const gathered: Hash[] = [];
  const gather = options.gather ?? (async (hash) => caseFileOf(hash));
  const decide = ({ tx_hash }: CaseFile) => ({
    explanation: (options.explanation ?? explanationOf)(tx_hash),
    evidence: () => evidenceOf(),
    pictureFacts: pictureFactsOf,
  });
  const explainer = explainerOver({
    gather: (hash) => {
      gathered.push(hash);
      return gather(hash);
    },
    decide,
    cacheBytes: 1_000_000,
  });
  const log = createLogger("info", (line) => lines.push(JSON.parse(line)));
  const service = new Service({
    explainer,
    access: options.metered ? chargingNothing() : null,
    log,
    visitors: options.visitors ?? openVisitors({ rateLimitPerMinute: 0, openCallsPerMinute: 0, trustProxy: [] }),
  });
  const { publicUrl } = options;
  const shared = { service, version: "0.0.0-test", actionTypes, publicUrl, log };
  const { connections = new Connections(), health = () => [], adminToken = null, corsOrigins = [] } = options;
  const app = createServer({
    ...{ ...shared, connections, health, adminToken, corsOrigins },
    ...{ readHead: options.readHead ?? (async () => null), ruleset: "r1" },
    ...(options.host !== undefined && { host: options.host }),
    ...(options.guarded && { hosts: options.mcpHosts ?? [] }),
  });
  addMcpEndpoint(app, {
    ...shared,
    catalog,
    host: options.host ?? "127.0.0.1",
    hosts: options.mcpHosts ?? [],
    origins: options.mcpOrigins ?? [],
    moreTools: options.moreTools ?? [],
    ...(options.pictures && { pictures: { explainer, decide } }),
  });
  return { app, explainer, lines, gathered };
}
