import { describe, expect, it } from "vitest";
import { errorTable } from "../../../src/kernel/error.ts";
import { answerRefused, answerUnread } from "../../../src/serve/http/bare-answer.ts";

describe("what is answered past the framework", () => {
  it.each([
    ["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout", "request_timeout", true],
    ["HPE_HEADER_OVERFLOW", "431 Request Header Fields Too Large", "headers_too_large", false],
    ["HPE_INVALID_METHOD", "400 Bad Request", "unreadable_request", false],
    [undefined, "400 Bad Request", "unreadable_request", false],
  ] as const)("%s is told with a code", (code, status, error, retryable) => {
    const body = JSON.stringify({ error, message: errorTable[error].meaning, retryable });
    expect(answerUnread(code).split("\r\n")).toEqual([
      `HTTP/1.1 ${status}`,
      "content-type: application/json; charset=utf-8",
      "cache-control: no-store",
      `content-length: ${body.length}`,
      ...["connection: close", "", body],
    ]);
  });

  it.each([
    ["overloaded", "Too many connections are open; nothing was done."],
    ["restarting", "The service restarts; send the same request again, with the same payment if it had one."],
  ] as const)("%s", (code, message) => {
    const sent: unknown[] = [];
    const response = {
      shouldKeepAlive: true,
      writeHead: (status: number, headers: object) => {
        sent.push(status, headers);
        return { end: (body: string) => sent.push(JSON.parse(body)) };
      },
    };
    answerRefused(response as never, code);
    expect(response.shouldKeepAlive).toBe(false);
    expect(sent).toEqual([
      503,
      expect.objectContaining({ "retry-after": "1", "cache-control": "no-store" }),
      { error: code, message, retryable: true },
    ]);
  });
});
