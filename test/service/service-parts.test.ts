import { describe, expect, it } from "vitest";
import { type ErrorCode, ServiceError } from "../../src/kernel/error.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { clientOf, readBatchTender, readPassTender, readTender } from "../../src/service/caller.ts";
import { allowPages, anyOriginHeaders, oneOriginHeaders } from "../../src/service/cors.ts";
import { ExplanationCounts } from "../../src/service/explanation-counts.ts";
import { describeFailure, toServiceError } from "../../src/service/failure.ts";
import { paymentHeaders, quotaHeaders, sourceHeaders } from "../../src/service/payment-headers.ts";

function logOf() {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger("debug", (line) => lines.push(JSON.parse(line)));
  return { log, lines: () => lines.map(({ time: _time, ms: _ms, ...line }) => line) };
}

describe("how a caller wants to pay", () => {
  const authorization = { from: `0x${"a1".repeat(20)}`, to: `0x${"b2".repeat(20)}`, nonce: `0x${"5b".repeat(32)}` };
  const payment = (validBefore: string) => ({
    x402Version: 2,
    accepted: {
      ...{ scheme: "exact", network: "n", amount: "5", asset: "a", payTo: "p", maxTimeoutSeconds: 60 },
    },
    payload: { signature: "0xab", authorization: { ...authorization, value: "5", validAfter: "0", validBefore } },
  });
  const connection = { remoteAddress: "203.0.113.7" };
  const header = Buffer.from(JSON.stringify(payment("1"))).toString("base64");
  const headers = { "payment-signature": header, "x-svc-pass": " pass ", "x-svc-claim": "claim " };
  const meta = { "x402/payment": payment("2"), "svc/pass": "meta pass", "svc/claim": " meta claim" };
  const told = ({ payment: offered, ...rest }: ReturnType<typeof readPassTender> | ReturnType<typeof readTender>) => ({
    ...rest,
    until: offered?.authorization?.validBefore,
  });

  it.each([
    ["in nothing", { headers: {} }, { until: undefined, pass: undefined, claim: undefined }],
    ["in headers", { headers }, { until: 1n, pass: "pass", claim: "claim" }],
    ["in a message, before the headers", { headers, meta }, { until: 2n, pass: "meta pass", claim: "meta claim" }],
    ["in headers beside a message", { headers, meta: {} }, { until: 1n, pass: "pass", claim: "claim" }],
    [
      "in what is no text, so that neither a pass nor a claim is found",
      { headers: {}, meta: { "svc/pass": 5, "svc/claim": ["6"] } },
      { until: undefined, pass: "", claim: "" },
    ],
  ])("%s", (_name, parts, { until, pass, claim }) => {
    const caller = { connection, ...parts };
    expect(told(readTender(caller))).toEqual({ until, passToken: pass });
    expect(told(readPassTender(caller))).toEqual({ until, claim });
    expect(told(readBatchTender(caller))).toEqual({ until, passToken: pass, claim });
  });

  it("is refused where it is no payment", () => {
    for (const parts of [{ headers: { "payment-signature": "x!" } }, { headers: {}, meta: { "x402/payment": null } }])
      expect(() => readTender({ connection, ...parts })).toThrow(expect.objectContaining({ code: "invalid_payment" }));
  });

  it("is of whom a proxy names", () => {
    const given: unknown[] = [];
    const read = (...asked: unknown[]) => given.push(asked) as never;
    clientOf({ connection, headers: { "x-forwarded-for": "1.2.3.4" } }, read);
    clientOf({ connection: {}, headers: {} }, read);
    expect(given).toEqual([
      ["203.0.113.7", "1.2.3.4"],
      [undefined, undefined],
    ]);
  });
});

describe("the pages that may read an answer", () => {
  const any = { ...anyOriginHeaders };
  const one = {
    ...{ vary: "Origin", "access-control-allow-origin": "https://a.example" },
    "access-control-expose-headers": any["access-control-expose-headers"],
  };
  const allowed = { "access-control-allow-origin": "*" };
  it.each<[string[], object, object, object]>([
    [["https://a.example", "*"], allowed, any, any],
    [[], {}, {}, {}],
    [["https://a.example"], { vary: "Origin" }, one, { vary: "Origin" }],
  ])("of %j", (origins, always, listed, other) => {
    const policy = allowPages(origins);
    expect(policy.always).toEqual(always);
    expect(policy.headersFor("https://a.example")).toEqual(listed);
    expect(policy.headersFor("https://b.example")).toEqual(other);
    expect(policy.headersFor(undefined)).toEqual(always);
  });

  it("are of one origin where only that one may", () => {
    expect(oneOriginHeaders("https://a.example")).toEqual({
      "access-control-allow-origin": "https://a.example",
      "access-control-expose-headers":
        "PAYMENT-REQUIRED, PAYMENT-RESPONSE, RateLimit, RateLimit-Policy, Retry-After, X-SVC-Pass-Remaining, X-SVC-Pass-Status",
      vary: "Origin",
    });
  });
});

