import { type ServerResponse, STATUS_CODES } from "node:http";
import { type ErrorCode, errorTable } from "../kernel/error.ts";

/**
 * The bytes of the response to a request that Node.js could not read. Only headers that are too large and timeouts have a status of their
 * own.
 */
export function answerUnread(code: string | undefined): string {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
  if (code !== "HPE_HEADER_OVERFLOW")
    return "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
  const { status } = errorTable.headers_too_large;
  const body = bodyOf("headers_too_large");
  const head = Object.entries({ ...headersOf(body), connection: "close" }).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, "", body].join("\r\n");
}

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
