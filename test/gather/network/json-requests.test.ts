import { beforeEach, describe, expect, it, vi } from "vitest";
import { createBodyBudget } from "../../../src/gather/network/http/body-budget.ts";
import { createJsonClient, type JsonClientOptions } from "../../../src/gather/network/http/json-client.ts";
import { handClock } from "../../support/rpc-server-gatherer.ts";
import { json, never, origin, scriptFetch, soon } from "./scripted-fetch.ts";

/** Pauses before a second try. `pause`: what one does. */
const pauses = vi.hoisted(() => ({ ms: [] as number[], pause: () => {} }));
vi.mock("node:timers/promises", () => ({
  async setTimeout(ms: number) {
    pauses.ms.push(ms);
    pauses.pause();
  },
}));

const server = scriptFetch();
beforeEach(() => {
  Object.assign(pauses, { ms: [], pause: () => {} });
});

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

function client(options: Partial<JsonClientOptions> = {}, url = origin) {
  const clock = handClock();
  const made = createJsonClient(url, { kind: "sourcify", clock, random: () => 0, ...options });
  const troubles = () =>
    made.health.report().troubles.map(({ capability, reason, until }) => [capability, reason, until - clock.time]);
  return { ...made, clock, troubles };
}

describe("a client of a JSON server", () => {
  it("asks below the address, with or without slashes at its end", async () => {
    const { get, name } = client({}, `${origin}/base//`);
    expect(await get("/a?b=1", soon())).toEqual({ status: 200, body: {} });
    expect([server.asked, name]).toEqual([["/base/a?b=1"], "server.example"]);
  });

  it("sends eight requests at once for each use, and no more", async () => {
    const { get } = client();
    server.answer = never;
    const leaving = new AbortController();
    const gets = [..."aaaaaaaaab"].map((use) => get(`/${use}`, leaving.signal, use));
    await settle();
    expect(server.asked).toEqual([...Array(8).fill("/a"), "/b"]);
    leaving.abort();
    expect(await Promise.all(gets)).toEqual(Array(10).fill("failed"));
    expect(server.asked).toHaveLength(9);
  });

  it("rests after five failures in a row for ten seconds, each use by itself", async () => {
    const { get, troubles, health } = client();
    server.answer = () => json({}, 500);
    for (let i = 0; i < 4; i++) await get("/a", soon(), "a");
    expect(health.rests("a")).toBe(false);
    await get("/a", soon(), "a");
    expect(troubles()).toEqual([["a", "server_error", 10_000]]);
    expect(server.asked).toHaveLength(10);
    expect(await get("/a", soon(), "a")).toBe("failed");
    expect(server.asked).toHaveLength(10);
    server.answer = () => json({ a: 1 });
    expect(await get("/b", soon(), "b")).toEqual({ status: 200, body: { a: 1 } });
  });

  it("rests ten seconds for a busy server that names no time", async () => {
    const { get, troubles } = client();
    server.answer = () => json({}, 429);
    expect(await get("/a", soon())).toBe("failed");
    expect([server.asked.length, troubles()]).toEqual([1, [["all", "busy", 10_000]]]);
  });

  it.each([
    [0, 30],
    [0.5, 60],
    [1, 90],
  ])("waits before it asks again: with %d %i ms", async (random, ms) => {
    const { get } = client({ random: () => random });
    server.answer = () => json({}, 500);
    await get("/a", soon());
    expect([server.asked.length, pauses.ms]).toEqual([2, [ms]]);
  });

  it("does not ask again for a caller who leaves meanwhile", async () => {
    const { get, troubles } = client();
    server.answer = () => json({}, 500);
    const leaving = new AbortController();
    pauses.pause = () => leaving.abort();
    expect([await get("/a", leaving.signal), server.asked.length]).toEqual(["failed", 1]);
    await settle();
    expect([troubles(), server.asked.length]).toEqual([[["all", "server_error", 0]], 1]);
  });

  it("does not wait for a caller who left during the first try", async () => {
    const { get, troubles } = client();
    const leaving = new AbortController();
    server.answer = () => {
      leaving.abort(new DOMException("The time is up.", "TimeoutError"));
      return never();
    };
    expect([await get("/a", leaving.signal), pauses.ms]).toEqual(["failed", []]);
    expect(troubles()).toEqual([["all", "timeout", 0]]);
  });

  it("asks nothing for a caller who has left", async () => {
    const { get, troubles } = client();
    expect(await get("/a", AbortSignal.abort())).toBe("failed");
    expect([server.asked, troubles()]).toEqual([[], []]);
  });

  it("takes 8 MiB and no more, and a refusal without words", async () => {
    const { get, troubles } = client();
    const most = 8 * 1024 * 1024;
    server.answer = () => new Response(`"${"x".repeat(most - 2)}"`);
    expect(await get("/a", soon())).toMatchObject({ status: 200 });
    server.answer = () => new Response(`"${"x".repeat(most - 1)}"`);
    expect(await get("/a", soon())).toBe("failed");
    expect(troubles()).toMatchObject([["all", "garbage", 0]]);
    server.answer = () => new Response("<html>", { status: 404 });
    expect(await get("/a", soon())).toEqual({ status: 404, body: undefined });
    expect(troubles()).toEqual([]);
  });

  it("does not blame a server for what others' answers hold, and holds nothing itself", async () => {
    const bodies = createBodyBudget(10);
    const { get, troubles } = client({ bodies });
    const other = bodies.share();
    other.take(8);
    server.answer = () => json({ a: 1 });
    expect(await get("/a", soon())).toBe("failed");
    expect([server.asked.length, troubles(), bodies.held()]).toEqual([1, [], 8]);
    other.giveBack();
    expect(await get("/a", soon())).toEqual({ status: 200, body: { a: 1 } });
    expect(bodies.held()).toBe(0);
  });
});
