import Fastify from "fastify";
import { afterEach, describe, expect, it, vi } from "vitest";
import { addHealthRoutes, type HealthRouteOptions } from "../../../src/serve/http/routes/health.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** The answer of /healthz, asked at the given milliseconds. The service started at 5 seconds. */
async function healthAt(now: number, head: Awaited<ReturnType<HealthRouteOptions["head"]>> = null) {
  const clock = vi.spyOn(performance, "now").mockReturnValue(5_000);
  const app = Fastify();
  addHealthRoutes(app, {
    service: { access: null, counts: { read: () => ({}) }, untrustedForwardingSince: () => null } as never,
    connections: { draining: false } as never,
    endpoints: () => [],
    ...{ version: "1.2.3", ruleset: "r", head: async () => head, isOperator: () => true },
  });
  clock.mockReturnValue(now);
  return (await app.inject("/healthz")).json();
}

describe("/healthz", () => {
  it.each([
    [5_000, 0],
    [5_999, 0],
    [6_000, 1],
    [3_605_999, 3_600],
  ])("at %d ms tells that it runs for %d whole seconds", async (now, seconds) => {
    expect((await healthAt(now)).uptime_seconds).toBe(seconds);
  });

  it.each([
    [1_000, 0],
    [1_001, 0],
    [999, 1],
    [0, 1_000],
  ])("tells of a block of second %d that it is %d seconds old", async (timestamp, age_seconds) => {
    vi.spyOn(Date, "now").mockReturnValue(1_000_999);
    expect((await healthAt(5_000, { number: 7, timestamp })).chain_head).toEqual({ number: 7, age_seconds });
  });

  it("tells of no explanations where none were asked for", async () => {
    expect((await healthAt(5_000)).access).toEqual({
      mode: "open",
      demand: { free: 0, pass: 0, paid: 0, challenged: 0, refused: 0, passes_sold: 0, settled_usd: "0" },
    });
  });
});
