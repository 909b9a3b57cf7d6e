import type { FastifyInstance } from "fastify";
import { entityTag } from "../../explain.ts";
import { ServiceError } from "../../kernel/error.ts";
import { acceptsJson } from "../accept.ts";
import { buildOpenapi } from "../openapi.ts";
import { sendTagged } from "../send-tagged.ts";

export interface OpenapiRouteOptions {
  version: string;
  ruleset: string;
  actionTypes: readonly string[];
}

/** `GET /openapi.json`: built once, served from memory. */
export function addOpenapiRoute(app: FastifyInstance, { version, ruleset, actionTypes }: OpenapiRouteOptions): void {
  const body = Buffer.from(JSON.stringify(buildOpenapi({ version, actionTypes }), null, 2));
  const etag = entityTag(body);
  app.get("/openapi.json", (request, reply) => {
    if (!acceptsJson(request.headers.accept)) throw new ServiceError("not_acceptable");
    reply.header("x-ruleset", ruleset).header("cache-control", "public, max-age=300");
    return sendTagged(request, reply, { body, etag });
  });
}
