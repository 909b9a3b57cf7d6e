import { describe, expect, it, vi } from "vitest";
import type { Hash } from "../../../src/kernel/hex.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { noon, openOffline } from "./offline-server.ts";
import { hashes, post } from "./paid-batch.ts";
import { client, openMetering } from "./scripted-metering.ts";

describe("lines that cost work and were not sent", () => {
  it("are noted one by one, as failures on our side", () => {
    const { metering, notes } = openMetering();
    metering.noteUnsent(client, 0);
    expect(notes).toEqual([]);
    metering.noteUnsent(client, 2);
    expect(notes).toEqual([`spent late work ${client}`, `spent late work ${client}`]);
  });

  /** A server that holds back the transactions with odd numbers until the test releases them. */
  async function openSlow(rateLimitPerMinute: number) {
    const gate = Promise.withResolvers<void>();
    const server = await openOffline({
      settings: { rateLimitPerMinute, freeCallsPerDay: 50 },
      now: () => noon,
      gather: async (hash: Hash) => {
        if (Number.parseInt(hash.slice(-1), 16) % 2 === 1) await gate.promise;
        return caseFileOf(hash);
      },
    });
    return { server, letGo: gate.resolve };
  }
  const range = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

  it("count against a client that gives its batch up, and take none of its free calls", async () => {
    const { server, letGo } = await openSlow(5);
    const caller = new AbortController();
    const by: typeof fetch = (url, init) => fetch(url, { ...init, signal: caller.signal });
    const sent = post(server.url, hashes(...range(1, 16)), {}, by).catch(() => "gone");
    await vi.waitFor(() => expect(server.gathered).toHaveLength(5));
    caller.abort();
    expect(await sent).toBe("gone");
    await vi.waitFor(() => expect(server.lines.filter(({ event }) => event === "batch")).toHaveLength(1));
    letGo();
    const worked = server.gathered.length;
    const later = await (await post(server.url, hashes(...range(17, 16)))).text();
    expect(later.split("\n").filter((line) => line.includes('"rate_limited"'))).toHaveLength(14);
    // Of five, two are forgiven (a quarter of the rate): so many are worked on at once from now on, and are charged when they are sent.
    const next = await server.explain(hashOf(40));
    expect([next.status, next.headers.get("ratelimit")?.slice(0, 11)]).toEqual([200, '"free";r=47']);
    expect(server.gathered).toHaveLength(worked + 3);
  });

  it("do not exist if a batch ends well", async () => {
    const { server, letGo } = await openSlow(1);
    letGo();
    for (let round = 0; round < 2; round++) {
      const reply = await post(server.url, hashes(...range(16 * round, 16)));
      expect(reply.status).toBe(200);
      expect((await reply.text()).split("\n")).toHaveLength(17);
    }
  });
});
