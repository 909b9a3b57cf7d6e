import { describe, expect, it } from "vitest";
import { createJsonClient, type JsonClientOptions } from "../../../src/gather/network/http/json-client.ts";
import { type FactFault, startFactServer } from "../../support/fact-server.ts";

function clockAt(start = 1_000_000) {
  const clock = { time: start, now: () => clock.time };
  return clock;
}

async function build(options: Partial<JsonClientOptions> = {}) {
  const server = await startFactServer((url) => (url.pathname === "/known" ? { body: { a: 1 } } : undefined));
  const clock = clockAt();
  const source = createJsonClient(`${server.url}/`, { kind: "sourcify", clock, random: () => 0, ...options });
  const get = (path = "/known", ms = 2_000) => source.get(path, AbortSignal.timeout(ms));
  return { server, clock, source, get };
}

describe("a JSON client", () => {
  it("gives status and body, also of what is not there", async () => {
    const { get, source, server } = await build();
    expect(await get()).toEqual({ status: 200, body: { a: 1 } });
    expect(await get("/other")).toEqual({ status: 404, body: { message: "Not found" } });
    expect(`http://${source.name}`).toBe(server.url);
  });

  it.each(["refused", "500", "garbage", "empty"] satisfies FactFault[])(
    "tries once more after %s, then fails",
    async (fault) => {
      const { get, server } = await build();
      server.fault = fault;
      expect(await get()).toBe("failed");
      expect(server.visits).toHaveLength(2);
      server.fault = null;
      expect(await get()).toMatchObject({ status: 200 });
    },
  );

  it("answers at the second try when the fault has passed", async () => {
    const visits: string[] = [];
    const server = await startFactServer((url) => {
      visits.push(url.pathname);
      return visits.length === 1 ? { status: 503, body: "" } : { body: [] };
    });
    const source = createJsonClient(server.url, { kind: "sourcify", clock: clockAt(), random: () => 0 });
    expect(await source.get("/x", AbortSignal.timeout(2_000))).toEqual({ status: 200, body: [] });
  });

  it("ends at the deadline", async () => {
    const { get, server } = await build();
    server.fault = "slow";
    expect(await get("/known", 300)).toBe("failed");
    expect(server.visits).toHaveLength(1);
  });

  it("rests as long as the server asks, and not longer", async () => {
    const { get, server, clock } = await build();
    server.fault = "429";
    expect(await get()).toBe("failed");
    server.fault = null;
    clock.time += 6_900;
    expect(await get()).toBe("failed");
    expect(server.visits).toHaveLength(1);
    clock.time += 200;
    expect(await get()).toMatchObject({ status: 200 });
  });

  it("leaves a server alone after failures in a row, tries it once after a rest, and trusts it again after one answer", async () => {
    const { get, server, clock } = await build({ breakAfter: 3, restMs: 5_000 });
    server.fault = "500";
    for (let i = 0; i < 3; i++) await get();
    const visits = server.visits.length;
    expect(await get()).toBe("failed");
    expect(server.visits).toHaveLength(visits);
    clock.time += 5_001;
    await get();
    expect(server.visits.length).toBeGreaterThan(visits);
    const tried = server.visits.length;
    server.fault = null;
    expect(await get()).toBe("failed");
    expect(server.visits).toHaveLength(tried);
    clock.time += 5_001;
    expect(await get()).toMatchObject({ status: 200 });
    expect(await get()).toMatchObject({ status: 200 });
  });

  it("does not count it against the server when the caller goes away", async () => {
    const { source, server } = await build({ breakAfter: 1 });
    server.fault = "slow";
    const caller = new AbortController();
    const asked = source.get("/known", caller.signal);
    await expect.poll(() => server.visits.length).toBe(1);
    caller.abort();
    expect(await asked).toBe("failed");
    server.fault = null;
    expect(await source.get("/known", AbortSignal.timeout(2_000))).toMatchObject({ status: 200 });
  });

  it("has at most the allowed requests under way, and no caller waits beyond the deadline", async () => {
    const { source, server, get } = await build({ concurrency: 2, breakAfter: 100 });
    server.latencyMs = 10;
    await Promise.all(Array.from({ length: 9 }, () => get()));
    expect(server.openMost).toBe(2);
    server.fault = "slow";
    const blocked = [1, 2].map(() => source.get("/known", AbortSignal.timeout(150)));
    expect(await get("/known", 40)).toBe("failed");
    await Promise.all(blocked);
    server.fault = null;
    expect(await get()).toMatchObject({ status: 200 });
  });

  it("ends the wait for a slot when the signal has fired, and ends a running request before its failure is told", async () => {
    const { source, server } = await build({ concurrency: 1, breakAfter: 1 });
    server.fault = "slow";
    const [first, second] = [new AbortController(), new AbortController()];
    const blocked = source.get("/known", first.signal);
    await expect.poll(() => server.visits.length).toBe(1);
    const waiting = source.get("/known", second.signal);
    second.abort();
    expect(await waiting).toBe("failed");
    first.abort(new DOMException("The time is up.", "TimeoutError"));
    expect(await blocked).toBe("failed");
    expect(source.health.report().troubles).toMatchObject([{ capability: "all", reason: "timeout" }]);
    expect(server.visits).toHaveLength(1);
  });

  it("sends its key in a header, and in no address", async () => {
    const headers: unknown[] = [];
    const server = await startFactServer((_url, request) => {
      headers.push(request.headers.authorization);
      return { body: {} };
    });
    for (const key of ["a-key", null, undefined]) {
      const source = createJsonClient(server.url, { kind: "blockscout", clock: clockAt(), key });
      expect(await source.get("/x", AbortSignal.timeout(2_000))).toMatchObject({ status: 200 });
    }
    expect(headers).toEqual(["Bearer a-key", undefined, undefined]);
    expect(server.visits).toEqual(["/x", "/x", "/x"]);
  });

  it.each([
    [401, null, "key_missing", 120_000],
    [402, null, "key_missing", 120_000],
    [403, null, "unauthorized", 0],
    [401, "a-key", "unauthorized", 0],
  ])("tells a key that is missing from one that is refused: %i with the key %j", async (status, key, reason, ms) => {
    const server = await startFactServer(() => ({ status, body: "" }));
    const clock = clockAt();
    const source = createJsonClient(server.url, { kind: "blockscout", clock, key, random: () => 0 });
    expect(await source.get("/x", AbortSignal.timeout(2_000), "history")).toBe("failed");
    expect(source.health.report().troubles).toMatchObject([{ capability: "history", reason, until: clock.time + ms }]);
    expect([source.health.reasonOf("history"), source.health.reasonOf()]).toEqual([reason, undefined]);
    expect(server.visits).toHaveLength(1);
  });

  it.each([
    ["401", 401, "unauthorized", 1],
    ["403", 403, "unauthorized", 1],
    ["500", 500, "server_error", 2],
  ])(
    "asks once more after a fault that may pass, and not after a refusal: %s",
    async (_name, status, reason, visits) => {
      const server = await startFactServer(() => ({ status, body: "" }));
      const source = createJsonClient(server.url, { kind: "sourcify", clock: clockAt(), random: () => 0 });
      const told = await source.get("/x", AbortSignal.timeout(2_000));
      expect(told).toBe("failed");
      expect(source.health.report().troubles).toMatchObject([{ reason }]);
      expect(server.visits).toHaveLength(visits);
    },
  );

  it.each([
    ["7", 7_000],
    ["121", 120_000],
    ["soon", 9_000],
    ["0", 9_000],
    ["-5", 9_000],
  ])("rests for what a busy server asks, at most two minutes: retry-after %s", async (after, ms) => {
    const server = await startFactServer(() => ({ status: 429, body: "", headers: { "retry-after": after } }));
    const clock = clockAt();
    const source = createJsonClient(server.url, { kind: "sourcify", clock, restMs: 9_000, random: () => 0 });
    expect(await source.get("/x", AbortSignal.timeout(2_000))).toBe("failed");
    expect(source.health.report().troubles).toMatchObject([{ reason: "busy", until: clock.time + ms }]);
    expect(server.visits).toHaveLength(1);
  });

  it("refuses an endless answer", async () => {
    const server = await startFactServer(() => ({ body: `"${"x".repeat(9 * 1024 * 1024)}"` }));
    const source = createJsonClient(server.url, { kind: "sourcify", clock: clockAt(), random: () => 0 });
    expect(await source.get("/x", AbortSignal.timeout(5_000))).toBe("failed");
  });
});
