// One server in its own process, for load.ts. It serves a cached explanation: `open` or `metered` by the product, `bare` by node:http,
// which parses the same body and writes the same bytes. It prints its port. It answers `report` on stdin with the CPU microseconds
// since the last report.
import { mkdtempSync } from "node:fs";
import { createServer as createBareServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { toAddress } from "../../src/kernel/address.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { Access } from "../../src/serve/access/open.ts";
import { createServer } from "../../src/serve/http/server.ts";
import { addMcpEndpoint } from "../../src/serve/mcp/endpoint.ts";
import { Service } from "../../src/serve/service/service.ts";
import type { PaymentSettings } from "../../src/serve/settings/payment-settings.ts";
import { explainerOver } from "../../test/support/explainer.ts";
import { baseBlocks } from "../../test/support/labels.ts";
import { caseFileOf, evidenceOf, explanationOf, hashOf, pictureFactsOf } from "../../test/support/sample.ts";
import { loadShipped } from "./recorded.ts";

const subject = process.argv[2];
const log = createLogger("info", (line) => process.stderr.write(line));
const hash = hashOf(1);
const small = explanationOf(hash);
// A usual swap: some eight movements, 2.6 KB.
const explanation = { ...small, assets_moved: Array.from({ length: 8 }, () => small.assets_moved[0]!) };

// With the shipped rules in memory, as the service starts.
const shipped = subject === "bare" ? null : loadShipped();
const port = subject === "bare" ? await listenBare() : await listenService(subject === "metered");
process.stdout.write(`${port}\n`);

let last = process.cpuUsage();
for await (const _line of createInterface(process.stdin)) {
  const used = process.cpuUsage(last);
  last = process.cpuUsage();
  process.stdout.write(`${used.user + used.system}\n`);
}
process.exit(0);

async function listenService(metered: boolean): Promise<number> {
  const explainer = explainerOver({
    gather: async () => caseFileOf(hash),
    decide: () => ({ explanation, evidence: () => evidenceOf(), pictureFacts: pictureFactsOf }),
    cacheBytes: 1_000_000,
  });
  await explainer.explain(hash);
  const access = metered ? await openMetered() : null;
  const service = new Service({ explainer, access, log });
  const shared = { service, version: "0.0.0", actionTypes: [], log };
  const app = createServer({ ...shared, readHead: async () => null, ruleset: shipped?.ruleset.fingerprint ?? "" });
  const catalog = { protocols: [], actionTypes: [] };
  addMcpEndpoint(app, { ...shared, catalog, host: "127.0.0.1", hosts: [], origins: [] });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return (app.server.address() as { port: number }).port;
}

/** Metered, with SQLite and more free calls than any round needs. Nobody pays, so nothing is settled. */
async function openMetered(): Promise<Access> {
  const nowhere = "http://127.0.0.1:1";
  const payments: PaymentSettings = {
    payTo: toAddress(`0x${"1".repeat(40)}`),
    publicUrl: nowhere,
    priceExplain: 20_000n,
    pricePass: 9_000_000n,
    passDays: 30,
    passCalls: 10_000,
    freeCallsPerDay: 1_000_000_000,
    freeGatheringsPerDay: 0,
    rateLimitPerMinute: 120,
    trustProxy: [],
    passSecret: "0123456789abcdef0123456789abcdef",
    passSecretPrevious: null,
    facilitator: { kind: "http", url: nowhere },
    gasLowWei: 0n,
    gasPriceMaxWei: 10n ** 12n,
  };
  const { createAccess } = await import("../../src/serve/access/open.ts");
  const { openParts } = await import("../../src/serve/access/parts.ts");
  const { openNetwork } = await import("../../src/gather/network/network.ts");
  const ledger = { dataDir: mkdtempSync(join(tmpdir(), "txgloss-bench-")) };
  const { transport } = openNetwork({
    ...{ chainId: 8453, rpcUrls: [nowhere], callTimeoutMs: 1_000, blockscoutUrl: null },
  });
  return createAccess({ payments, log }, await openParts({ payments, ledger, transport, calendar: baseBlocks() }));
}

async function listenBare(): Promise<number> {
  const cached = new Map([[hash as string, Buffer.from(JSON.stringify(explanation))]]);
  const server = createBareServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const body = cached.get(JSON.parse(text).tx_hash) as Buffer;
      response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as { port: number }).port;
}
