import { afterAll, describe, expect, it } from "vitest";
import { openMeteredServer } from "../../support/metered-server.ts";
import { hashOf } from "../../support/sample.ts";

const nowhere = "http://127.0.0.1:1";
const server = await openMeteredServer({
  ...{ rpcUrl: nowhere, facilitator: { kind: "http", url: nowhere }, settings: { freeCallsPerDay: 3 } },
});
afterAll(() => server.close());
const url = `/tx/${hashOf(1)}/evidence`;

describe("HEAD if calls are charged", () => {
  it.each<[string, Record<string, string>]>([
    ["alone", {}],
    ["with a pass", { "x-svc-pass": "svc_x" }],
    ["with a payment", { "payment-signature": "e30=" }],
    ["of a page of another origin", { origin: "https://app.example" }],
  ])("%s is told the price: nobody gets the answer, so no call is taken for it", async (_name, headers) => {
    const response = await server.app.inject({ method: "HEAD", url, headers });
    expect([response.statusCode, response.body]).toEqual([402, ""]);
    expect(response.headers.ratelimit).toMatch(/^"free";r=3;/);
    expect(response.headers["payment-required"]).toMatch(/^ey/);
    expect(response.headers["access-control-allow-origin"]).toBe("*");
    expect(server.gathered).toEqual([]);
  });

  it.each<[string, string, number, Record<string, string>?]>([
    ["a picture of another kind", `/tx/${hashOf(1)}.png`, 404],
    ["a picture of another kind, for JSON", `/tx/${hashOf(1)}.PNG`, 404, { accept: "application/json" }],
    ["two endings", `/tx/${hashOf(1)}.txt.svg`, 404],
    ["no hash", "/tx/0x12", 400],
    ["no hash, as JSON", "/tx/0x12.json", 400],
    ["no hash, drawn", "/tx/0x12.svg", 400],
    ["the evidence of no hash", "/tx/0x12/evidence", 400],
    ["a path that there is not", `/tx/${hashOf(1)}/picture`, 404],
    ["a form that nobody takes", `/tx/${hashOf(1)}.svg`, 406, { accept: "text/csv" }],
  ])("of %s is answered as GET is: it has no price", async (_name, url, status, headers = {}) => {
    const [get, head] = await Promise.all(
      (["GET", "HEAD"] as const).map((method) => server.app.inject({ method, url, headers })),
    );
    expect([get?.statusCode, head?.statusCode, head?.body]).toEqual([status, status, ""]);
    expect(head?.headers["content-type"]).toBe(get?.headers["content-type"]);
    expect(head?.headers).not.toHaveProperty("payment-required");
  });

  it.each([`/tx/${hashOf(1)}`, `/tx/${hashOf(1)}.json`, `/tx/${hashOf(1)}.svg`])(
    "of %s is told the price",
    async (url) => {
      expect((await server.app.inject({ method: "HEAD", url })).statusCode).toBe(402);
    },
  );

  it("leaves the free calls for GET", async () => {
    const response = await server.app.inject({ method: "GET", url });
    expect([response.statusCode, response.headers.ratelimit]).toEqual([200, expect.stringMatching(/^"free";r=2;/)]);
  });
});
