import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createBodyBudget } from "../../../src/gather/network/http/body-budget.ts";
import { createEndpoint, type EndpointOptions, type Purpose } from "../../../src/gather/network/rpc/endpoint.ts";
import { handClock } from "../../support/rpc-server-gatherer.ts";

interface Sent {
  id: number;
  method: string;
}

const chain = "0x2105";
const calls = [{ method: "a", params: [1] }];
const signal = () => new AbortController().signal;

/** The server's answer to each batch: an answer for each call, or a promise of one. The chain is asked first. */
let answer: (sent: Sent[]) => unknown;
/** Batches that were sent. */
let sent: Sent[][] = [];
let headers: Record<string, string> = {};

beforeEach(() => {
  sent = [];
  headers = {};
  answer = answerAll({ result: "0x1" });
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    const batch = JSON.parse(init.body as string) as Sent[];
    sent.push(batch);
    const given = answer(batch);
    if (given instanceof Promise) await Promise.race([given, gone(init.signal as AbortSignal)]);
    return new Response(JSON.stringify(await given), { headers: { "content-type": "application/json", ...headers } });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function answerAll(part: object, chainPart: object = { result: chain }) {
  return (batch: Sent[]) =>
    batch.map(({ id, method }) => ({ jsonrpc: "2.0", id, ...(method === "eth_chainId" ? chainPart : part) }));
}

function gone(ending: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    ending.addEventListener("abort", () => reject(ending.reason));
  });
}

function open(options: Partial<EndpointOptions> = {}) {
  const clock = handClock();
  const endpoint = createEndpoint("http://node.example/key", {
    chainId: 8453,
    callTimeoutMs: 5_000,
    clock,
    ...options,
  });
  const troubles = () =>
    endpoint.health.report().troubles.map(({ capability, reason, until }) => [capability, reason, until - clock.time]);
  return { endpoint, clock, troubles };
}

const methodsOf = (batch: Sent[] | undefined) => batch?.map(({ method }) => method);

