import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { Client } from "../../../src/serve/access/quota/client-address.ts";
import {
  checkRate,
  countFailure,
  countWork,
  createRateLimit,
  withTotal,
} from "../../../src/serve/access/quota/rate-limit.ts";

const client = "203.0.113.7" as Client;

describe("createRateLimit", () => {
  it("lets the agreed number through, then says how long to wait, and refills evenly", () => {
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

  it("never lets more than twice the agreed number through in any minute, no matter what the clock does", () => {
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

describe("requests that are given back, and failures that are forgiven", () => {
  const other = "203.0.113.8" as Client;
  function open(perMinute: number) {
    const clock = { now: 1_000_000 };
    return { clock, limit: createRateLimit(perMinute, () => clock.now) };
  }
  const spend = (limit: ReturnType<typeof createRateLimit>, times: number, who = client) => {
    for (let i = 0; i < times; i++) limit.spend(who);
  };

  it("counts part of a request as part, from the first one on", () => {
    const { limit } = open(1);
    for (let i = 0; i < 3; i++) {
      expect(limit.wait(client)).toBe(i === 0 ? 0 : Math.ceil(i * 0.25 * 60));
      limit.spend(client, 0.25);
    }
    const whole = open(4).limit;
    for (let i = 0; i < 13; i++) whole.spend(client, 0.25);
    expect(whole.wait(client)).toBe(Math.ceil(0.25 * 15));
  });

  it("forgives a quarter of the rate, rounded up, and then counts", () => {
    const { limit, clock } = open(5);
    for (let i = 0; i < 2; i++) limit.spendAfterGrace(client);
    spend(limit, 4);
    expect(limit.wait(client)).toBe(0);
    limit.spendAfterGrace(client);
    expect(limit.wait(client)).toBe(12);
    expect(limit.wait(other)).toBe(0);
    clock.now += 12_000;
    expect(limit.wait(client)).toBe(0);
  });

  it("never owes more than all, and never gives more than all", () => {
    const { limit, clock } = open(2);
    spend(limit, 9);
    expect(limit.wait(client)).toBe(30);
    limit.refund(client);
    expect(limit.wait(client)).toBe(0);
    for (let i = 0; i < 9; i++) limit.refund(client);
    clock.now += 600_000;
    spend(limit, 2);
    expect(limit.wait(client)).toBe(30);
    limit.refund(other);
    spend(limit, 2, other);
    expect(limit.wait(other)).toBe(30);
    // The clock is set back. The limit takes nothing away, and later requests count again.
    clock.now -= 500_000;
    expect(limit.wait(client)).toBe(30);
    clock.now += 29_999;
    expect(limit.wait(client)).toBe(1);
  });

  it("gives back one request at a time", () => {
    const { limit } = open(3);
    spend(limit, 3);
    const waits = [1, 2].map((times) => {
      for (let i = 0; i < times; i++) limit.refund(client);
      return Array.from({ length: times + 1 }, () => {
        const seconds = limit.wait(client);
        limit.spend(client);
        return seconds;
      });
    });
    expect(waits).toEqual([
      [0, 20],
      [0, 0, 20],
    ]);
  });

  it("is told in whole seconds, rounded up", () => {
    const { limit, clock } = open(1);
    limit.spend(client);
    const waits = [0, 990, 10, 1, 58_999].map((ms) => {
      clock.now += ms;
      return limit.wait(client);
    });
    expect(waits).toEqual([60, 60, 59, 59, 0]);
  });

  it("is asked with the seconds to wait", () => {
    const { limit } = open(2);
    expect(checkRate(limit, client)).toBeUndefined();
    spend(limit, 2);
    expect(() => checkRate(limit, client)).toThrow("Too many requests of this kind that ended without an explanation.");
    expect(() => checkRate(limit, client, "Wait.")).toThrow(
      expect.objectContaining({ code: "rate_limited", message: "Wait.", retryAfterSeconds: 30 }),
    );
  });

  it.each([0, 1, 2])("stops a client that has to wait for any time: %d seconds", (seconds) => {
    const limit = { ...createRateLimit(0), wait: () => seconds };
    const check = () => checkRate(limit, client);
    if (seconds === 0) expect(check()).toBeUndefined();
    else expect(check).toThrow(expect.objectContaining({ code: "rate_limited", retryAfterSeconds: seconds }));
  });

  it.each([
    ["rate_limited", []],
    ["invalid_json", ["mistakes at once client"]],
    ["unsupported_media_type", ["mistakes at once client"]],
    ["payments_not_configured", ["mistakes at once client"]],
    ["transaction_not_found", ["work at once worker"]],
    ["transaction_pending", ["work at once worker"]],
    ["line_not_paid", ["work at once worker"]],
    ["internal", ["work later worker"]],
    ["upstream_unavailable", ["work later worker"]],
    ["pass_claimed_elsewhere", ["payments at once client"]],
    ["settlement_pending", ["payments later client"]],
  ] as const)("a failure of %s counts: %j", (code, expected) => {
    const counts: string[] = [];
    const limit = (kind: string) => ({
      ...{ wait: () => 0, spend: (who: Client) => void counts.push(`${kind} at once ${who}`), refund() {} },
      spendAfterGrace: (who: Client) => void counts.push(`${kind} later ${who}`),
    });
    const limits = { mistakes: limit("mistakes"), messages: limit("messages"), work: limit("work") };
    const [who, worker] = ["client", "worker"] as Client[];
    countFailure({ ...limits, payments: limit("payments") }, who as Client, new ServiceError(code), worker);
    expect(counts).toEqual(expected);
  });

  it("is nothing of all this without a limit", () => {
    const limit = createRateLimit(0);
    for (let i = 0; i < 3; i++) limit.spendAfterGrace(client);
    expect(limit.wait(client)).toBe(0);
  });
});

describe("work that is counted when it begins", () => {
  const [mallory, ann] = ["192.0.2.1", "192.0.2.2"] as Client[] as [Client, Client];

  it("cannot be begun more often at once than one after the other, and is given back where it was charged", () => {
    const work = createRateLimit(4, () => 0);
    const begun = Array.from({ length: 4 }, () => countWork(work, mallory));
    expect(() => countWork(work, mallory)).toThrow(ServiceError);
    const other = countWork(work, ann);
    for (const one of [...begun, other]) one.end(true);
    expect([work.wait(mallory), work.wait(ann)]).toEqual([0, 0]);
    for (let nth = 0; nth < 4; nth++) work.spend(mallory);
    expect(work.wait(mallory)).toBe(15);
  });

  it("counts as what it is once that is known, as a debt, and only for who asked", () => {
    const work = createRateLimit(60, () => 0);
    const [large, waiting] = [countWork(work, mallory), countWork(work, mallory)];
    waiting.check();
    large.grow(100);
    expect(work.wait(mallory)).toBe(42);
    expect(() => countWork(work, mallory)).toThrow(ServiceError);
    // What was admitted before that, and waits, is not begun.
    expect(() => waiting.check()).toThrow(ServiceError);
    const other = countWork(work, ann);
    expect(() => other.check()).not.toThrow();
    other.end(true);
    waiting.end(true);
    large.end(false);
    expect(work.wait(mallory)).toBe(40);
    large.end(true);
    const next = countWork(work, mallory);
    next.grow(100);
    next.end(true);
    expect(work.wait(mallory)).toBe(0);
  });
});

describe("a limit for all clients together", () => {
  it("ends the mistakes of many clients, and is counted beside their own", () => {
    let now = 0;
    const rate = withTotal(
      createRateLimit(2, () => now),
      createRateLimit(5, () => now),
    );
    const attackers = Array.from({ length: 5 }, (_, nth) => `198.51.100.${nth}` as Client);
    for (const who of attackers) {
      expect(rate.wait(who)).toBe(0);
      rate.spend(who);
    }
    expect(rate.wait("192.0.2.1" as Client)).toBe(12);
    now += 12_000;
    expect(rate.wait("192.0.2.1" as Client)).toBe(0);
  });
});
