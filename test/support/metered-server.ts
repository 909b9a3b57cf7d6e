import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Viewer } from "../../src/gather/explain/viewer.ts";
import { openNetwork } from "../../src/gather/network/network.ts";
import type { Previewer } from "../../src/gather/preview/preview.ts";
import type { Address } from "../../src/kernel/address.ts";
import type { BlockCalendar } from "../../src/kernel/block-calendar.ts";
import type { Hash, Hex } from "../../src/kernel/hex.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import { type Access, createAccess } from "../../src/serve/access/open.ts";
import { openParts, type Parts } from "../../src/serve/access/parts.ts";
import { createServer } from "../../src/serve/http/server.ts";
import { addMcpEndpoint } from "../../src/serve/mcp/endpoint.ts";
import { Service } from "../../src/serve/service/service.ts";
import type {
  FacilitatorSettings,
  LedgerSettings,
  PaymentSettings,
} from "../../src/serve/settings/payment-settings.ts";
import { explainerOver } from "./explainer.ts";
import { baseBlocks } from "./labels.ts";
import { caseFileOf, evidenceOf, explanationOf, pictureFactsOf, viewOf } from "./sample.ts";
import { actionTypes, catalog } from "./server.ts";

export const payTo = "0x00000000000000000000000000000000c0ffee00" as Address;
export const publicUrl = "https://txgloss.example";
const adminToken = "a-token-of-the-operator-of-the-tests";
export const passSecret = "a secret of the tests that is long enough";

export interface MeteredServerOptions {
  rpcUrl: string;
  /** More endpoints of the chain, for questions that the first one does not answer. */
  moreRpcUrls?: readonly string[];
  /** When the chain makes its blocks; as Base does, unless given. */
  calendar?: BlockCalendar;
  gasKey?: Hex;
  facilitator?: FacilitatorSettings;
  ledger?: LedgerSettings;
  settings?: Partial<PaymentSettings>;
  gather?: (hash: Hash) => Promise<CaseFile>;
  /** Without one nothing is previewed. */
  previewer?: Previewer;
  /** Without one there are no views. */
  viewer?: Viewer;
  /** Replaces parts by ones that fail or kill the process. */
  change?: (parts: Parts) => Parts;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Milliseconds after which a settlement that is not in a block is sent again. */
  resendMs?: number;
  /** Milliseconds between two signs of life of the process that works on a payment. */
  beatMs?: number;
}

export type MeteredServer = Awaited<ReturnType<typeof openMeteredServer>>;

/** HTTP and MCP with calls that are charged, over a real ledger, facilitator and chain. The test provides only the case files. */
export async function openMeteredServer(options: MeteredServerOptions) {
  const payments = settingsOf(options);
  const ledger = options.ledger ?? { dataDir: newDirectory() };
  const lines: Record<string, unknown>[] = [];
  const log = createLogger("info", (line) => lines.push(JSON.parse(line)));
  const { rpcUrl, moreRpcUrls = [], resendMs = 1_000, calendar = baseBlocks() } = options;
  const { transport, witnesses } = openNetwork({
    ...{ chainId: 8453, rpcUrls: [rpcUrl, ...moreRpcUrls], callTimeoutMs: 2_000, blockscoutUrl: null },
  });
  const opened = await openParts({
    payments,
    ledger,
    transport,
    witnesses,
    calendar,
    pollingMs: 20,
    resendMs,
  });
  const parts: Parts = { ...opened, beatMs: options.beatMs ?? 100 };
  const access: Access = createAccess({ payments, log }, options.change?.(parts) ?? parts, options.now);
  const gathered: Hash[] = [];
  const gather = options.gather ?? (async (hash) => caseFileOf(hash));
  const decide = ({ tx_hash }: CaseFile) => ({
    explanation: explanationOf(tx_hash),
    evidence: () => evidenceOf(),
    pictureFacts: pictureFactsOf,
    view: () => viewOf(tx_hash),
  });
  const explainer = explainerOver({
    gather: (hash) => {
      gathered.push(hash);
      return gather(hash);
    },
    decide,
    cacheBytes: 10_000_000,
  });
  const { previewer, viewer } = options;
  const service = new Service({ explainer, access, log, ...(previewer && { previewer }) });
  const shared = { service, version: "0.0.0-test", actionTypes, log, ...(viewer && { viewer }) };
  const web = { explainer, decide, protocols: [] };
  const app = createServer({ ...shared, readHead: async () => null, ruleset: "r1", web, adminToken });
  addMcpEndpoint(app, { ...shared, catalog, host: "127.0.0.1", hosts: [], origins: [] });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    url,
    access,
    parts,
    lines,
    gathered,
    explainer,
    app,
    /** For a request that shows what only the operator may see. */
    asOperator: { headers: { authorization: `Bearer ${adminToken}` } },
    /** POST /explain. */
    explain: (hash: Hash, headers: Record<string, string> = {}, by: typeof fetch = fetch) =>
      by(`${url}/explain`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ tx_hash: hash }),
      }),
    /** POST /pass. */
    buyPass: (headers: Record<string, string> = {}, by: typeof fetch = fetch) =>
      by(`${url}/pass`, { method: "POST", headers }),
    async close(): Promise<void> {
      await app.close();
      await access.close();
    },
  };
}

export function settingsOf({ facilitator, gasKey, settings }: MeteredServerOptions): PaymentSettings {
  return {
    payTo,
    publicUrl,
    priceExplain: 20_000n,
    pricePass: 9_000_000n,
    passDays: 30,
    passCalls: 10_000,
    freeCallsPerDay: 50,
    freeGatheringsPerDay: 0,
    rateLimitPerMinute: 0,
    trustProxy: [],
    passSecret,
    passSecretPrevious: null,
    facilitator: facilitator ?? { kind: "local", key: gasKey as Hex },
    gasLowWei: 500_000_000_000_000n,
    gasPriceMaxWei: 10n ** 12n,
    ...settings,
  };
}

/** An empty directory, which is removed when the process ends. */
export function newDirectory(parent = tmpdir()): string {
  const directory = mkdtempSync(join(parent, "txgloss-ledger-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

process.setMaxListeners(200);
