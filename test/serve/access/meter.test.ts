import { request as send } from "node:http";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { compileSchema } from "../../support/schema.ts";
import { code, day, noon, openOffline } from "./offline-server.ts";

const left = (reply: Response) => Number(/r=(\d+)/.exec(String(reply.headers.get("ratelimit")))?.[1]);

describe("free calls", () => {
  it("counts only answers with 200", async () => {
    const gather = async (hash: Hash) => {
      if (hash === hashOf(404)) throw new ServiceError("transaction_not_found");
      if (hash === hashOf(503)) throw new ServiceError("upstream_unavailable");
      return caseFileOf(hash);
    };
    const server = await openOffline({ gather });
    expect(left(await server.explain(hashOf(1)))).toBe(49);
    for (const [hash, status] of [
      [hashOf(404), 404],
      [hashOf(503), 503],
      ["0x12" as Hash, 400],
    ] as const) {
      const reply = await server.explain(hash);
      expect([reply.status, left(reply)]).toEqual([status, 49]);
    }
    const first = await server.explain(hashOf(1));
    expect([first.status, left(first)]).toEqual([200, 48]);
    const again = await server.explain(hashOf(1), { "if-none-match": String(first.headers.get("etag")) });
    expect([again.status, left(again)]).toEqual([304, 48]);
  });

  it("says when it renews, and renews then", async () => {
    let now = noon;
    const server = await openOffline({ now: () => now, settings: { freeCallsPerDay: 1 } });
    const first = await server.explain(hashOf(1));
    expect(first.headers.get("ratelimit")).toBe('"free";r=0;t=43200');
    expect(first.headers.get("ratelimit-policy")).toBe('"free";q=1;w=86400');
    const refused = await server.explain(hashOf(1));
    expect([refused.status, refused.headers.get("ratelimit")]).toEqual([402, '"free";r=0;t=43200']);
    now += day / 2;
    expect((await server.explain(hashOf(1))).status).toBe(200);
  });

  it("belongs to the address of the connection: a forged X-Forwarded-For changes nothing", async () => {
    const server = await openOffline({ settings: { freeCallsPerDay: 2 } });
    const forged = [1, 2, 3].map((number) => ({ "x-forwarded-for": `198.51.100.${number}` }));
    const statuses = [];
    for (const headers of forged) statuses.push((await server.explain(hashOf(1), headers)).status);
    expect(statuses).toEqual([200, 200, 402]);
  });

  it("belongs to the client that a trusted proxy names, one for a whole IPv6 /64", async () => {
    const server = await openOffline({ settings: { freeCallsPerDay: 1, trustProxy: ["loopback"] } });
    const from = async (address: string) => (await server.explain(hashOf(1), { "x-forwarded-for": address })).status;
    expect(await from("198.51.100.1")).toBe(200);
    expect(await from("198.51.100.1")).toBe(402);
    expect(await from("::ffff:198.51.100.1")).toBe(402);
    expect(await from("2001:db8::1")).toBe(200);
    expect(await from("2001:db8::2")).toBe(402);
    expect(await from("2001:db8:0:1::2")).toBe(200);
  });

  it("stores no address, and forgets after two days", async () => {
    let now = noon;
    const server = await openOffline({ now: () => now });
    const taken: [string, number][] = [];
    const { ledger } = server.parts;
    const take = ledger.takeFree.bind(ledger);
    ledger.takeFree = (client, today, cap) => {
      taken.push([client, today]);
      return take(client, today, cap);
    };
    await server.explain(hashOf(1));
    now += day;
    await server.explain(hashOf(2));
    const [[today, first], [tomorrow]] = taken as [[string, number], [string, number]];
    expect(today).toMatch(/^[\w-]{22}$/);
    expect(tomorrow).not.toBe(today);
    server.access.start();
    expect(await ledger.readFree(today, first)).toBe(1);
    now += day;
    // Charges are written in the background, so the answers may have to be forgotten a second time.
    await vi.waitFor(async () => {
      server.access.start();
      expect(await ledger.readFree(today, first)).toBe(0);
    });
  });
});

describe("the server that charges", () => {
  it("lets pages of other origins pay: preflight and exposed headers", async () => {
    const server = await openOffline();
    const preflight = await fetch(`${server.url}/explain`, { method: "OPTIONS" });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("PAYMENT-SIGNATURE");
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    const page = { origin: "https://page.example" };
    const replies = [
      await server.explain(hashOf(1), page),
      await server.buyPass(page),
      await server.explain("0x" as Hash, page),
    ];
    for (const reply of replies) {
      expect(reply.headers.get("access-control-expose-headers")).toContain("PAYMENT-RESPONSE");
      await reply.arrayBuffer();
    }
  });

  it("tells its state: /healthz and /metrics", async () => {
    const server = await openOffline({ settings: { freeCallsPerDay: 1 } });
    await server.explain(hashOf(1));
    await server.explain(hashOf(1));
    await server.explain(hashOf(1), { "payment-signature": "?" });
    const health = await (await fetch(`${server.url}/healthz`, server.asOperator)).json();
    const isHealth = compileSchema("health");
    expect(isHealth(health), JSON.stringify(isHealth.errors)).toBe(true);
    expect(health).toMatchObject({
      access: {
        mode: "metered",
        ledger: "sqlite",
        demand: { free: 1, pass: 0, paid: 0, challenged: 1, refused: 1, passes_sold: 0, settled_usd: "0" },
        readiness: { facilitator: "unavailable", ledger: "ready", gas_balance_eth: null },
      },
    });
    const metrics = await (await fetch(`${server.url}/metrics`, server.asOperator)).text();
    expect(metrics).toContain('txgloss_access_total{kind="challenged"} 1');
    expect(metrics).toContain('txgloss_ready{part="ledger"} 1');
    expect(metrics).toContain('txgloss_ready{part="facilitator"} 0');
    expect(metrics).toContain('txgloss_explanations_total{outcome="success"} 1');
    expect(metrics).toContain("# TYPE txgloss_access_total counter");
  });

  it("is 503 while the ledger is away, and gives nothing for free then", async () => {
    const server = await openOffline({
      change: (parts) => ({
        ...parts,
        ledger: {
          ...parts.ledger,
          takeFree: () => {
            throw new ServiceError("ledger_unavailable");
          },
        },
      }),
    });
    const reply = await server.explain(hashOf(1));
    expect([reply.status, await code(reply)]).toEqual([503, "ledger_unavailable"]);
    expect(server.gathered).toEqual([]);
  });

  it("answers any header of a payment or a pass without an error of its own", async () => {
    const server = await openOffline({ settings: { freeCallsPerDay: 1_000_000 } });
    const text = fc.oneof(
      fc.string({ unit: "grapheme-ascii" }),
      fc.base64String(),
      fc.json().map((json) => Buffer.from(json).toString("base64")),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("payment-signature", "x-svc-pass"), text, async (name, value) => {
        const status = await postRaw(server.url, name, value.trim());
        expect([200, 400, 402]).toContain(status);
      }),
      { numRuns: 300 },
    );
  });

  /** `fetch` refuses some values that arrive all the same. */
  function postRaw(url: string, name: string, value: string): Promise<number> {
    const body = JSON.stringify({ tx_hash: hashOf(1) });
    return new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json", [name]: value };
      send(`${url}/explain`, { method: "POST", headers }, (reply) => {
        reply.resume();
        resolve(Number(reply.statusCode));
      })
        .on("error", reject)
        .end(body);
    });
  }
});
