import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../kernel/error.ts";
import type { Log } from "../kernel/log.ts";
import { anyOriginHeaders, anyOriginPreflightHeaders } from "../service/cors.ts";
import { describeFailure } from "../service/failure.ts";
import { sendFailure } from "./reply.ts";

/** Answers a request that no route takes: OPTIONS with 204 and Allow, another method of a known path with 405, else 404. */
export function sendUnrouted(
  request: FastifyRequest,
  reply: FastifyReply,
  { methodsOf, cors, log }: { methodsOf: (path: string) => string[]; cors: boolean; log: Log },
): FastifyReply {
  const methods = methodsOf(request.url.split("?", 1)[0] ?? "");
  if (methods.length === 0) return sendFailure(reply, describeFailure(new ServiceError("not_found"), log));
  const allow = [...new Set([...methods, "OPTIONS"])].join(", ");
  reply.header("allow", allow);
  if (cors) reply.headers({ ...anyOriginHeaders, ...anyOriginPreflightHeaders, "access-control-allow-methods": allow });
  if (request.method === "OPTIONS") return reply.code(204).send();
  const error = new ServiceError("method_not_allowed", `This path answers ${allow}.`);
  return sendFailure(reply, describeFailure(error, log));
}
