import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { WholeEngine } from "../../../src/engine/engine.ts";
import type { ThreadedEngine } from "../../../src/engine/engine-thread.ts";
import type { HealthChange } from "../../../src/gather/network/health/endpoint-health.ts";
import type { Network } from "../../../src/gather/network/network.ts";
import { readConfig } from "../../../src/serve/settings/config.ts";
import { openExplainer } from "../../../src/serve/start/open-explainer.ts";
import { caseFileOf, evidenceOf, explanationOf, hashOf } from "../../support/sample.ts";

/** The network without a server. A test says whether an endpoint answers, and sees the questions. */
const fake = vi.hoisted(() => ({
  online: false,
  read: vi.fn(async () => null),
  watch: vi.fn(),
  probe: vi.fn(),
  close: vi.fn(),
  refresh: vi.fn(),
}));
vi.mock("../../../src/gather/network/network.ts", async (load) => {
  const { openNetwork } = await load<{ openNetwork: (options: object) => Network }>();
  return {
    openNetwork: (options: object) => {
      const made = openNetwork(options);
      const { read, watch, probe, close, refresh } = fake;
      const pool = { ...made.pool, isOnline: () => fake.online };
      const parts = { head: { ...made.head, read }, pool, drainers: { ...made.drainers, refresh } };
      return { ...made, ...parts, watch, probe, close };
    },
  };
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.clearAllMocks();
  fake.online = false;
});

const address = `0x${"c".repeat(40)}`;
const decisionOf = (by: string) => () => ({
  explanation: explanationOf(hashOf(1), { summary: by }),
  evidence: () => evidenceOf(),
});

/** Opens the explainer over the recording of one transaction. The engine says who decided. */
function open(env: Record<string, string> = {}, more: Parameters<typeof openExplainer>[2] = {}, system = [address]) {
  const RECORDINGS_DIR = mkdtempSync(join(tmpdir(), "recorded-"));
  writeFileSync(join(RECORDINGS_DIR, `${hashOf(1)}.json`), JSON.stringify(caseFileOf(hashOf(1))));
  const engine = {
    labels: { system: () => system, proxies: [], calendar: { blocks: null } },
    decide: decisionOf("engine"),
  } as unknown as WholeEngine;
  return openExplainer(
    readConfig({ RPC_URLS: "http://127.0.0.1:9", RECORDINGS_DIR, LOOKUPS: "off", ...env }),
    engine,
    more,
  );
}

describe("the explainer over the configured endpoints", () => {
  it("needs the address of multicall3", () => {
    expect(() => open({}, {}, [])).toThrow("labels name no multicall3");
  });

  it("asks who answers when it starts, and loads the drainer lists where there are lookups", async () => {
    const explainer = open();
    expect([fake.probe.mock.calls.length, fake.read.mock.calls.length]).toEqual([0, 0]);
    explainer.start();
    expect([fake.probe, fake.read, fake.refresh].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
    open({ LOOKUPS: "on" }).start();
    expect(fake.refresh).toHaveBeenCalledTimes(1);
  });

  it("answers by a recording while nobody answers, and asks again every five seconds", async () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(10_000);
    const explainer = open();
    expect(await explainer.explain(hashOf(1))).toMatchObject({
      source: "recording",
      explanation: { summary: "engine" },
    });
    expect(fake.read).toHaveBeenCalledTimes(1);
    await new Promise((resolve) => setImmediate(resolve));
    now.mockReturnValue(14_999);
    expect(explainer.cached(hashOf(1))?.source).toBe("recording");
    expect(fake.read).toHaveBeenCalledTimes(1);
    now.mockReturnValue(15_000);
    expect(explainer.cached(hashOf(1))?.source).toBe("recording");
    expect(fake.read).toHaveBeenCalledTimes(2);
    fake.online = true;
    expect(explainer.cached(hashOf(1))).toBeUndefined();
    expect(fake.read).toHaveBeenCalledTimes(2);
  });

  it("decides in a thread where there is one, and ends it", async () => {
    const threaded = { decide: vi.fn(decisionOf("thread")), close: vi.fn() };
    const explainer = open({}, { threaded: threaded as unknown as ThreadedEngine });
    expect((await explainer.explain(hashOf(1))).explanation.summary).toBe("thread");
    const closed = vi.spyOn(explainer.previewer, "close");
    explainer.close();
    expect([threaded.close, fake.close, closed].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
    await expect(explainer.gather(hashOf(2))).rejects.toMatchObject({ code: "upstream_unavailable" });
  });
});

describe("what the log tells of an endpoint", () => {
  const change: HealthChange = { kind: "rpc", name: "node.example", capability: "all", reason: "timeout", after: 7 };

  it.each<[Partial<HealthChange>, string, object]>([
    [{}, "warn", { outcome: "timeout", ms: undefined }],
    [{ reason: "wrong_chain" }, "warn", { outcome: "wrong_chain", ms: undefined }],
    [{ reason: "missing", capability: "trace" }, "info", { capability: "trace", outcome: "missing", ms: undefined }],
    [{ reason: null }, "info", { outcome: "answers", ms: 7 }],
  ])("of the change %j is a line of level %s", (part, level, told) => {
    const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn(), debug: vi.fn() };
    open({}, { log });
    fake.watch.mock.calls[0]?.[0]({ ...change, ...part });
    const lines = Object.entries(log).flatMap(([name, { mock }]) => mock.calls.map(([fields]) => [name, fields]));
    const usual = { event: "endpoint", kind: "rpc", name: "node.example", capability: "all" };
    expect(lines).toEqual([[level, { ...usual, ...told }]]);
  });

  it("is nothing where there is no log", () => {
    open();
    expect(fake.watch).not.toHaveBeenCalled();
  });
});
