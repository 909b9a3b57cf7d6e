import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createExplainer } from "../../../src/gather/explain/explain.ts";
import { ServiceError } from "../../../src/kernel/error.ts";
import { type Hash, readHash } from "../../../src/kernel/hex.ts";
import { defer } from "../../support/deferred.ts";
import { startMain } from "../../support/main-process.ts";
import { both, callOf } from "../../support/mcp-message.ts";
import { startRpcServer } from "../../support/rpc-server.ts";
import { addTransaction, chainFixture, chainMethods } from "../../support/rpc-server-chain.ts";
import { caseFileOf, evidenceOf, explanationOf, hashOf, pictureFactsOf } from "../../support/sample.ts";
import { compileSchema } from "../../support/schema.ts";
import { root } from "../../support/shared.ts";

const isHealth = compileSchema("health");

/** An explainer with a recording of hashOf(1), and a network that the test switches. */
function build(gather: (hash: Hash) => void = () => {}) {
  const network = { online: false, asked: 0 };
  const explainer = createExplainer({
    stages: {
      fetch: async (hash) => {
        network.asked++;
        gather(hash);
        return { draft: caseFileOf(hash), endpoint: undefined as never, asked: [] };
      },
      plan: () => undefined as never,
      lookUp: async ({ draft }) => draft,
      decide: ({ tx_hash }) => ({
        explanation: explanationOf(tx_hash),
        evidence: () => evidenceOf(),
        pictureFacts: pictureFactsOf,
      }),
    },
    recordings: { find: (hash) => (hash === hashOf(1) ? Promise.resolve(caseFileOf(hash)) : undefined) },
    isOnline: () => network.online,
    cacheBytes: 1_000_000,
  });
  return { explainer, network };
}

describe("recordings", () => {
  it("answer at once while no source is known to answer, and are remembered only for that time", async () => {
    const { explainer, network } = build();
    const recorded = await explainer.explain(hashOf(1));
    expect([recorded.source, network.asked]).toEqual(["recording", 0]);
    expect(explainer.cached(hashOf(1))).toBe(recorded);
    network.online = true;
    expect(explainer.cached(hashOf(1))).toBeUndefined();
    const live = await explainer.explain(hashOf(1));
    expect([live.source, network.asked]).toEqual(["network", 1]);
    network.online = false;
    expect(explainer.cached(hashOf(1))).toBe(live);
  });

  it("never stand before a source that answers", async () => {
    const { explainer, network } = build();
    network.online = true;
    expect((await explainer.explain(hashOf(1))).source).toBe("network");
    expect(network.asked).toBe(1);
  });

  it.each(["upstream_unavailable", "transaction_not_found"] as const)(
    "answer after all when the sources end with %s, and those are asked again next time",
    async (code) => {
      const { explainer, network } = build(() => {
        throw new ServiceError(code);
      });
      network.online = true;
      for (const asked of [1, 2]) {
        expect((await explainer.explain(hashOf(1))).source).toBe("recording");
        expect(network.asked).toBe(asked);
      }
      await expect(explainer.explain(hashOf(2))).rejects.toMatchObject({ code });
    },
  );

  it("do not hide what a source knows better: that the transaction is not yet in a block", async () => {
    const { explainer, network } = build(() => {
      throw new ServiceError("transaction_pending");
    });
    network.online = true;
    await expect(explainer.explain(hashOf(1))).rejects.toMatchObject({ code: "transaction_pending" });
  });
});

describe("the service with recordings", () => {
  const hash = readHash("0x455761ce3e1076eb03a3af1a90b935b42a703336e08aacf218afe76102d8d171") as Hash;
  const started: ChildProcess[] = [];
  afterEach(() => {
    for (const child of started.splice(0)) child.kill("SIGKILL");
  });

  async function start(env: Record<string, string>) {
    const main = await startMain({ RECORDINGS_DIR: join(root, "test/transactions"), ...env });
    started.push(main.child);
    const send = async (path: string, body: object) => {
      const reply = await fetch(`${main.url}${path}`, { method: "POST", headers: both, body: JSON.stringify(body) });
      // biome-ignore lint/suspicious/noExplicitAny: answers are compared by their fields.
      return { source: reply.headers.get("x-txgloss-source"), status: reply.status, body: (await reply.json()) as any };
    };
    const health = async () => (await fetch(`${main.url}/healthz`)).json();
    return { send, health };
  }

  async function startChain() {
    const chain = chainFixture();
    addTransaction(chain, hash);
    return startRpcServer({ methods: chainMethods(chain) });
  }

  const call = callOf({ arguments: { tx_hash: hash } });

  it("marks what it recorded over HTTP and MCP, and asks the chain first as soon as it answers", async () => {
    const node = await startChain();
    node.fault = "http500";
    const { send, health } = await start({ RPC_URLS: node.url });
    for (let time = 0; time < 2; time++) {
      const recorded = await send("/explain", { tx_hash: hash });
      expect([recorded.source, recorded.body.action_type]).toEqual(["recording", "lending_repay"]);
      expect(Object.keys(recorded.body)).not.toContain("source");
      expect((await send("/mcp", call)).body.result._meta).toEqual({ "txgloss/source": "recording" });
    }
    const troubled = await health();
    expect(isHealth(troubled), JSON.stringify(isHealth.errors)).toBe(true);
    expect(troubled).toMatchObject({
      endpoints: [
        { kind: "rpc", name: new URL(node.url).host, troubles: [{ capability: "all", reason: "server_error" }] },
      ],
      access: { mode: "open", demand: { free: 4, paid: 0, settled_usd: "0" } },
    });
    node.fault = null;
    // What is not recorded is asked of the chain, which shows that it is well again.
    expect(await send("/explain", { tx_hash: hashOf(1) })).toMatchObject({ status: 200, source: null });
    expect(await health()).toMatchObject({ endpoints: [{ degraded_since: null }] });
    const live = await send("/explain", { tx_hash: hash });
    expect([live.status, live.source, live.body.action_type]).toEqual([200, null, "contract_interaction"]);
    expect((await send("/mcp", call)).body.result._meta).toBeUndefined();
  });

  it("asks its endpoints at the start, before anybody asks for anything", async () => {
    const asked = defer<string>();
    const node = await startRpcServer({
      methods: { ...chainMethods(chainFixture()), eth_getBlockByNumber: (tag: string) => asked.resolve(tag) },
    });
    await start({ RPC_URLS: node.url });
    expect(await asked.promise).toBe("latest");
  });

  it("goes back to the recording when the chain goes away", async () => {
    const node = await startChain();
    const { send, health } = await start({ RPC_URLS: node.url });
    await health();
    expect((await send("/explain", { tx_hash: hash })).source).toBeNull();
    node.fault = "hang";
    const other = { tx_hash: "0x07389098c3dca7d342158186f4426a926e6f43c0b0f524772f31c311ef42a284" };
    expect(await send("/explain", other)).toMatchObject({ status: 200, source: "recording" });
  });
});
