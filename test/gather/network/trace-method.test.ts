import { describe, expect, it } from "vitest";
import { EndpointHealth } from "../../../src/gather/network/health/endpoint-health.ts";
import type { Endpoint, EndpointFault, RpcAnswer, RpcCall } from "../../../src/gather/network/rpc/endpoint.ts";
import {
  askWithTraces,
  lacks,
  noteMissing,
  type TraceMethod,
  traceMethods,
  tracesSlowly,
} from "../../../src/gather/network/rpc/trace-method.ts";
import { alice, bob, callTrace, flatTrace } from "../../support/rpc-server-chain.ts";
import { handClock } from "../../support/rpc-server-gatherer.ts";
import { hashOf } from "../../support/sample.ts";
import { ok, refused } from "../../support/scripted-pool.ts";

const hash = hashOf(1);
const [debug, flat] = traceMethods;
const missing = refused("the method does not exist", -32_601);
const receipt = { method: "eth_getTransactionReceipt", params: [hash] };

/** An endpoint that answers each batch with this. */
function endpointOf(answers: RpcAnswer[] | EndpointFault, callTimeoutMs = 2_000) {
  const clock = handClock();
  const health = new EndpointHealth("rpc", "node.example", clock);
  const asked: (readonly RpcCall[])[] = [];
  const endpoint = {
    ...{ callTimeoutMs, health },
    async ask(calls: readonly RpcCall[]) {
      asked.push(calls);
      return answers;
    },
  } as unknown as Endpoint;
  const ask = (calls: readonly RpcCall[], methods: readonly TraceMethod[]) =>
    askWithTraces(calls, { endpoint, methods, hash }, new AbortController().signal);
  const troubles = () =>
    health.report().troubles.map(({ capability, reason, until }) => [capability, reason, until - clock.time]);
  return { endpoint, health, clock, asked, ask, troubles };
}

describe("asking for call trees", () => {
  it("puts each method behind the calls, with a time that ends before that of the batch", async () => {
    const { ask, asked } = endpointOf("unusable", 2_001);
    expect(await ask([receipt], traceMethods)).toBeUndefined();
    const options = { tracer: "callTracer", tracerConfig: { withLog: true }, timeout: "1400ms" };
    expect(asked).toEqual([[receipt, { method: debug, params: [hash, options] }, { method: flat, params: [hash] }]]);
  });

  it.each<[string, RpcCall[], TraceMethod[], unknown, unknown[]]>([
    ["calls and traces", [receipt], [debug], "again", [["traces", "slow", 60_000]]],
    ["calls alone", [receipt], [], undefined, []],
    ["traces alone", [], [debug], undefined, []],
  ])("a batch of %s that takes too long", async (_name, calls, methods, answer, noted) => {
    const { ask, troubles } = endpointOf("timeout");
    expect(await ask(calls, methods)).toBe(answer);
    expect(troubles()).toEqual(noted);
  });

  it.each(["unusable", "refused", "aborted", "crowded"] as const)("a batch that is %s is no answer", async (fault) => {
    const { ask, troubles } = endpointOf(fault);
    expect(await ask([receipt], [debug])).toBeUndefined();
    expect(troubles()).toEqual([]);
  });
});

describe("a call tree among answers", () => {
  const read = async (
    answers: RpcAnswer[],
    calls: RpcCall[],
    methods: readonly TraceMethod[],
    sender: string = alice,
  ) => {
    const made = endpointOf(answers);
    const answered = await made.ask(calls, methods);
    if (typeof answered !== "object") throw new Error("no answer");
    return { ...made, answers: answered.answers, trace: answered.readTrace(sender) };
  };

  it("is apart from the answers to the calls", async () => {
    const { answers, trace } = await read([ok("r"), ok(callTrace)], [receipt], [debug]);
    expect(answers).toEqual([ok("r")]);
    expect(trace).toMatchObject({ source: debug, root: { from: alice } });
  });

  it("is the first of the methods that gave one", async () => {
    expect((await read([ok(callTrace), ok(flatTrace)], [], traceMethods)).trace?.source).toBe(debug);
    expect((await read([ok(flatTrace), ok(callTrace)], [], [flat, debug])).trace?.source).toBe(flat);
    const { trace, troubles } = await read([ok("r"), missing, ok(flatTrace)], [receipt], traceMethods);
    expect(trace?.source).toBe(flat);
    expect(troubles()).toEqual([[debug, "missing", 600_000]]);
  });

  it.each<[string, RpcAnswer[], string, unknown[]]>([
    ["of another sender", [ok(callTrace)], bob, []],
    ["that is none", [ok({})], alice, []],
    ["in the other form", [ok(flatTrace)], alice, []],
    ["that was left out", [], alice, []],
    ["that could not be made", [refused("execution timeout")], alice, []],
    ["that the endpoint never makes", [missing], alice, [[debug, "missing", 600_000]]],
  ])("%s is not read", async (_name, answers, sender, noted) => {
    const { trace, troubles } = await read(answers, [], [debug], sender);
    expect(trace).toBeUndefined();
    expect(troubles()).toEqual(noted);
  });

  it("shows that its method is there again, and once a while has passed that traces are quick again", async () => {
    const { health, clock, troubles, ask, endpoint } = endpointOf([ok(callTrace)]);
    const readAgain = async () => {
      const answered = await ask([], [debug]);
      return typeof answered === "object" ? answered.readTrace(alice) : undefined;
    };
    noteMissing(endpoint, debug);
    health.rest("slow", 60_000, "traces");
    expect([lacks(endpoint, debug), lacks(endpoint, flat), tracesSlowly(endpoint)]).toEqual([true, false, true]);
    expect(troubles()).toEqual([
      [debug, "missing", 600_000],
      ["traces", "slow", 60_000],
    ]);
    expect(await readAgain()).toBeDefined();
    // Perhaps this one was small.
    expect(troubles()).toEqual([["traces", "slow", 60_000]]);
    clock.time += 60_000;
    expect([tracesSlowly(endpoint), health.isFailing("traces")]).toEqual([false, true]);
    await readAgain();
    expect(troubles()).toEqual([]);
  });
});
