import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { Engine } from "../../src/engine/build-engine.ts";
import { openEngine } from "../../src/engine/engine.ts";
import { createExplainer } from "../../src/gather/explain/explain.ts";
import { fetchTransaction } from "../../src/gather/fetch/fetch.ts";
import { openLookup } from "../../src/gather/lookup/lookup.ts";
import { openRiskLookups } from "../../src/gather/lookup/risk/risk-lookups.ts";
import { openNetwork } from "../../src/gather/network/network.ts";
import { type Address, toAddress } from "../../src/kernel/address.ts";
import type { Hash, Hex } from "../../src/kernel/hex.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { CaseFile, RpcLog } from "../../src/model/case-file.ts";
import type { Explanation } from "../../src/model/explanation.ts";
import { createServer } from "../../src/serve/http/server.ts";
import { Service } from "../../src/serve/service/service.ts";
import { approval, approvalForAll, someone, transfer, word } from "../engine/assess/scene.ts";
import { type FactServer, startFactServer } from "./fact-server.ts";
import { RpcFault, type RpcMethods, startRpcServer } from "./rpc-server.ts";
import {
  addTransaction,
  type ChainFixture,
  chainFixture,
  chainMethods,
  multicallAddress,
  tokenContract,
} from "./rpc-server-chain.ts";
import { handClock } from "./rpc-server-gatherer.ts";
import { hashOf } from "./sample.ts";
import { root } from "./shared.ts";

let engine: Engine | undefined;

/** The shipped rules and labels. */
function shippedEngine(): Engine {
  engine ??= openEngine({ rulesDir: `${root}rules`, labelsDir: `${root}labels` });
  return engine;
}

export const sender = someone("sender");
/** A called contract without published source. */
export const called = someone("called");
/** Somebody who is listed and was never paid before. */
export const thief = someone("thief");
const fakeToken = someone("fake token");
const collection = someone("collection");
const code = "0x6001600155";

/** Transactions of {@link openRiskWorld}: one with every finding, and one that reverted. */
export const everything = hashOf(1);
export const reverted = hashOf(2);

const logs: RpcLog[] = [
  transfer(fakeToken, sender, thief, 5n),
  approval(fakeToken, sender, someone("spender"), (1n << 256n) - 1n),
  approvalForAll(collection, sender, someone("operator"), true),
];

export interface RiskWorld {
  servers: { sourcify: FactServer; blockscout: FactServer; history: FactServer; lists: FactServer };
  /** False: nodes have no state of accounts. */
  chain: { hasState: boolean };
  clock: { time: number };
  /** Asks the service for an explanation. Gives also the HTTP status and the time in milliseconds. */
  explain(hash?: Hash): Promise<{ status: number; answer: Explanation; ms: number }>;
  refresh(): Promise<void>;
  gather(hash: Hash): Promise<CaseFile>;
}

