import type { FastifyReply, FastifyRequest } from "fastify";
import type { Client } from "../../access/client-address.ts";
import type { Challenged, Delivery, Grant } from "../../access/gate.ts";
import type { Access } from "../../access/open.ts";
import type { Answer, Explainer } from "../../explain.ts";
import { entityTag } from "../../explain.ts";
import { ServiceError } from "../../kernel/error.ts";
import type { Hash } from "../../kernel/hex.ts";
import type { Log } from "../../log.ts";
import { acceptsJson } from "../accept.ts";
import {
  clientOf,
  passOf,
  paymentOf,
  receiptHeader,
  sendChallenge,
  setStanding,
  standingHeaders,
} from "../access-headers.ts";
import { corsHeaders } from "../cors.ts";
import { readExplainRequest } from "../explain-request.ts";
import type { MeteredFailure } from "../metered-failure.ts";
import type { Outcomes } from "../outcomes.ts";
import { createWire, isHeld } from "../wire.ts";

export interface MeteredExplainOptions {
  explainer: Explainer;
  access: Access;
  ruleset: string;
  outcomes: Outcomes;
  log: Log;
  fail: MeteredFailure;
}

/** One request for an explanation, as far as it was read. */
interface Ask {
  request: FastifyRequest;
  reply: FastifyReply;
  client: Client;
  hash: Hash;
}

/**
 * `POST /explain` where it is charged for: read the request, let the gate decide, get the answer, commit, send. With the
 * embedded ledger a remembered answer still leaves in the same turn.
 */
export function createMeteredExplain(options: MeteredExplainOptions) {
  const { explainer, access, ruleset, outcomes, log, fail } = options;
  const { gate, readClient } = access;
  const wire = createWire({ "x-ruleset": ruleset, "cache-control": "private, no-cache", ...corsHeaders });

  function handle(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const client = clientOf(request, readClient);
    gate.enter(client);
    if (!acceptsJson(request.headers.accept)) throw new ServiceError("not_acceptable");
    const passToken = passOf(request);
    const payment = paymentOf(request);
    if (isEmpty(request) && passToken === undefined && payment === undefined) return sendQuote(client, reply);
    const hash = readExplainRequest(request.body, request.headers);
    const ask = { request, reply, client, hash };
    const admission = gate.admit({
      client,
      product: "explain",
      resource: "/explain",
      request: hash,
      passToken,
      payment,
    });
    if (admission instanceof Promise) return admission.then((admitted) => proceed(ask, admitted));
    const answer = admission.kind === "granted" ? explainer.cached(hash) : undefined;
    if (admission.kind !== "granted" || answer === undefined) return proceed(ask, admission);
    if (isHeld(request, answer)) return finish(ask, admission, answer);
    const outcome = admission.commit(answer.body);
    if (outcome instanceof Promise) return outcome.then((late) => deliver(ask, late, answer));
    deliver(ask, outcome, answer);
    return undefined;
  }

  async function proceed(ask: Ask, admission: Grant | Delivery | Challenged): Promise<void> {
    if (admission.kind === "challenged") return void sendChallenge(ask.reply, admission);
    if (admission.kind === "delivered") return send(ask, admission, null);
    return finish(ask, admission, explainer.cached(ask.hash) ?? (await work(ask, admission)));
  }

  /** Gathers and decides; what fails is not charged. */
  async function work({ hash, reply }: Ask, grant: Grant): Promise<Answer> {
    const started = performance.now();
    try {
      const answer = await explainer.explain(hash);
      const ms = Math.round(performance.now() - started);
      log.info({ event: "explain", tx_hash: hash, outcome: answer.explanation.status, via: grant.via, ms });
      return answer;
    } catch (cause) {
      setStanding(reply, await grant.release(cause));
      throw cause;
    }
  }

  async function finish(ask: Ask, grant: Grant, answer: Answer): Promise<void> {
    // Who says that it has the answer gets it for nothing, unless it pays for it all the same.
    if (grant.via !== "payment" && isHeld(ask.request, answer)) {
      const standing = await grant.release(null);
      return wire.send(ask.request, ask.reply, answer, standingHeaders(standing));
    }
    deliver(ask, await grant.commit(answer.body), answer);
  }

  function deliver(ask: Ask, outcome: Delivery | Challenged, answer: Answer): void {
    if (outcome.kind === "challenged") sendChallenge(ask.reply, outcome);
    else send(ask, outcome, answer);
  }

  /** `answer` is null when the body comes from the ledger: it was made then, perhaps by other rules. */
  function send({ request, reply }: Ask, delivery: Delivery, answer: Answer | null): void {
    if (answer !== null && delivery.receipt === null) {
      outcomes.add(answer.explanation.status);
      wire.send(request, reply, answer, standingHeaders(delivery.standing));
      return;
    }
    const body = Buffer.from(delivery.body);
    outcomes.add((JSON.parse(body.toString()) as Answer["explanation"]).status);
    if (answer !== null) reply.header("x-ruleset", ruleset);
    if (delivery.receipt !== null) reply.header("payment-response", receiptHeader(delivery.receipt));
    setStanding(reply, delivery.standing)
      .headers(corsHeaders)
      .header("cache-control", "private, no-cache")
      .header("etag", entityTag(body))
      .header("content-type", "application/json; charset=utf-8")
      .send(body);
  }

  async function sendQuote(client: Client, reply: FastifyReply): Promise<void> {
    sendChallenge(reply, await gate.quote({ client, product: "explain", resource: "/explain" }));
  }

  function onError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return fail(thrown, { request, reply: reply.header("x-ruleset", ruleset), note: (code) => outcomes.add(code) });
  }

  return { handle, onError };
}

/** A request without a body asks for the price, as catalogues do. */
function isEmpty({ body }: FastifyRequest): boolean {
  return body === undefined || body === null || body === "";
}
