import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { tagged } from "../../gather/explain/explain.ts";
import { ServiceError } from "../../kernel/error.ts";
import type { ResourcePath } from "../access/payment/offers.ts";
import type { AnswerKind, Sold } from "../service/answer-kind.ts";
import { readTender } from "../service/caller.ts";
import type { PagePolicy } from "../service/cors.ts";
import type { Outcome } from "../service/outcome.ts";
import { paymentHeaders, sourceHeaders } from "../service/payment-headers.ts";
import type { Service } from "../service/service.ts";
import type { AnswerRequest } from "../service/service-request.ts";
import { emptyBody } from "./explain-request.ts";
import { joinVary, sendChallengeOrFailure, whenGone } from "./reply.ts";
import { isHeld, jsonType, sendTagged } from "./tagged-response.ts";

export interface AnswerContext {
  service: Service;
  /** Of rules, labels and engine version. */
  ruleset: string;
  pages: PagePolicy;
}

export interface AnswerRoute<Asked, T extends Sold> {
  answers: AnswerKind<Asked, T>;
  /** undefined: the usual ones. */
  otherAnswers?(request: FastifyRequest): AnswerKind<Asked, Sold> | undefined;
  method: "GET" | "POST";
  path: string;
  /** Named by payments. */
  resource: ResourcePath;
  /** Throws ServiceError. */
  read(request: FastifyRequest): Asked;
  /** Without a body it may be told the price. */
  asksInBody: boolean;
  /** Default: every header, a program reads JSON. */
  accepts?(header: string | undefined): boolean;
  contentType?: string;
  /** Instead of the usual limit. */
  bodyLimit?: number;
  headers?: Readonly<Record<string, string>>;
  /** Where routes share a path. */
  constraints?: Readonly<Record<string, string>>;
  /** Default: JSON. */
  sendChallengeOrFailure?: typeof sendChallengeOrFailure;
}

/** Metered. */
export function addAnswerRoute<Asked, T extends Sold>(
  app: FastifyInstance,
  route: AnswerRoute<Asked, T>,
  context: AnswerContext,
): void {
  const { service } = context;
  const { answers, method, otherAnswers } = route;
  const send = createSender(route, context);
  app.route({
    method,
    url: route.path,
    ...(route.constraints !== undefined && { constraints: route.constraints }),
    ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
    errorHandler: async (error, request, reply) =>
      send(request, reply, await service.fail(error, toServiceRequest(request, reply, route))),
    handler: async (request, reply) => {
      const chosen = otherAnswers?.(request) ?? answers;
      return send(request, reply, await service.ask<Asked, Sold>(chosen, toServiceRequest(request, reply, route)));
    },
  });
}

function toServiceRequest<Asked, T extends Sold>(
  request: FastifyRequest,
  reply: FastifyReply,
  { resource, read, asksInBody, accepts = () => true, contentType = jsonType }: AnswerRoute<Asked, T>,
): AnswerRequest<Asked, Sold> {
  const caller = { connection: request.raw.socket, headers: request.headers, gone: whenGone(reply) };
  return {
    transport: "http",
    product: "explain",
    resource,
    caller,
    read(metered) {
      if (!accepts(request.headers.accept))
        throw new ServiceError("not_acceptable", `The Accept header excludes ${contentType.split(";", 1)[0]}.`);
      if (!metered) return { asked: read(request) };
      if (request.method === "HEAD") {
        // Without a possible answer there is no price.
        read(request);
        // HEAD has no answer: price, no charge.
        return { refusal: null };
      }
      const tender = readTender(caller);
      // A mistake, or a catalog that asks for the price.
      if (asksInBody && !request.body && tender.passToken === undefined && tender.payment === undefined)
        return { refusal: emptyBody() };
      return { asked: read(request), tender };
    },
    isHeld: (answer) => isHeld(request, answer),
  };
}

function createSender<Asked, T extends Sold>(route: AnswerRoute<Asked, T>, { pages, ruleset }: AnswerContext) {
  const { contentType = jsonType, headers: own = {}, sendChallengeOrFailure: refuse = sendChallengeOrFailure } = route;
  const vary = joinVary(own.vary, pages.always.vary);
  const caching = { "cache-control": "private, no-cache" };

  return (request: FastifyRequest, reply: FastifyReply, outcome: Outcome): FastifyReply => {
    const cors = pages.headersFor(request.headers.origin);
    const isKnown = outcome.kind === "challenged" || (outcome.kind === "bought" && !outcome.fresh);
    if (!isKnown) reply.header("x-ruleset", ruleset);
    if (outcome.kind === "challenged" || outcome.kind === "failed") return refuse(reply, outcome, cors);
    const isBought = outcome.kind === "bought";
    const sold = isBought ? { ...tagged(outcome.body), source: outcome.source } : outcome.answer;
    const cached = isBought ? { ...own, ...caching } : { ...caching, ...own };
    const about = { ...paymentHeaders(outcome), ...sourceHeaders(sold.source) };
    reply.headers({ ...about, ...cached, ...cors, ...(vary !== "" && { vary }) });
    // What is paid for is always sent.
    return sendTagged(isBought ? null : request, reply, sold, contentType);
  };
}
