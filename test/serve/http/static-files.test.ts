import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openVisitors } from "../../../src/serve/access/quota/visitors.ts";
import { takesGzip } from "../../../src/serve/http/static-response.ts";
import { openServer } from "../../support/server.ts";

const visitors = () =>
  openVisitors({ rateLimitPerMinute: 120, openCallsPerMinute: 0, trustProxy: ["loopback"] }, () => 1_000);

describe("static files", () => {
  it("are sent in so many bytes to one client, and all others get theirs", async () => {
    const { app } = openServer({ visitors: visitors() });
    const get = (client: string, headers: object = {}) =>
      app.inject({ url: "/openapi.json", headers: { "x-forwarded-for": client, ...headers } });
    const { body } = await get("192.0.2.9");
    const enough = Math.ceil((16 * 1024 * 1024) / body.length) + 1;
    const statuses: number[] = [];
    for (let nth = 0; nth < enough; nth++) statuses.push((await get("203.0.113.1")).statusCode);
    expect(statuses.filter((status) => status === 200).length * body.length).toBeLessThan(17 * 1024 * 1024);
    const refused = await get("203.0.113.1");
    expect([refused.statusCode, refused.json().error, Number(refused.headers["retry-after"]) > 0]).toEqual([
      ...[429, "rate_limited", true],
    ]);
    for (const victim of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) expect((await get(victim)).statusCode).toBe(200);
  });

  it("are compressed for whoever takes gzip, with a tag of their own", async () => {
    const { app } = openServer();
    const get = (headers: object = {}) => app.inject({ url: "/openapi.json", headers: { ...headers } });
    const [plain, packed] = [await get(), await get({ "accept-encoding": "br, gzip" })];
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
    expect(packed.rawPayload.length * 3).toBeLessThan(plain.rawPayload.length);
    const told = ({ headers }: typeof plain) => [headers["content-encoding"], headers.vary];
    expect([told(plain), told(packed)]).toEqual([
      [undefined, "Accept-Encoding"],
      ["gzip", "Accept-Encoding"],
    ]);
    expect(packed.headers.etag).not.toBe(plain.headers.etag);
    const held = await get({ "accept-encoding": "gzip", "if-none-match": packed.headers.etag });
    expect([held.statusCode, held.body]).toEqual([304, ""]);
  });
});

it.each([
  [undefined, false],
  ["gzip", true],
  ["br, gzip;q=0.5", true],
  ["gzip;q=0", false],
  ["identity, gzip; q=0.000", false],
  ["deflate", false],
])("Accept-Encoding %j takes gzip: %j", (header, takes) => {
  expect(takesGzip(header)).toBe(takes);
});
