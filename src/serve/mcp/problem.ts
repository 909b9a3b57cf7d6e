import type { FastifyReply, FastifyRequest } from "fastify";
import type { ErrorCode } from "../../kernel/error.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import { acceptsJson, acceptsType } from "../http/accept.ts";
import { namesOtherCharset, otherCharset } from "../http/explain-request.ts";
import { sendJson } from "../http/reply.ts";
import { toServiceError } from "../service/failure.ts";

export interface Problem {
  status: number;
  /** JSON-RPC 2.0 section 5.1; -32000: transport. */
  code: number;
  message: string;
  retryAfterSeconds?: number | undefined;
}

/** id null: no message to answer. */
export function refuse(reply: FastifyReply, problem: Problem, id: string | number | null = null): FastifyReply {
  const { status, code, message, retryAfterSeconds } = problem;
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  return sendJson(reply, status, JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }));
}

/** null: none. */
export function idOf(message: unknown): string | number | null {
  const id = (message as { id?: unknown } | null)?.id;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** undefined: none. */
export function findProblem({ headers, body }: FastifyRequest): Problem | undefined {
  if (!acceptsJson(headers.accept) || !acceptsStream(headers.accept)) return notAcceptable;
  const encoding = headers["content-encoding"];
  const packed = encoding !== undefined && encoding.toLowerCase() !== "identity";
  const type = headers["content-type"];
  if (packed || type === undefined) return notJsonType;
  if (namesOtherCharset(type)) return notUtf8;
  return typeof body === "string" ? undefined : notJson;
}

/** `internal`: our mistake. */
export function problemOf(thrown: unknown): Problem {
  return problems[toServiceError(thrown).code] ?? internal;
}

export const notJson = problem(400, -32_700, "The body is not valid JSON.");
/** Removed in revision 2025-06-18; one request could be a hundred calls. */
export const batch = problem(400, -32_600, "Batches are not served: send one message.");
export const tooDeep = problem(
  400,
  -32_600,
  `The message is nested deeper than ${serviceLimits.messageDepthMax} levels.`,
);
export const internal = problem(500, -32_603, "Something went wrong on our side.");

export function foreign(message: string): Problem {
  return problem(403, -32_000, message);
}

/** Too much. */
export function limited(error: unknown): Problem {
  const { code, message, status, retryAfterSeconds } = toServiceError(error);
  return { ...problem(status, -32_000, `${code}: ${message}`), retryAfterSeconds };
}

const notAcceptable = problem(406, -32_000, "Accept must allow both application/json and text/event-stream.");
const example = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
const notJsonType = problem(
  415,
  -32_000,
  `The body must be application/json, not compressed. Send for example: Content-Type: application/json, ${example}`,
);
const notUtf8 = problem(415, -32_000, otherCharset);
const tooLarge = problem(413, -32_000, `The body is longer than ${serviceLimits.messageBytesMax} bytes.`);
const problems: Partial<Record<ErrorCode, Problem>> = {
  unsupported_media_type: notJsonType,
  body_too_large: tooLarge,
  invalid_json: notJson,
};

function problem(status: number, code: number, message: string): Problem {
  return { status, code, message };
}

const acceptsStream = acceptsType("text/event-stream");
