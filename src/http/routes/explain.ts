import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { entityTag } from "../../explain/explain.ts";
import { ServiceError } from "../../kernel/error.ts";
import { readTender } from "../../service/caller.ts";
import type { PagePolicy } from "../../service/cors.ts";
import type { Outcome } from "../../service/outcome.ts";
import { paymentHeaders, sourceHeaders } from "../../service/payment-headers.ts";
import type { Service } from "../../service/service.ts";
import type { ExplainRequest } from "../../service/service-request.ts";
import { acceptsJson } from "../accept.ts";
import { readExplainRequest } from "../explain-request.ts";
import { createReadyResponse, isHeld } from "../ready-response.ts";
import { sendUnanswered, setHeaders, whenGone } from "../reply.ts";

/** `POST /explain`. A remembered answer is sent in the same turn, without a promise. */
export function addExplainRoute(
  app: FastifyInstance,
  { service, ruleset, pages }: { service: Service; ruleset: string; pages: PagePolicy },
): void {
  const send = createSender(pages, ruleset);
  app.post(
    "/explain",
    {
      errorHandler: (error, request, reply) => {
        void Promise.resolve(service.fail(error, toServiceRequest(request, reply))).then((outcome) =>
          send(request, reply, outcome),
        );
      },
    },
    (request, reply) => {
      const outcome = service.explain(toServiceRequest(request, reply));
      if (outcome instanceof Promise) return outcome.then((late) => send(request, reply, late));
      // Return nothing: the framework would wrap a returned reply in a promise.
      send(request, reply, outcome);
    },
  );
}

function toServiceRequest(request: FastifyRequest, reply: FastifyReply): ExplainRequest {
  const caller = { connection: request.raw.socket, headers: request.headers, gone: whenGone(reply) };
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

function createSender({ always, headersFor }: PagePolicy, ruleset: string) {
  const ready = createReadyResponse({ "x-ruleset": ruleset, "cache-control": "private, no-cache", ...always });
  const added = (origin: string | undefined) =>
    Object.entries(headersFor(origin))
      .filter(([name]) => !(name in always))
      .flat();

  return (request: FastifyRequest, reply: FastifyReply, outcome: Outcome): void => {
    if (outcome.kind === "answered") {
      const { origin } = request.headers;
      const marks = sourceHeaders(outcome.answer.source);
      if (origin !== undefined) marks.push(...added(origin));
      const extra = outcome.quota === undefined ? marks : [...paymentHeaders(outcome), ...marks];
      ready.send(request, reply, outcome.answer, extra);
      return;
    }
    if (outcome.kind === "failed") reply.header("x-ruleset", ruleset);
    if (outcome.kind !== "bought") {
      sendUnanswered(reply, outcome, headersFor(request.headers.origin));
      return;
    }
    if (outcome.fresh) reply.header("x-ruleset", ruleset);
    const body = Buffer.from(outcome.body);
    setHeaders(reply, [...paymentHeaders(outcome), ...sourceHeaders(outcome.source)]).headers({
      ...headersFor(request.headers.origin),
      "cache-control": "private, no-cache",
      etag: entityTag(body),
      "content-type": "application/json; charset=utf-8",
    });
    reply.send(body);
  };
}
