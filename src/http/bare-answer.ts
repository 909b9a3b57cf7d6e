import { type ServerResponse, STATUS_CODES } from "node:http";
import { type ErrorCode, errorTable } from "../kernel/error.ts";

/** The bytes of the response to a request that Node.js could not read. `code`: the error code of Node.js. */
export function answerUnread(code: string | undefined): string {
  const error = unreadCodes[code ?? ""] ?? "unreadable_request";
  const { status } = errorTable[error];
  const body = bodyOf(error);
  const head = Object.entries({ ...headersOf(body), connection: "close" }).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, "", body].join("\r\n");
}

/** Error codes of Node.js that have a code of their own here. All others are `unreadable_request`. */
const unreadCodes: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
  HPE_HEADER_OVERFLOW: "headers_too_large",
};

/** Answers a request without the framework, with 503 and Retry-After, and closes its connection. */
export function answerRefused(response: ServerResponse, code: "overloaded" | "restarting"): void {
  const body = bodyOf(code, code === "overloaded" ? "Too many connections are open; nothing was done." : undefined);
  response.shouldKeepAlive = false;
  response.writeHead(errorTable[code].status, { ...headersOf(body), "retry-after": "1" }).end(body);
}

function bodyOf(code: ErrorCode, message: string = errorTable[code].meaning): string {
  return JSON.stringify({ error: code, message, retryable: errorTable[code].retryable });
}

function headersOf(body: string): Record<string, string> {
  return {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "content-length": String(Buffer.byteLength(body)),
  };
}
