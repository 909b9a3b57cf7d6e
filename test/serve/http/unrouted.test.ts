import { describe, expect, it, vi } from "vitest";
import { createLogger } from "../../../src/kernel/logger.ts";
import { createServer, type ServerOptions } from "../../../src/serve/http/server.ts";
import { anyOriginHeaders, anyOriginPreflightHeaders } from "../../../src/serve/service/cors.ts";
import { Service } from "../../../src/serve/service/service.ts";
import { explainerOver } from "../../support/explainer.ts";
import { caseFileOf, evidenceOf, explanationOf, pictureFactsOf } from "../../support/sample.ts";

const origin = "https://app.example";

function open(options: Partial<ServerOptions> = {}, access: object | null = null) {
  const decide = () => ({
    explanation: explanationOf(caseFileOf("0x1" as never).tx_hash as never),
    evidence: () => evidenceOf(),
    pictureFacts: pictureFactsOf,
  });
  const explainer = explainerOver({ gather: async (hash) => caseFileOf(hash), decide, cacheBytes: 100_000 });
  const log = createLogger("silent", () => {});
  const service = new Service({ explainer, access: null, log });
  if (access !== null) Object.assign(service, { access });
  return createServer({
    ...{ service, log, version: "0", ruleset: "r1", actionTypes: [], readHead: async () => null },
    ...options,
  });
}

describe("a path that does not take a method", () => {
  const allow = "POST, OPTIONS";

  it("tells pages of listed origins what it takes, where such pages may call it", async () => {
    const app = open({ corsOrigins: [origin] });
    const ask = async (url: string, headers: Record<string, string>) => {
      const { headers: told } = await app.inject({ method: "OPTIONS", url, headers });
      return [told.allow, told["access-control-allow-origin"], told["access-control-allow-methods"], told.vary];
    };
    for (const url of ["/explain", "/explain/batch"])
      expect(await ask(`${url}?a=1`, { origin })).toEqual([allow, origin, allow, "Origin"]);
    expect(await ask("/explain", { origin: "https://other.example" })).toEqual([allow, undefined, undefined, "Origin"]);
    expect(await ask("/explain", {})).toEqual([allow, undefined, undefined, "Origin"]);
    expect(await ask("/pass", { origin })).toEqual([allow, undefined, undefined, undefined]);
    const { headers } = await app.inject({ method: "OPTIONS", url: "/explain", headers: { origin } });
    expect(headers).toMatchObject(anyOriginPreflightHeaders);
  });

  it("tells pages of any origin, where calls are paid for", async () => {
    const app = open({}, { prices: null, usage: {}, visitors: {} });
    const { headers, statusCode } = await app.inject({ method: "OPTIONS", url: "/pass", headers: { origin } });
    expect([statusCode, headers.allow]).toEqual([204, allow]);
    expect(headers).toMatchObject({ ...anyOriginHeaders, "access-control-allow-methods": allow });
  });

  it("says so", async () => {
    const wrong = await open().inject({ method: "GET", url: "/explain" });
    expect([wrong.statusCode, wrong.json()]).toEqual([
      405,
      { error: "method_not_allowed", message: `This path answers ${allow}.`, retryable: false },
    ]);
  });
});

describe("a path", () => {
  it("of up to 2000 characters is read", async () => {
    const app = open();
    const codes = await Promise.all(
      [2_000, 2_001].map(async (length) => (await app.inject(`/tx/${"x".repeat(length)}/evidence`)).json().error),
    );
    expect(codes).toEqual(["invalid_tx_hash", "not_found"]);
  });

  it("is answered with JSON where there are no pages, and with a page where there are", async () => {
    const headers = { accept: "text/html" };
    const typeOf = async (options: Partial<ServerOptions>, url: string) =>
      (await open(options).inject({ url, headers })).headers["content-type"];
    const web = { explainer: {}, decide: () => {}, protocols: [] } as never;
    for (const url of ["/nowhere", "/%zz", "/explain"]) {
      expect(await typeOf({}, url)).toBe("application/json; charset=utf-8");
      expect(await typeOf({ web: null }, url)).toBe("application/json; charset=utf-8");
      expect(await typeOf({ web }, url)).toBe("text/html; charset=utf-8");
    }
  });

  it("reads no body that is no JSON", async () => {
    const payload = "a=1";
    const headers = { "content-type": "text/plain" };
    const wrong = await open().inject({ method: "POST", url: "/explain", payload, headers });
    expect([wrong.statusCode, wrong.json().error]).toEqual([415, "unsupported_media_type"]);
  });
});

describe("the newest block", () => {
  it("is asked for every five seconds, and waited for half a second", async () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
    const readHead = vi.fn(async () => ({ number: 1, timestamp: 1 }));
    const timers = vi.spyOn(globalThis, "setTimeout");
    const app = open({ readHead });
    await app.inject("/healthz");
    expect(timers.mock.calls.filter(([, ms]) => ms === 500)).toHaveLength(1);
    timers.mockRestore();
    now.mockReturnValue(5_999);
    await app.inject("/healthz");
    expect(readHead).toHaveBeenCalledTimes(1);
    now.mockReturnValue(6_000);
    await app.inject("/healthz");
    expect(readHead).toHaveBeenCalledTimes(2);
    now.mockRestore();
  });
});
