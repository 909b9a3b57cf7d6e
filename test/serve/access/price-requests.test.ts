import { afterAll, describe, expect, it } from "vitest";
import { openMeteredServer } from "../../support/metered-server.ts";
import { hashOf } from "../../support/sample.ts";

const nowhere = "http://127.0.0.1:1";
const server = await openMeteredServer({
  ...{ rpcUrl: nowhere, facilitator: { kind: "http", url: nowhere }, settings: { freeCallsPerDay: 3 } },
});
afterAll(() => server.close());

describe("a request without a body", () => {
  const types = ["text/plain", "application/x-www-form-urlencoded", "application/json", undefined];
  const ask = async (url: string, type: string | undefined) => {
    const headers = { "content-length": "0", ...(type && { "content-type": type }) };
    const response = await server.app.inject({ method: "POST", url, headers });
    return [url, response.statusCode, response.json().error];
  };

  it("is a mistake while calls are free, and asks for the price once they are used up, whatever type it names", async () => {
    for (const type of types)
      for (const path of ["/explain", "/explain/batch"])
        expect(await ask(path, type)).toEqual([path, 400, "invalid_json"]);
    for (let number = 1; number <= 3; number++) expect((await server.explain(hashOf(number))).status).toBe(200);
    for (const type of types)
      for (const path of ["/explain", "/explain/batch"])
        expect(await ask(path, type)).toEqual([path, 402, "payment_required"]);
  });

  it("asks for the price of a pass", async () => {
    for (const type of types) expect(await ask("/pass", type)).toEqual(["/pass", 402, "payment_required"]);
  });

  it("uses no free call", async () => {
    for (let times = 0; times < 2; times++) {
      const asked = { method: "POST", url: "/explain", remoteAddress: "198.51.100.9" } as const;
      expect((await server.app.inject(asked)).headers.ratelimit).toMatch(/r=3;/);
    }
  });

  it("is none where it has a body of another type: that is refused unread", async () => {
    for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
      const sent = { "content-type": "text/plain", ...headers };
      const response = await server.app.inject({ method: "POST", url: "/explain", headers: sent, payload: "x" });
      expect([response.statusCode, response.json().error]).toEqual([415, "unsupported_media_type"]);
    }
  });
});
