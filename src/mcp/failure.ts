import { randomUUID } from "node:crypto";
import { ServiceError } from "../kernel/error.ts";
import type { Log } from "../kernel/log.ts";
import { type Outcome, toText } from "./outcome.ts";

/** Turns whatever was thrown into what a caller may know. */
export function toServiceError(thrown: unknown): ServiceError {
  return thrown instanceof ServiceError ? thrown : new ServiceError("internal", undefined, { cause: thrown });
}

/**
 * A failure as a tool's answer: a sentence that begins with the code, then the object that HTTP would send. Not as structured
 * content: clients hold that against the output schema even where it is an error.
 */
export function fail({ code, message, retryable, cause }: ServiceError, log: Log): Outcome {
  if (code !== "internal") return toOutcome({ error: code, message, retryable });
  const request_id = randomUUID();
  const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  log.error({ event: "internal", request_id, cause: reason });
  const told = "Something went wrong on our side; the request id finds it in the log.";
  return toOutcome({ error: code, message: told, retryable, request_id });
}

function toOutcome(body: { error: string; message: string; retryable: boolean; request_id?: string }): Outcome {
  const advice = body.retryable ? " The same call may succeed later." : "";
  const sentence = `${body.error}: ${body.message}${advice}`;
  return { result: { content: [toText(sentence), toText(JSON.stringify(body))], isError: true } };
}
