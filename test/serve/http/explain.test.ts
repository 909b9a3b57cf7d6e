import type { InjectOptions } from "fastify";
import { describe, expect, it } from "vitest";
import { type ErrorCode, errorTable, ServiceError } from "../../../src/kernel/error.ts";
import { defer } from "../../support/deferred.ts";
import { caseFileOf, explanationOf, hashOf } from "../../support/sample.ts";
import { compileSchema } from "../../support/schema.ts";
import { openServer } from "../../support/server.ts";

const json = { "content-type": "application/json" };
const isError = compileSchema("error");

function post(payload: unknown, headers: Record<string, string> = json): InjectOptions {
  const body = typeof payload === "string" ? payload : JSON.stringify(payload);
  return { method: "POST", url: "/explain", headers, payload: body };
}

describe("POST /explain", () => {
  it("answers with the explanation, the ruleset, a tag and the rule for keeping it", async () => {
    const { app } = openServer();
    const response = await app.inject(post({ tx_hash: hashOf(1) }));
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual(explanationOf(hashOf(1)));
    expect(response.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-ruleset": "r1",
      "cache-control": "private, no-cache",
      etag: expect.stringMatching(/^".{27}"$/),
    });
  });

  it("gives the same bytes from memory, and takes any case of the hash", async () => {
    const { app, gathered } = openServer();
    const lower = hashOf(0xabcdef);
    const cold = await app.inject(post({ tx_hash: lower.toUpperCase().replace("0X", "0x") }));
    const warm = await app.inject(post({ tx_hash: lower }));
    expect(warm.rawPayload.equals(cold.rawPayload)).toBe(true);
    expect(warm.headers.etag).toBe(cold.headers.etag);
    expect(gathered).toEqual([lower]);
  });

  it("answers 304 without a body to a caller that has the tag, cold and warm", async () => {
    const { app } = openServer();
    const { headers } = await app.inject(post({ tx_hash: hashOf(1) }));
    const tag = String(headers.etag);
    for (const held of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const response = await app.inject(post({ tx_hash: hashOf(1) }, { ...json, "if-none-match": held }));
      expect([response.statusCode, response.body, response.headers.etag]).toEqual([304, "", tag]);
    }
    const cold = await openServer().app.inject(post({ tx_hash: hashOf(1) }, { ...json, "if-none-match": tag }));
    expect(cold.statusCode).toBe(304);
    const changed = await app.inject(post({ tx_hash: hashOf(1) }, { ...json, "if-none-match": '"other"' }));
    expect(changed.statusCode).toBe(200);
  });

  it("gathers once for requests that arrive together", async () => {
    const metering = defer<void>();
    const { app, gathered } = openServer({
      gather: async (hash) => {
        await metering.promise;
        return caseFileOf(hash);
      },
    });
    const running = Array.from({ length: 20 }, () => app.inject(post({ tx_hash: hashOf(1) })));
    await app.ready();
    metering.resolve();
    const bodies = new Set((await Promise.all(running)).map((response) => response.body));
    expect(bodies.size).toBe(1);
    expect(gathered).toHaveLength(1);
  });

  it.each<[string, string, Record<string, string>, ErrorCode]>([
    ["an empty body", "", json, "invalid_json"],
    ["half a body", '{"tx_hash":', json, "invalid_json"],
    ["an array", "[]", json, "invalid_json"],
    ["null", "null", json, "invalid_json"],
    ["a string", `"${hashOf(1)}"`, json, "invalid_json"],
    ["a field that does not exist", JSON.stringify({ tx_hash: hashOf(1), chain: 1 }), json, "invalid_request"],
    ["a field named __proto__", `{"tx_hash":"${hashOf(1)}","__proto__":{}}`, json, "invalid_request"],
    ["no hash", "{}", json, "invalid_tx_hash"],
    ["a hash from the prototype only", '{"__proto__":{"tx_hash":"0x"}}', json, "invalid_request"],
    ["a short hash", '{"tx_hash":"0x12"}', json, "invalid_tx_hash"],
    ["a hash without 0x", `{"tx_hash":"${hashOf(1).slice(2)}"}`, json, "invalid_tx_hash"],
    ["a hash with the prefix 0X", `{"tx_hash":"0X${hashOf(1).slice(2)}"}`, json, "invalid_tx_hash"],
    ["a hash with a space", `{"tx_hash":"${hashOf(1)} "}`, json, "invalid_tx_hash"],
    ["a number", '{"tx_hash":1}', json, "invalid_tx_hash"],
    ["an address", `{"tx_hash":"0x${"1".repeat(40)}"}`, json, "invalid_tx_hash"],
    [
      "a form",
      `tx_hash=${hashOf(1)}`,
      { "content-type": "application/x-www-form-urlencoded" },
      "unsupported_media_type",
    ],
    ["text", "{}", { "content-type": "text/plain" }, "unsupported_media_type"],
    ["a media type that only begins alike", "{}", { "content-type": "application/jsonp" }, "unsupported_media_type"],
    ["a media type that is none", "{}", { "content-type": "json" }, "unsupported_media_type"],
    ["another charset", "{}", { "content-type": "application/json; charset=utf-16" }, "unsupported_media_type"],
    ["a compressed body", "{}", { ...json, "content-encoding": "gzip" }, "unsupported_media_type"],
    ["a body over 4 KB", `{"tx_hash":"${"0".repeat(4096)}"}`, json, "body_too_large"],
  ])("refuses %s", async (_name, payload, headers, code) => {
    const { app, gathered } = openServer();
    const response = await app.inject(post(payload, headers));
    expect(response.json()).toMatchObject({ error: code, retryable: false });
    expect(response.statusCode).toBe(errorTable[code].status);
    expect(isError(response.json()), JSON.stringify(isError.errors)).toBe(true);
    expect(gathered).toEqual([]);
  });

  it.each(["text/html", "image/png", "application/json;q=0", "*/*;q=0", "x"])(
    "gives JSON to Accept: %s",
    async (accept) => {
      const { app } = openServer();
      const response = await app.inject(post({ tx_hash: hashOf(1) }, { ...json, accept }));
      expect([response.statusCode, response.headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    },
  );

  it.each([
    [{}, "The Content-Type header is missing."],
    [{ "content-type": "text/plain" }, "The Content-Type is not application/json."],
  ])("refuses a body with the type %j, and shows a request that is read", async (headers, said) => {
    const { app } = openServer();
    for (const url of ["/explain", "/explain/batch"]) {
      const response = await app.inject({ method: "POST", url, headers, payload: "{}" });
      expect([response.statusCode, response.json().error]).toEqual([415, "unsupported_media_type"]);
      const { message } = response.json();
      expect(message.startsWith(said)).toBe(true);
      const [, type, payload] = /Send for example: Content-Type: (\S+), (.+)$/.exec(message) ?? [];
      const right = await app.inject({
        method: "POST",
        url,
        headers: { "content-type": `${type}` },
        payload: `${payload}`,
      });
      expect(right.statusCode).toBe(200);
    }
  });

  it("says that an empty body is a mistake, with or without a content type", async () => {
    const { app } = openServer();
    for (const headers of [{}, json, { "content-type": "text/plain" }]) {
      const response = await app.inject({ method: "POST", url: "/explain", headers });
      expect([response.statusCode, response.json().error]).toEqual([400, "invalid_json"]);
    }
  });

  it.each([
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "Application/JSON",
    "application/json; foo=bar",
  ])("reads a body of the type %s", async (type) => {
    const { app } = openServer();
    const response = await app.inject(post({ tx_hash: hashOf(1) }, { "content-type": type }));
    expect(response.statusCode).toBe(200);
  });

  it("ignores a byte order mark", async () => {
    const { app } = openServer();
    const response = await app.inject(post(`\ufeff{"tx_hash":"${hashOf(1)}"}`));
    expect(response.statusCode).toBe(200);
  });

  it.each<[ErrorCode, number | undefined, string | undefined]>([
    ["transaction_not_found", undefined, undefined],
    ["transaction_pending", undefined, "1"],
    ["transaction_pending", 7, "7"],
    ["upstream_unavailable", undefined, "5"],
    ["upstream_unavailable", 30, "30"],
  ])("passes on %s with Retry-After %s → %s", async (code, seconds, expected) => {
    const { app } = openServer({
      gather: async () => {
        throw new ServiceError(code, undefined, seconds === undefined ? {} : { retryAfterSeconds: seconds });
      },
    });
    const response = await app.inject(post({ tx_hash: hashOf(1) }));
    expect(response.statusCode).toBe(errorTable[code].status);
    expect(response.headers["retry-after"]).toBe(expected);
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(response.json()).toEqual({ error: code, message: errorTable[code].meaning, retryable: true });
    expect(isError(response.json())).toBe(true);
  });

  it("tells nothing of the inside when something breaks, and logs it under the id it gives", async () => {
    const secret = "https://rpc.example/v2/key-1234";
    const { app, lines } = openServer({ gather: () => Promise.reject(new TypeError(`cannot read ${secret}`)) });
    const response = await app.inject(post({ tx_hash: hashOf(1) }));
    expect(response.statusCode).toBe(500);
    expect(isError(response.json())).toBe(true);
    expect(response.body).not.toMatch(/key-1234|TypeError|\.ts/);
    const { request_id } = response.json();
    expect(lines).toContainEqual(
      expect.objectContaining({ level: "error", request_id, cause: expect.stringContaining("https://rpc.example") }),
    );
    // A path may hold a key.
    expect(JSON.stringify(lines)).not.toContain("key-1234");
  });

  it("answers internal for a broken decision as well", async () => {
    const { app } = openServer({
      explanation: () => {
        throw new Error("assertion failed: claimed once");
      },
    });
    const response = await app.inject(post({ tx_hash: hashOf(1) }));
    expect([response.statusCode, response.json().error]).toEqual([500, "internal"]);
  });

  it("writes a line for each cold answer and one for a thousand hits", async () => {
    const { app, lines } = openServer();
    for (let count = 0; count < 1002; count++) await app.inject(post({ tx_hash: hashOf(1) }));
    expect(lines.map(({ event, outcome }) => [event, outcome])).toEqual([
      ["explain", "success"],
      ["hit", undefined],
      ["hit", undefined],
    ]);
  });
});
