import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Access } from "../../access/open.ts";
import type { Answer, Explainer } from "../../explain/explain.ts";
import { ServiceError } from "../../kernel/error.ts";
import type { Hash } from "../../kernel/hex.ts";
import type { Log } from "../../kernel/log.ts";
import { acceptsJson } from "../accept.ts";
import { readExplainRequest } from "../explain-request.ts";
import { sendFailure, toServiceError } from "../failure.ts";
import type { MeteredFailure } from "../metered-failure.ts";
import type { Outcomes } from "../outcomes.ts";
import { createWire } from "../wire.ts";
import { createMeteredExplain } from "./metered-explain.ts";

export interface ExplainRouteOptions {
  explainer: Explainer;
  ruleset: string;
  outcomes: Outcomes;
  log: Log;
  /** null: everything is free. */
  access: Access | null;
  fail: MeteredFailure | null;
}

/** `POST /explain`, charged for or open. */
export function addExplainRoute(app: FastifyInstance, options: ExplainRouteOptions): void {
  const { access, fail } = options;
  if (access === null || fail === null) {
    addOpenExplain(app, options);
    return;
  }
  const metered = createMeteredExplain({ ...options, access, fail });
  app.post(
    "/explain",
    { errorHandler: (error, request, reply) => void metered.onError(error, request, reply) },
    metered.handle,
  );
}

/**
 * Read the request, get the answer, send it. A remembered answer is sent in the same turn: no promise, no validator, no hook,
 * no log object per request.
 */
function addOpenExplain(app: FastifyInstance, { explainer, ruleset, outcomes, log }: ExplainRouteOptions): void {
  const wire = createWire({ "x-ruleset": ruleset, "cache-control": "private, no-cache" });
  let hits = 0;

  function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): void {
    outcomes.add(answer.explanation.status);
    wire.send(request, reply, answer);
  }

  function fail(reply: FastifyReply, thrown: unknown): void {
    const failure = toServiceError(thrown);
    outcomes.add(failure.code);
    if (failure.code === "upstream_unavailable") log.warn({ event: "explain", outcome: failure.code });
    sendFailure(reply.header("x-ruleset", ruleset), failure, log);
  }

  async function answerCold(request: FastifyRequest, reply: FastifyReply, hash: Hash): Promise<void> {
    const started = performance.now();
    const answer = await explainer.explain(hash);
    const ms = Math.round(performance.now() - started);
    log.info({ event: "explain", tx_hash: hash, outcome: answer.explanation.status, ms });
    send(request, reply, answer);
  }

  app.post("/explain", { errorHandler: (error, _request, reply) => fail(reply, error) }, (request, reply) => {
    if (!acceptsJson(request.headers.accept)) throw new ServiceError("not_acceptable");
    const hash = readExplainRequest(request.body, request.headers);
    const answer = explainer.cached(hash);
    if (answer === undefined) return answerCold(request, reply, hash);
    if (hits++ % hitsPerLine === 0) log.info({ event: "hit", tx_hash: hash, one_of: hitsPerLine });
    // Nothing is returned: the framework would take a returned reply for a promise and wrap it.
    send(request, reply, answer);
  });
}

/** A line for each hit would cost more than the hit. */
const hitsPerLine = 1000;
