import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { FacilitatorClient } from "@x402/core/server";
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRemoteFacilitator } from "../../../src/serve/access/facilitator/remote.ts";
import { serveFacilitator } from "../../support/facilitator-server.ts";

const payload = { x402Version: 2, payload: { signature: "0x00" } } as unknown as PaymentPayload;
const requirements = { network: "eip155:8453", amount: "20000" } as unknown as PaymentRequirements;
const hash = `0x${"ab".repeat(32)}`;

describe("a facilitator behind HTTP", () => {
  let server: Awaited<ReturnType<typeof serveFacilitator>>;
  let client: FacilitatorClient;
  beforeAll(async () => {
    server = await serveFacilitator({
      verify: async (...sent) => ({ isValid: true, payer: JSON.stringify(sent) }),
      settle: async () => ({ success: true, transaction: hash, network: "eip155:8453", errorReason: undefined }),
      getSupported: async () => ({ kinds: [], extensions: [], signers: {} }),
    } as FacilitatorClient);
    client = openRemoteFacilitator({ url: server.url });
  });
  afterAll(() => server.stop());

  const ask = (name: "verify" | "settle" | "getSupported") =>
    name === "getSupported" ? client.getSupported() : client[name](payload, requirements);

  it("is told the payment and what it has to fit, and its answer is read", async () => {
    server.answerWith(null);
    expect(await ask("verify")).toEqual({ isValid: true });
    expect(await ask("settle")).toEqual({ success: true, transaction: hash, network: "eip155:8453" });
    expect(await ask("getSupported")).toEqual({ kinds: [], extensions: [], signers: {} });
  });

  const garbage: [string, number, unknown][] = [
    ["a page", 200, "<html>"],
    ["nothing", 200, ""],
    ["null", 200, "null"],
    ["a list", 200, "[]"],
    ["an empty object", 200, {}],
    ["a text for yes", 200, { isValid: "true", success: "true", transaction: hash, kinds: "all" }],
    ["a page with status 502", 502, "<html>"],
    ["a cut connection", 0, ""],
  ];
  it.each(garbage)("says neither yes nor no by %s", async (_name, status, body) => {
    server.answerWith(async () => ({ status, body }));
    await expect(ask("verify")).rejects.toThrow();
    await expect(ask("settle")).rejects.toThrow();
    await expect(ask("getSupported")).rejects.toThrow();
  });

  it("says no with status 400, and why, if that is a text", async () => {
    server.answerWith(async () => ({ status: 400, body: { isValid: false, invalidReason: "bad_nonce" } }));
    await expect(ask("verify")).rejects.toMatchObject({ statusCode: 400, invalidReason: "bad_nonce" });
    server.answerWith(async () => ({ status: 200, body: { isValid: false, invalidReason: null } }));
    expect(await ask("verify")).toEqual({ isValid: false });
  });

  it("did not settle by a yes with status 500, nor by a hash that is no text", async () => {
    server.answerWith(async () => ({ status: 500, body: { success: true, transaction: hash } }));
    await expect(ask("settle")).rejects.toThrow("500");
    server.answerWith(async () => ({ status: 200, body: { success: true, transaction: [hash] } }));
    expect(await ask("settle")).toMatchObject({ success: true, transaction: "" });
  });

  it("lists what it supports among other things", async () => {
    const kind = { x402Version: 2, scheme: "exact", network: "eip155:8453" };
    server.answerWith(async () => ({ status: 200, body: { kinds: [null, "exact", kind] } }));
    expect(await client.getSupported()).toMatchObject({ kinds: [kind] });
  });
});

/** A server that gives this answer to everything. `closed`: resolves when its next connection has ended. */
async function serve(answer: (response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume();
    answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const closed = new Promise<void>((resolve) => {
    server.once("connection", (socket) => socket.on("error", () => {}).on("close", () => resolve()));
  });
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    closed,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe("an answer that does not end", () => {
  it("is left when it is too long for one, and its connection is closed", async () => {
    let sent = 0;
    const server = await serve((response) => {
      const chunk = Buffer.alloc(65_536, " ");
      const more = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        sent += chunk.length;
      };
      response.on("drain", more);
      more();
    });
    const client = openRemoteFacilitator({ url: server.url });
    await expect(client.settle(payload, requirements)).rejects.toThrow("too long");
    await server.closed;
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    server.stop();
  });

  it("is left when it takes too long", async () => {
    const server = await serve((response) => void response.write('{"success":'));
    const client = openRemoteFacilitator({ url: server.url, timeoutMs: 50 });
    await expect(client.settle(payload, requirements)).rejects.toMatchObject({ name: "TimeoutError" });
    await server.closed;
    server.stop();
  });
});
