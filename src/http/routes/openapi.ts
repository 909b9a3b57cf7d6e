import type { FastifyInstance } from "fastify";
import { entityTag } from "../../explain/explain.ts";
import { ServiceError } from "../../kernel/error.ts";
import { acceptsJson } from "../accept.ts";
import { buildOpenapi } from "../openapi.ts";
import { createReadyResponse } from "../ready-response.ts";

export interface OpenapiRouteOptions {
  version: string;
  ruleset: string;
  actionTypes: readonly string[];
}

/** `GET /openapi.json`: built once, served from memory. */
export function addOpenapiRoute(app: FastifyInstance, { version, ruleset, actionTypes }: OpenapiRouteOptions): void {
  const body = Buffer.from(JSON.stringify(buildOpenapi({ version, actionTypes }), null, 2));
  const ready = createReadyResponse({ "x-ruleset": ruleset, "cache-control": "public, max-age=300" });
  const document = { body, etag: entityTag(body) };
  app.get("/openapi.json", (request, reply) => {
    if (!acceptsJson(request.headers.accept)) throw new ServiceError("not_acceptable");
    ready.send(request, reply, document);
  });
}