describe("what was thrown", () => {
  it.each<[unknown, ErrorCode]>([
    [new ServiceError("overloaded"), "overloaded"],
    [{ code: "FST_ERR_CTP_INVALID_MEDIA_TYPE" }, "unsupported_media_type"],
    [{ code: "FST_ERR_CTP_BODY_TOO_LARGE" }, "body_too_large"],
    [{ code: "FST_ERR_CTP_INVALID_CONTENT_LENGTH" }, "invalid_json"],
    [{ code: "FST_ERR_BAD_URL" }, "not_found"],
    [{ code: "FST_ERR_MAX_PARAM_LENGTH" }, "not_found"],
    [{ code: "ECONNRESET" }, "internal"],
    [{ code: 5 }, "internal"],
    [null, "internal"],
    ["text", "internal"],
  ])("%j has the code %s", (thrown, code) => {
    expect(toServiceError(thrown).code).toBe(code);
  });

  it.each<[ErrorCode, number, number | undefined]>([
    ["invalid_json", 400, undefined],
    ["transaction_not_found", 404, undefined],
    ["transaction_pending", 404, 2],
    ["upstream_unavailable", 503, 5],
    ["overloaded", 503, 5],
    ["restarting", 503, 1],
    ["payments_unavailable", 503, 5],
    ["settlement_pending", 503, 3],
    ["ledger_unavailable", 503, 5],
  ])("%s is told with status %d, and again after %s seconds", (code, status, seconds) => {
    const { log, lines } = logOf();
    const error = new ServiceError(code, "words");
    expect(describeFailure(error, log)).toEqual({
      status,
      body: { error: code, message: "words", retryable: error.retryable },
      retryAfterSeconds: seconds,
    });
    expect(describeFailure(new ServiceError(code, "words", { retryAfterSeconds: 77 }), log).retryAfterSeconds).toBe(77);
    expect(lines()).toEqual([]);
  });

  it("is not told where it is our mistake; the log has it under the same id", () => {
    const { log, lines } = logOf();
    const { body, status } = describeFailure(toServiceError(new TypeError("x is no y")), log);
    expect(status).toBe(500);
    expect(body).toEqual({
      ...{ error: "internal", retryable: true, request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      message: "Something went wrong on our side; the request id finds it in the log.",
    });
    expect(lines()).toMatchObject([{ event: "internal", request_id: body.request_id }]);
    expect(JSON.stringify(lines())).toContain("x is no y");
    describeFailure(new ServiceError("internal", "words without a cause"), log);
    expect(JSON.stringify(lines()[1])).toContain("words without a cause");
  });
});

describe("headers about quota and payment", () => {
  const free = { limit: 50, remaining: 7, resetSeconds: 99 };
  const rates = ["ratelimit-policy", '"free";q=50;w=86400', "ratelimit", '"free";r=7;t=99'];
  it("tell the free calls and the state of a pass", () => {
    expect(quotaHeaders({ free })).toEqual(rates);
    expect(quotaHeaders({ free, pass: { status: "expired" } })).toEqual([...rates, "x-svc-pass-status", "expired"]);
    expect(quotaHeaders({ free, pass: { status: "valid", remaining: 0 } })).toEqual([
      ...[...rates, "x-svc-pass-status", "valid", "x-svc-pass-remaining", "0"],
    ]);
  });

  it("tell the price, or the proof of a payment", () => {
    const receipt = { success: true, transaction: "0x1", network: "eip155:8453", payer: "0x2" } as const;
    const proof = Buffer.from(JSON.stringify(receipt)).toString("base64");
    expect(paymentHeaders({ kind: "answered", answer: {} as never, quota: undefined })).toEqual([]);
    expect(paymentHeaders({ kind: "failed", failure: {} as never, quota: { free } })).toEqual(rates);
    const challenge = { header: "price" } as never;
    expect(paymentHeaders({ kind: "challenged", challenge, quota: { free } } as never)).toEqual([
      ...[...rates, "payment-required", "price"],
    ]);
    const bought = { kind: "bought", body: "", content: () => ({}), fresh: true, receipt, quota: { free } } as const;
    expect(paymentHeaders(bought)).toEqual([...rates, "payment-response", proof]);
  });

  it("mark what rests on a recording", () => {
    expect(["recording", "network", undefined].map((source) => sourceHeaders(source as never))).toEqual([
      ...[["x-txgloss-source", "recording"], [], []],
    ]);
  });
});

describe("the counts of explanations", () => {
  it("are of answers, and of each code that occurred", () => {
    const counts = new ExplanationCounts();
    expect(counts.read()).toEqual({ success: 0, reverted: 0 });
    for (const result of ["success", "internal", "success", "reverted", "internal"] as const) counts.add(result);
    expect(counts.read()).toEqual({ success: 2, reverted: 1, internal: 2 });
  });
});
