import { describe, expect, it } from "vitest";
import { answerRefused, answerUnread } from "../../src/http/bare-answer.ts";

describe("what is answered past the framework", () => {
  it.each([
    ["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout"],
    ["HPE_INVALID_METHOD", "400 Bad Request"],
    [undefined, "400 Bad Request"],
  ])("%s", (code, status) => {
    expect(answerUnread(code)).toBe(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });

  it("headers that are too large", () => {
    const body = '{"error":"headers_too_large","message":"The header fields are longer than 16 KB.","retryable":false}';
    expect(answerUnread("HPE_HEADER_OVERFLOW").split("\r\n")).toEqual([
      "HTTP/1.1 431 Request Header Fields Too Large",
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
