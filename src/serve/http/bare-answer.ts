import { type ServerResponse, STATUS_CODES } from "node:http";
import { type ErrorCode, errorTable } from "../../kernel/error.ts";

/** For a request that Node.js could not read; `code`: its error code. */
export function answerUnread(code: string | undefined): string {
  const error = unreadCodeOf(code);
  const { status } = errorTable[error];
  const body = bodyOf(error);
  const head = Object.entries({ ...headersOf(body), connection: "close" }).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, "", body].join("\r\n");
}

export function unreadCodeOf(code: string | undefined): ErrorCode {
  return unreadCodes[code ?? ""] ?? "unreadable_request";
}

/** Others: `unreadable_request`. */
const unreadCodes: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
  HPE_HEADER_OVERFLOW: "headers_too_large",
};

/** Without the framework; closes. 503 has Retry-After. */
export function answerRefused(response: ServerResponse, code: ErrorCode, message?: string): void {
  const { status } = errorTable[code];
  const crowded = code === "overloaded" ? "Too many connections are open; nothing was done." : undefined;
  const body = bodyOf(code, message ?? crowded);
  response.shouldKeepAlive = false;
  response.writeHead(status, { ...headersOf(body), ...(status === 503 && { "retry-after": "1" }) }).end(body);
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
