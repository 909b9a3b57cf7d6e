import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { entityTag } from "../../explain/explain.ts";
import { ServiceError } from "../../kernel/error.ts";
import { readTender } from "../../service/caller.ts";
import { anyOriginHeaders } from "../../service/cors.ts";
import type { Outcome } from "../../service/outcome.ts";
import { paymentHeaders, sourceHeaders } from "../../service/payment-headers.ts";
import type { ExplainRequest, Service } from "../../service/service.ts";
import { acceptsJson } from "../accept.ts";
import { readExplainRequest } from "../explain-request.ts";
import { createReadyResponse, isHeld } from "../ready-response.ts";
import { sendUnanswered, setHeaders } from "../reply.ts";

/** `POST /explain`. A remembered answer is sent in the same turn, without a promise. */
export function addExplainRoute(
  app: FastifyInstance,
  { service, ruleset }: { service: Service; ruleset: string },
): void {
  const send = createSender(service.access !== null, ruleset);
  app.post(
    "/explain",
    {
      errorHandler: (error, request, reply) => {
        void Promise.resolve(service.fail(error, toServiceRequest(request))).then((outcome) =>
          send(request, reply, outcome),
        );
      },
    },
    (request, reply) => {
      const outcome = service.explain(toServiceRequest(request));
      if (outcome instanceof Promise) return outcome.then((late) => send(request, reply, late));
      // Return nothing: the framework would wrap a returned reply in a promise.
      send(request, reply, outcome);
    },
  );
}

function toServiceRequest(request: FastifyRequest): ExplainRequest {
  const caller = { connection: request.raw.socket, headers: request.headers };
  return {
    transport: "http",
    product: "explain",
    resource: "/explain",
    caller,
    read(metered) {
      if (!acceptsJson(request.headers.accept)) throw new ServiceError("not_acceptable");
      if (!metered) return { hash: readExplainRequest(request.body, request.headers) };
      const tender = readTender(caller);
      // A request without a body asks for the price, as catalogs of paid services do.
      if (!request.body && tender.passToken === undefined && tender.payment === undefined) return null;
      return { hash: readExplainRequest(request.body, request.headers), tender };
    },
    isHeld: (answer) => isHeld(request, answer),
  };
}

function createSender(metered: boolean, ruleset: string) {
  const cors = metered ? anyOriginHeaders : {};
  const ready = createReadyResponse({ "x-ruleset": ruleset, "cache-control": "private, no-cache", ...cors });

  return (request: FastifyRequest, reply: FastifyReply, outcome: Outcome): void => {
    if (outcome.kind === "answered") {
      const marks = sourceHeaders(outcome.answer.source);
      const extra = outcome.quota === undefined ? marks : [...paymentHeaders(outcome), ...marks];
      ready.send(request, reply, outcome.answer, extra);
      return;
    }
    if (outcome.kind === "failed") reply.header("x-ruleset", ruleset);
    if (outcome.kind !== "bought") {
      sendUnanswered(reply, outcome, metered);
      return;
    }
    if (outcome.fresh) reply.header("x-ruleset", ruleset);
    const body = Buffer.from(outcome.body);
    setHeaders(reply, [...paymentHeaders(outcome), ...sourceHeaders(outcome.source)]).headers({
      ...anyOriginHeaders,
      "cache-control": "private, no-cache",
      etag: entityTag(body),
      "content-type": "application/json; charset=utf-8",
    });
    reply.send(body);
  };
}
