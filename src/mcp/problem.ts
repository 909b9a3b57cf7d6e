import type { FastifyReply, FastifyRequest } from "fastify";
import { limits } from "../kernel/limits.ts";

/** What is wrong with the HTTP request itself, so that there is no message to answer. */
export interface Problem {
  status: number;
  /** JSON-RPC 2.0 section 5.1; -32000 for what is a matter of the transport. */
  code: number;
  message: string;
}

/** Refuses with an error without id. */
export function refuse(reply: FastifyReply, { status, code, message }: Problem): FastifyReply {
  return reply
    .code(status)
    .header("content-type", "application/json; charset=utf-8")
    .header("cache-control", "no-store")
    .send(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } }));
}

/** What keeps a request from being read, if anything. */
export function findProblem({ headers, body }: FastifyRequest): Problem | undefined {
  if (!acceptsBoth(headers.accept)) return notAcceptable;
  const encoding = headers["content-encoding"];
  const packed = encoding !== undefined && encoding.toLowerCase() !== "identity";
  if (packed || headers["content-type"] === undefined) return notJsonType;
  return typeof body === "string" ? undefined : notJson;
}

/** What the framework refused before a body was there; undefined when it is our own mistake. */
export function problemOf(code: string | undefined): Problem | undefined {
  return code === undefined ? undefined : frameworkProblems[code];
}

export const notJson: Problem = { status: 400, code: -32_700, message: "The body is not valid JSON." };
/** Removed from the protocol with 2025-06-18; one request would otherwise be a hundred calls. */
export const batch: Problem = { status: 400, code: -32_600, message: "Batches are not served: send one message." };
export const tooDeep: Problem = {
  status: 400,
  code: -32_600,
  message: `The message is nested deeper than ${limits.messageDepthMax} levels.`,
};
export const internal: Problem = { status: 500, code: -32_603, message: "Something went wrong on our side." };

export function foreign(message: string): Problem {
  return { status: 403, code: -32_000, message };
}

const notAcceptable: Problem = {
  status: 406,
  code: -32_000,
  message: "Accept must list both application/json and text/event-stream.",
};
const notJsonType: Problem = {
  status: 415,
  code: -32_000,
  message: "The body must be application/json, not compressed.",
};
const tooLarge: Problem = {
  status: 413,
  code: -32_000,
  message: `The body is longer than ${limits.messageBytesMax} bytes.`,
};
const frameworkProblems: Record<string, Problem> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: notJsonType,
  FST_ERR_CTP_BODY_TOO_LARGE: tooLarge,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: notJson,
};

/** Whether an Accept header lists both forms that an answer may have, as the protocol demands of every client. */
function acceptsBoth(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header === "application/json, text/event-stream") return true;
  const listed = header.split(",").map((range) => (range.split(";", 1)[0] as string).trim().toLowerCase());
  return listed.includes("application/json") && listed.includes("text/event-stream");
}
