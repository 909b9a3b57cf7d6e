import { afterAll, describe, expect, it } from "vitest";
import { openMeteredServer } from "../support/metered-server.ts";
import { hashOf } from "../support/sample.ts";

const nowhere = "http://127.0.0.1:1";
const server = await openMeteredServer({
  ...{ rpcUrl: nowhere, facilitator: { kind: "http", url: nowhere }, settings: { freeCallsPerDay: 3 } },
});
afterAll(() => server.close());
const url = `/tx/${hashOf(1)}/evidence`;

describe("HEAD where calls are charged", () => {
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

  it("leaves the free calls for GET", async () => {
    const response = await server.app.inject({ method: "GET", url });
    expect([response.statusCode, response.headers.ratelimit]).toEqual([200, expect.stringMatching(/^"free";r=2;/)]);
  });
});