describe("an endpoint", () => {
  it("is asked for its chain with the first batch, until it was right, and is well from then on", async () => {
    const { endpoint } = open();
    expect([endpoint.isWell(), endpoint.health.name]).toEqual([false, "node.example"]);
    expect(await endpoint.ask(calls, signal())).toEqual([{ ok: true, result: "0x1" }]);
    expect(endpoint.isWell()).toBe(true);
    expect(await endpoint.ask(calls, signal())).toEqual([{ ok: true, result: "0x1" }]);
    expect(sent.map(methodsOf)).toEqual([["eth_chainId", "a"], ["a"]]);
  });

  it.each<[string, object, string, unknown[]]>([
    ["another chain", { result: "0x1" }, "refused", [["chain", "wrong_chain", 300_000]]],
    ["no number", { result: "base" }, "unusable", [["all", "garbage", 10_000]]],
    ["an error", { error: { code: 1, message: "no" } }, "unusable", [["all", "garbage", 10_000]]],
    ["nothing", {}, "unusable", [["all", "garbage", 10_000]]],
  ])("whose chain is %s gives nothing", async (_name, part, fault, noted) => {
    const { endpoint, troubles } = open();
    answer = answerAll({ result: "0x1" }, part);
    expect(await endpoint.ask(calls, signal())).toBe(fault);
    expect([endpoint.isWell(), troubles()]).toEqual([false, noted]);
    answer = answerAll({ result: "0x1" });
    expect(await endpoint.ask(calls, signal())).toHaveLength(1);
    expect([endpoint.isWell(), troubles()]).toEqual([true, []]);
  });

  it.each<[string, object, unknown]>([
    ["a result", { result: 5 }, { ok: true, result: 5 }],
    ["a result of null", { result: null }, { ok: true, result: null }],
    ["a result beside no error", { error: null, result: "r" }, { ok: true, result: "r" }],
    [
      "an error with data",
      { error: { code: 3, message: "reverted", data: "0x1" }, result: "r" },
      { ok: false, code: 3, message: "reverted", data: "0x1" },
    ],
    [
      "an error of other kinds",
      { error: { code: "3", message: 5 } },
      { ok: false, code: null, message: "", data: undefined },
    ],
  ])("gives %s", async (_name, part, read) => {
    const { endpoint, troubles } = open();
    answer = answerAll(part);
    expect(await endpoint.ask(calls, signal())).toEqual([read]);
    expect(troubles()).toEqual([]);
  });

  it("that leaves one call without an answer gives none", async () => {
    const { endpoint, troubles } = open();
    answer = (batch) => batch.map(({ id, method }) => ({ id, ...(method === "b" ? {} : { result: chain }) }));
    expect(await endpoint.ask([...calls, { method: "b", params: [] }], signal())).toBe("unusable");
    expect(troubles()).toEqual([["all", "garbage", 10_000]]);
  });

  it("may send 64 MiB", async () => {
    const { endpoint } = open();
    headers = { "content-length": String(64 * 1024 * 1024 + 1) };
    expect(await endpoint.ask(calls, signal())).toBe("unusable");
    headers = { "content-length": String(64 * 1024 * 1024) };
    expect(await endpoint.ask(calls, signal())).toHaveLength(1);
  });

  it("that takes too long fails", async () => {
    const { endpoint, troubles } = open({ callTimeoutMs: 20 });
    answer = () => new Promise(() => {});
    expect(await endpoint.ask(calls, signal())).toBe("timeout");
    expect(troubles()).toEqual([["all", "timeout", 10_000]]);
  });

  it("has no part in it when the caller gives up", async () => {
    const { endpoint, troubles } = open();
    expect(await endpoint.ask(calls, AbortSignal.abort())).toBe("aborted");
    expect(sent).toEqual([]);
    answer = () => new Promise(() => {});
    const leaving = new AbortController();
    const asked = endpoint.ask(calls, leaving.signal);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    leaving.abort();
    expect(await asked).toBe("aborted");
    expect(troubles()).toEqual([]);
  });
});

describe("batches under way at once", () => {
  it.each<[Purpose | undefined, number | undefined, number]>([
    ["explanation", 3, 3],
    [undefined, 3, 3],
    ["explanation", undefined, 64],
    ["service", 3, 16],
  ])("for %s with a limit of %s are %i", async (purpose, socketsMax, most) => {
    const { endpoint } = open(socketsMax === undefined ? {} : { socketsMax });
    answer = () => new Promise(() => {});
    const leaving = new AbortController();
    const asked = Array.from({ length: most + 2 }, () => endpoint.ask(calls, leaving.signal, purpose));
    await vi.waitFor(() => expect(sent.length).toBeGreaterThanOrEqual(most));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(sent).toHaveLength(most);
    leaving.abort();
    expect(new Set(await Promise.all(asked))).toEqual(new Set(["aborted"]));
  });
});

describe("bytes of answers", () => {
  const most = 1_000;

  it("are held for an explanation until its end, and for anything else not at all", async () => {
    const bodies = createBodyBudget(most);
    const { endpoint } = open({ bodies });
    const working = new AbortController();
    await endpoint.ask(calls, working.signal);
    const held = bodies.held();
    expect(held).toBeGreaterThan(50);
    await endpoint.ask(calls, signal(), "service");
    expect(bodies.held()).toBe(held);
    answer = () => "no batch";
    expect(await endpoint.ask(calls, working.signal)).toBe("unusable");
    expect(bodies.held()).toBe(held);
    working.abort();
    expect(bodies.held()).toBe(0);
  });

  it("that are too many together are not the endpoint's fault", async () => {
    const { endpoint, troubles } = open({ bodies: createBodyBudget(20) });
    expect(await endpoint.ask(calls, signal())).toBe("crowded");
    expect(troubles()).toEqual([]);
  });
});
