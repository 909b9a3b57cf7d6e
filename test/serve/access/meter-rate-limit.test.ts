import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { code, noon, openOffline } from "./offline-server.ts";

describe("the rate limit", () => {
  it("stops mistakes, with Retry-After, and no correct call", async () => {
    let now = noon;
    const server = await openOffline({ now: () => now, settings: { rateLimitPerMinute: 5 } });
    const wrong = () => server.explain("0x" as Hash);
    for (let request = 0; request < 5; request++) expect((await wrong()).status).toBe(400);
    const stopped = await wrong();
    expect([stopped.status, await code(stopped)]).toEqual([429, "rate_limited"]);
    expect(Number(stopped.headers.get("retry-after"))).toBe(12);
    expect((await server.explain(hashOf(1))).status).toBe(200);
    expect((await server.buyPass()).status).toBe(402);
    now += 24_000;
    expect((await wrong()).status).toBe(400);
  });

  it("stops no unpaid call, and tells it when to come again", async () => {
    let now = noon;
    const server = await openOffline({ now: () => now, settings: { freeCallsPerDay: 1, rateLimitPerMinute: 2 } });
    expect((await server.explain(hashOf(1))).status).toBe(200);
    const seen: [number, string | null][] = [];
    for (let request = 0; request < 4; request++) {
      const { status, headers } = await server.explain(hashOf(2));
      seen.push([status, headers.get("retry-after")]);
    }
    expect(seen).toEqual([
      ...[
        [402, null],
        [402, null],
      ],
      ...[
        [402, "30"],
        [402, "30"],
      ],
    ]);
    now += 86_400_000;
    expect((await server.explain(hashOf(2))).status).toBe(200);
  });

  it("stops work that came to nothing, but no answer that is remembered", async () => {
    const server = await openOffline({
      settings: { rateLimitPerMinute: 2 },
      now: () => noon,
      gather: async (hash) =>
        hash === hashOf(1) ? caseFileOf(hash) : Promise.reject(new ServiceError("transaction_not_found")),
    });
    const statuses: number[] = [];
    for (const number of [1, 2, 3, 4, 1]) statuses.push((await server.explain(hashOf(number))).status);
    expect(statuses).toEqual([200, 404, 404, 429, 200]);
    expect(server.gathered).toHaveLength(3);
  });

  it("forgives our own failures at first, a quarter of the rate, then counts them", async () => {
    const server = await openOffline({
      settings: { rateLimitPerMinute: 8 },
      now: () => 1_700_000_000_000,
      gather: async () => Promise.reject(new ServiceError("upstream_unavailable")),
    });
    const statuses: number[] = [];
    for (let request = 0; request < 12; request++) statuses.push((await server.explain(hashOf(request))).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 503), 429, 429]);
    expect(server.gathered).toHaveLength(10);
  });

  it("never locks out a client that waits for Retry-After", async () => {
    let now = 1_700_000_000_000;
    const server = await openOffline({
      settings: { rateLimitPerMinute: 8 },
      now: () => now,
      gather: async () => Promise.reject(new ServiceError("upstream_unavailable")),
    });
    for (let request = 0; request < 60; request++) {
      const refused = await server.explain(hashOf(1));
      expect(refused.status).toBe(503);
      // Waits twice as long as asked, because the rate of this test is a fifteenth of the usual one.
      now += Number(refused.headers.get("retry-after")) * 2_000;
    }
  });

  it("charges an answer that had to be gathered, even if the caller already has it; a remembered one then costs nothing", async () => {
    const server = await openOffline({
      settings: { freeCallsPerDay: 2, rateLimitPerMinute: 4 },
      now: () => 1_700_000_000_000,
    });
    const held = (number: number) => server.explain(hashOf(number), { "if-none-match": "*" });
    const seen: [number, string | null][] = [];
    for (const number of [1, 2, 3, 1, 1, 1, 1]) {
      const reply = await held(number);
      seen.push([reply.status, /r=(\d+)/.exec(reply.headers.get("ratelimit") ?? "")?.[1] ?? null]);
    }
    // Two answers that had to be made are two calls, and the third has to be paid for.
    expect(seen).toEqual([[304, "1"], [304, "0"], ...Array.from({ length: 5 }, () => [402, "0"])]);
    expect(server.gathered).toEqual([hashOf(1), hashOf(2)]);
  });

  it("lets a held answer that is remembered cost no call, but not without end", async () => {
    const server = await openOffline({
      settings: { freeCallsPerDay: 3, rateLimitPerMinute: 2 },
      now: () => 1_700_000_000_000,
    });
    await server.explain(hashOf(1));
    const statuses: number[] = [];
    for (let request = 0; request < 4; request++)
      statuses.push((await server.explain(hashOf(1), { "if-none-match": "*" })).status);
    expect(statuses).toEqual([304, 304, 429, 429]);
  });

  it("lets guessed passes keep nobody from a free call", async () => {
    const server = await openOffline({ settings: { rateLimitPerMinute: 3 } });
    const guess = (digit: number) =>
      server.explain(hashOf(1), { "x-svc-pass": `svc_${"0".repeat(24)}_${String(digit).repeat(64)}` });
    for (let digit = 0; digit < 3; digit++) {
      const reply = await guess(digit);
      expect([reply.status, reply.headers.get("x-svc-pass-status")]).toEqual([200, "unknown"]);
    }
    expect((await guess(4)).status).toBe(200);
  });
});