/** The whole service over local servers: a chain, Sourcify, Blockscout (one server for each of its two uses) and a list of drainers. */
export async function openRiskWorld(
  options: { deadlineMs?: number; latencyMs?: number; published?: boolean } = {},
): Promise<RiskWorld> {
  const { deadlineMs = 2_500, latencyMs = 0, published = false } = options;
  const state = { hasState: true };
  const clock = handClock();
  const rpc = await startRpcServer({ methods: delayed(methodsOf(state), latencyMs) });
  const servers = await startFacts(published);
  for (const server of Object.values(servers)) server.latencyMs = latencyMs;
  const explorer = await joinExplorer(servers);
  const shipped = shippedEngine();
  const network = openNetwork({
    ...{ chainId: 8453, rpcUrls: [rpc.url], callTimeoutMs: 2_000, clock, downloadMs: 300 },
    ...{ blockscoutUrl: explorer.url, sourcifyUrl: servers.sourcify.url },
    ...{ drainerLists: [`${servers.lists.url}/list.json`], drainerRefreshMs: 3_600_000 },
  });
  const lookUpRisk = openRiskLookups({
    ...{ network, deadlineMs, historyPages: 2, clock },
    ...{ proxies: shipped.labels.proxies, readGrantee: shipped.granteeOf },
  });
  const explainer = createExplainer({
    stages: {
      fetch: (hash, signal) => fetchTransaction(hash, { chainId: 8453, pool: network.pool, signal }),
      plan: (draft) => shipped.planLookups(draft, 8),
      lookUp: openLookup({ network, multicall: multicallAddress, price: null, lookUpRisk, clock }),
      decide: shipped.decide,
    },
    recordings: null,
    cacheBytes: 1_000_000,
    clock,
  });
  onTestFinished(() => {
    explainer.close();
    network.close();
  });
  const log = createLogger("silent", () => {});
  const app = createServer({
    ...{ service: new Service({ explainer, access: null, log }), log },
    ...{ readHead: async () => null, version: "0.0.0-test", ruleset: "r", actionTypes: shipped.actionTypes },
  });
  return {
    servers,
    chain: state,
    clock,
    refresh: network.drainers.refresh,
    gather: explainer.gather,
    async explain(hash = everything) {
      const start = performance.now();
      const response = await app.inject({ method: "POST", url: "/explain", payload: { tx_hash: hash } });
      return { status: response.statusCode, answer: response.json(), ms: performance.now() - start };
    },
  };
}

function methodsOf(state: { hasState: boolean }): RpcMethods {
  const chain: ChainFixture = chainFixture({
    contracts: new Map([
      [fakeToken, tokenContract({ symbol: "USD\u0421", name: "PricedCall usd-claim.com", decimals: 6n })],
      [collection, (data: Hex) => (data.startsWith("0x01ffc9a780ac58cd") ? word(1n) : null)],
    ]),
  });
  const transaction = { from: sender, to: called, input: "0x12345678", nonce: "0x1", transactionIndex: "0x0" };
  addTransaction(chain, everything, { transaction, receipt: { from: sender, to: called, logs } });
  addTransaction(chain, reverted, { transaction, receipt: { from: sender, to: called, logs: [], status: "0x0" } });
  const stateOf = <T>(value: T): T => {
    if (!state.hasState) throw new RpcFault(-32000, "state is not available");
    return value;
  };
  return {
    ...chainMethods(chain),
    eth_getCode: (address: Address) => stateOf(toAddress(address) === called ? code : "0x"),
    eth_getStorageAt: () => stateOf(word(0n)),
  };
}

function delayed(methods: RpcMethods, ms: number): RpcMethods {
  if (ms === 0) return methods;
  return Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      async (...params: never[]) => {
        await sleep(ms);
        return method(...params);
      },
    ]),
  );
}

async function startFacts(published: boolean): Promise<RiskWorld["servers"]> {
  const earlier = {
    ...{ hash: hashOf(900), block_number: 50, position: 0, status: "ok", value: "7", raw_input: "0x" },
    ...{ from: { hash: sender }, to: { hash: someone("friend") } },
  };
  const sourcify = await startFactServer((url) => {
    const address = url.pathname.split("/").at(-1);
    return { status: published ? 200 : 404, body: { match: published ? "exact_match" : null, address } };
  });
  const blockscout = await startFactServer(() => ({ body: { is_verified: published, deployed_bytecode: code } }));
  const history = await startFactServer((url) => {
    const items = url.pathname.endsWith("/transactions") ? [earlier] : [];
    return { body: { items, next_page_params: null } };
  });
  const lists = await startFactServer(() => ({ body: [thief, someone("another")] }));
  return { sourcify, blockscout, history, lists };
}

/**
 * In reality one explorer serves both uses. The path of a request decides which of the two servers answers, with its faults. It lists no
 * internal transfers.
 */
async function joinExplorer({ blockscout, history }: RiskWorld["servers"]): Promise<{ url: string }> {
  const { createServer: listen } = await import("node:http");
  const server = listen((request, response) => {
    if (request.url?.includes("/transactions/0x")) return void response.writeHead(404).end();
    const target = request.url?.includes("/addresses/") ? history : blockscout;
    response.writeHead(307, { location: `${target.url}${request.url}` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}` };
}
