import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { compileSchema } from "../../support/schema.ts";
import { openServer } from "../../support/server.ts";

const adminToken = "a-token-of-the-tests";
const isHealth = compileSchema("health");
const others = { remoteAddress: "203.0.113.7" };

/** Who asks: an address, and headers. */
type Asker = [string, { remoteAddress: string; headers?: Record<string, string> }];

const operators: Asker[] = [
  ["who shows the token", { ...others, headers: { authorization: `Bearer ${adminToken}` } }],
  ["who writes the scheme small", { ...others, headers: { authorization: `bearer ${adminToken}` } }],
  ["this machine", { remoteAddress: "127.0.0.1" }],
  ["another loopback address", { remoteAddress: "127.8.8.8" }],
  ["this machine by IPv6", { remoteAddress: "::1" }],
  ["this machine by IPv4 inside IPv6", { remoteAddress: "::ffff:127.0.0.1" }],
];

const strangers: Asker[] = [
  ["anybody else", others],
  ["a wrong token", { ...others, headers: { authorization: "Bearer wrong" } }],
  ["the token as a password", { ...others, headers: { authorization: `Basic ${adminToken}` } }],
  ["an address that only looks like loopback", { remoteAddress: "::ffff:10.127.0.1" }],
  ...["x-forwarded-for", "forwarded", "x-real-ip", "via", "x-forwarded-host", "x-forwarded-proto"].map(
    (name): Asker => [
      `what a proxy on this machine passes on (${name})`,
      { remoteAddress: "127.0.0.1", headers: { [name]: "127.0.0.1" } },
    ],
  ),
];

const open = () => openServer({ adminToken }).app;

describe("amounts of money and /metrics", () => {
  it.each(operators)("are shown to %s", async (_name, asker) => {
    const app = open();
    const health = (await app.inject({ url: "/healthz", ...asker })).json();
    expect(isHealth(health), JSON.stringify(isHealth.errors)).toBe(true);
    expect(health.access.demand).toMatchObject({ free: 0, settled_usd: "0" });
    const metrics = await app.inject({ url: "/metrics", ...asker });
    expect([metrics.statusCode, metrics.body]).toEqual([200, expect.stringContaining("txgloss_serving 1")]);
  });

  it.each(strangers)("are hidden from %s, which sees the counts", async (_name, asker) => {
    const app = open();
    const health = (await app.inject({ url: "/healthz", ...asker })).json();
    expect(isHealth(health), JSON.stringify(isHealth.errors)).toBe(true);
    expect(health.access.demand).toMatchObject({ free: 0, passes_sold: 0, settled_usd: null });
    const metrics = await app.inject({ url: "/metrics", ...asker });
    expect([metrics.statusCode, metrics.json().error]).toEqual([401, "unauthorized"]);
    expect(metrics.headers["www-authenticate"]).toMatch(/^Bearer /);
    expect(metrics.body).not.toContain("txgloss_");
  });

  it.each<[string, object]>([
    ["calls are charged", { metered: true }],
    ["others reach the service", { host: "0.0.0.0" }],
    ["others reach the service by IPv6", { host: "::" }],
  ])("are shown for the token alone where %s", async (_name, options) => {
    const { app } = openServer({ adminToken, ...options });
    const ask = async (url: string, headers = {}) => app.inject({ url, remoteAddress: "127.0.0.1", headers });
    expect((await ask("/metrics")).statusCode).toBe(401);
    expect((await ask("/healthz")).json().access.demand.settled_usd).toBeNull();
    const token = { authorization: `Bearer ${adminToken}` };
    expect((await ask("/metrics", token)).statusCode).toBe(200);
    expect((await ask("/healthz", token)).json().access.demand.settled_usd).not.toBeNull();
  });

  it("without a token only this machine sees them", async () => {
    const { app } = openServer();
    for (const authorization of ["Bearer ", "Bearer null", "Bearer undefined"])
      expect((await app.inject({ url: "/metrics", ...others, headers: { authorization } })).statusCode).toBe(401);
    await app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = app.server.address() as { port: number };
    const socket = connect(port, "127.0.0.1", () =>
      socket.write("GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
    );
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
    await app.close();
  });
});

describe("what does not work", () => {
  it("is named with since when; what is only missing is not", async () => {
    const since = Date.UTC(2026, 0, 1);
    const trouble = { capability: "all", since, until: since };
    const { app } = openServer({
      health: () => [
        { kind: "rpc", name: "a.example", degradedSince: since, troubles: [{ ...trouble, reason: "timeout" }] },
        { kind: "rpc", name: "b.example", degradedSince: null, troubles: [{ ...trouble, reason: "missing" }] },
        { kind: "drainer_list", name: "list.json", degradedSince: since, troubles: [{ ...trouble, reason: "dns" }] },
      ],
    });
    const health = (await app.inject({ url: "/healthz" })).json();
    expect(isHealth(health), JSON.stringify(isHealth.errors)).toBe(true);
    expect(health).toMatchObject({ status: "degraded", ready: true });
    expect(health.degraded).toEqual([
      { part: "rpc", name: "a.example", reason: "timeout", since: "2026-01-01T00:00:00.000Z" },
      { part: "drainer_list", name: "list.json", reason: "dns", since: "2026-01-01T00:00:00.000Z" },
    ]);
    expect((await app.inject({ url: "/readyz" })).statusCode).toBe(200);
    const metrics = (await app.inject({ url: "/metrics" })).body;
    expect(metrics).toContain('txgloss_degraded{part="rpc"} 1');
    expect(metrics).toContain('txgloss_degraded{part="drainer_list"} 1');
  });
});
