import { describe, expect, it } from "vitest";
import { type ErrorCode, ServiceError } from "../../../src/kernel/error.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { describeFailure, toServiceError } from "../../../src/serve/service/failure.ts";

function logOf() {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger("debug", (line) => lines.push(JSON.parse(line)));
  return { log, lines: () => lines.map(({ time: _time, ms: _ms, ...line }) => line) };
}

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
    ["transaction_pending", 404, 1],
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
