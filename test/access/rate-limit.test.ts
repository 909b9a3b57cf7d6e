import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Client } from "../../src/access/quota/client-address.ts";
import { createRateLimit } from "../../src/access/quota/rate-limit.ts";

const client = "203.0.113.7" as Client;

describe("createRateLimit", () => {
  it("lets through what was agreed, then says for how long to wait, and recovers evenly", () => {
    let now = 1_000_000;
    const limit = createRateLimit(120, () => now);
    for (let request = 0; request < 120; request++) {
      expect(limit.wait(client)).toBe(0);
      limit.spend(client);
    }
    expect(limit.wait(client)).toBe(1);
    now += 499;
    expect(limit.wait(client)).toBe(1);
    now += 1;
    expect(limit.wait(client)).toBe(0);
    now += 60_000;
    limit.spend(client);
    limit.refund(client);
    limit.refund(client);
    for (let request = 0; request < 120; request++) limit.spend(client);
    expect(limit.wait(client)).toBe(1);
    expect(limit.wait("203.0.113.8" as Client)).toBe(0);
  });

  it("is nothing when it is zero", () => {
    const limit = createRateLimit(0);
    for (let request = 0; request < 1_000; request++) limit.spend(client);
    limit.refund(client);
    expect(limit.wait(client)).toBe(0);
  });

  it("never lets more through in any minute than twice what was agreed, whatever the clock does", () => {
    const steps = fc.array(fc.integer({ min: -2_000, max: 5_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 30 }), (waits, perMinute) => {
        let now = 1_000_000;
        let forward = 0;
        const limit = createRateLimit(perMinute, () => now);
        let passed = 0;
        for (const ms of waits) {
          now += ms;
          forward += Math.max(0, ms);
          if (limit.wait(client) > 0) continue;
          limit.spend(client);
          passed++;
        }
        expect(passed).toBeLessThanOrEqual(perMinute + (forward / 60_000) * perMinute + 1);
      }),
    );
  });
});
