import type { FastifyReply, FastifyRequest } from "fastify";
import type { Admitted, Challenged, Delivery } from "../../access/admission.ts";
import { quotaHeaders, receiptHeader } from "../../access/answer-headers.ts";
import type { Access } from "../../access/open.ts";
import { type Answer, type Explainer, entityTag } from "../../explain/explain.ts";
import { ServiceError } from "../../kernel/error.ts";
import type { Hash } from "../../kernel/hex.ts";
import type { Log } from "../../kernel/log.ts";
import type { MaybePromise } from "../../kernel/maybe-promise.ts";
import { acceptsJson } from "../accept.ts";
import { clientOf, passOf, paymentOf, sendChallenge, setQuota } from "../access-headers.ts";
import { corsHeaders } from "../cors.ts";
import { readExplainRequest } from "../explain-request.ts";
import type { MeteredFailure } from "../metered-failure.ts";
import type { Outcomes } from "../outcomes.ts";
import { createWire, isHeld, type Wire } from "../wire.ts";

export interface MeteredExplainOptions {
  explainer: Explainer;
  access: Access;
  ruleset: string;
  outcomes: Outcomes;
  log: Log;
  fail: MeteredFailure;
}

/** What every step needs: the options, and the wire that answers are sent by. */
interface Counter extends MeteredExplainOptions {
  wire: Wire;
}

/** One request for an explanation, as far as it was read. */
interface Ask {
  request: FastifyRequest;
  reply: FastifyReply;
  hash: Hash;
}

/** `POST /explain` where it is charged for: read the request, let the metering decide, get the answer, commit, send. */
export function createMeteredExplain(options: MeteredExplainOptions) {
  const { access, ruleset, outcomes, fail } = options;
  const { metering, readClient } = access;
  const wire = createWire({ "x-ruleset": ruleset, "cache-control": "private, no-cache", ...corsHeaders });
  const counter: Counter = { ...options, wire };

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const client = clientOf(request, readClient);
    metering.checkRate(client);
    if (!acceptsJson(request.headers.accept)) throw new ServiceError("not_acceptable");
    const passToken = passOf(request);
    const payment = paymentOf(request);
    if (isEmpty(request) && passToken === undefined && payment === undefined) {
      return sendQuote(reply, metering.quote({ client, product: "explain", resource: "/explain" }));
    }
    const hash = readExplainRequest(request.body, request.headers);
    const ask = { request, reply, hash };
    const visit = { client, product: "explain", resource: "/explain", request: hash, passToken, payment } as const;
    return proceed(counter, ask, await metering.admit(visit));
  }

  function onError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return fail(thrown, { request, reply: reply.header("x-ruleset", ruleset), note: (code) => outcomes.add(code) });
  }

  return { handle, onError };
}

async function proceed(counter: Counter, ask: Ask, admission: Admitted | Delivery | Challenged): Promise<void> {
  if (admission.kind !== "admitted") return deliver(counter, ask, { outcome: admission, answer: null });
  const answer = counter.explainer.cached(ask.hash) ?? (await work(counter, ask, admission));
  return finish(counter, ask, { grant: admission, answer });
}

/** Gathers and decides; what fails is not charged. */
async function work({ explainer, log }: Counter, { hash, reply }: Ask, grant: Admitted): Promise<Answer> {
  const started = performance.now();
  try {
    const answer = await explainer.explain(hash);
    const ms = Math.round(performance.now() - started);
    log.info({ event: "explain", tx_hash: hash, outcome: answer.explanation.status, via: grant.via, ms });
    return answer;
  } catch (cause) {
    setQuota(reply, await grant.release(cause));
    throw cause;
  }
}

async function finish(
  counter: Counter,
  ask: Ask,
  { grant, answer }: { grant: Admitted; answer: Answer },
): Promise<void> {
  // Who says that it has the answer gets it for nothing, unless it pays for it all the same.
  if (grant.via !== "payment" && isHeld(ask.request, answer)) {
    const quota = await grant.release(null);
    return counter.wire.send(ask.request, ask.reply, answer, quotaHeaders(quota));
  }
  deliver(counter, ask, { outcome: await grant.commit(answer.body), answer });
}

/** `answer` is null when the body comes from the ledger: it was made then, perhaps by other rules. */
function deliver(
  { outcomes, ruleset, wire }: Counter,
  { request, reply }: Ask,
  { outcome, answer }: { outcome: Delivery | Challenged; answer: Answer | null },
): void {
  if (outcome.kind === "challenged") {
    sendChallenge(reply, outcome);
    return;
  }
  if (answer !== null && outcome.receipt === null) {
    outcomes.add(answer.explanation.status);
    wire.send(request, reply, answer, quotaHeaders(outcome.quota));
    return;
  }
  const body = Buffer.from(outcome.body);
  outcomes.add((JSON.parse(body.toString()) as Answer["explanation"]).status);
  if (answer !== null) reply.header("x-ruleset", ruleset);
  if (outcome.receipt !== null) reply.header("payment-response", receiptHeader(outcome.receipt));
  setQuota(reply, outcome.quota)
    .headers(corsHeaders)
    .header("cache-control", "private, no-cache")
    .header("etag", entityTag(body))
    .header("content-type", "application/json; charset=utf-8")
    .send(body);
}

async function sendQuote(reply: FastifyReply, quote: MaybePromise<Challenged>): Promise<void> {
  sendChallenge(reply, await quote);
}

/** A request without a body asks for the price, as catalogues do. */
function isEmpty({ body }: FastifyRequest): boolean {
  return body === undefined || body === null || body === "";
}
