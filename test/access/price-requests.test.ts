import { afterAll, describe, expect, it } from "vitest";
import { openMeteredServer } from "../support/metered-server.ts";

const nowhere = "http://127.0.0.1:1";
const server = await openMeteredServer({
  ...{ rpcUrl: nowhere, facilitator: { kind: "http", url: nowhere }, settings: { freeCallsPerDay: 3 } },
});
afterAll(() => server.close());

describe("a request that asks for the price", () => {
  it.each(["text/plain", "application/x-www-form-urlencoded", "application/json"])(
    "has no body, whatever type it names: %s",
    async (type) => {
      for (const path of ["/explain", "/explain/batch", "/pass"]) {
        const headers = { "content-type": type, "content-length": "0" };
        const response = await server.app.inject({ method: "POST", url: path, headers });
        expect([path, response.statusCode, response.json().error]).toEqual([path, 402, "payment_required"]);
      }
    },
  );

  it("has no body of another type either: that is refused unread", async () => {
    for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
      const sent = { "content-type": "text/plain", ...headers };
      const response = await server.app.inject({ method: "POST", url: "/explain", headers: sent, payload: "x" });
      expect([response.statusCode, response.json().error]).toEqual([415, "unsupported_media_type"]);
    }
  });
});
