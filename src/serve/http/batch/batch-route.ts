import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../../../kernel/error.ts";
import { readHash } from "../../../kernel/hex.ts";
import { serviceLimits } from "../../../kernel/limits.ts";
import type { AskedLine, BatchOutcome, BatchRequest, BatchStream } from "../../service/batch/batch-request.ts";
import { readBatchTender } from "../../service/caller.ts";
import { type Headers, proofOf, quotaHeaders } from "../../service/payment-headers.ts";
import type { AnswerContext } from "../answer-route.ts";
import type { Connections } from "../connections.ts";
import { type BodyHeaders, emptyBody, readJsonBody } from "../explain-request.ts";
import { sendChallengeOrFailure, whenGone } from "../reply.ts";
import { sendLines } from "./line-stream.ts";

export interface BatchContext extends AnswerContext {
  connections: Connections;
}

export function addBatchRoute(app: FastifyInstance, context: BatchContext): void {
  const { service } = context;
  app.route({
    method: "POST",
    url: "/explain/batch",
    bodyLimit: serviceLimits.batchBodyBytesMax,
    errorHandler: (error, request, reply) => {
      void Promise.resolve(service.fail(error, toBatchRequest(request, reply, context))).then((outcome) =>
        send(request, reply, outcome, context),
      );
    },
    handler: async (request, reply) => {
      const outcome = await service.askBatch(toBatchRequest(request, reply, context));
      await send(request, reply, outcome, context);
      return reply;
    },
  });
}

function toBatchRequest(request: FastifyRequest, reply: FastifyReply, { connections }: BatchContext): BatchRequest {
  const { body, headers } = request;
  const caller = { connection: request.raw.socket, headers, gone: whenGone(reply) };
  return {
    transport: "http",
    product: "batch",
    resource: "/explain/batch",
    caller,
    isStopping: () => connections.draining,
    read(metered) {
      if (!metered) return { asked: readBatchBody(body, headers) };
      const tender = readBatchTender(caller);
      if (tender.passToken === undefined && tender.payment === undefined && !body) return { refusal: emptyBody() };
      return { asked: readBatchBody(body, headers), tender };
    },
  };
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: BatchOutcome,
  { pages, ruleset }: BatchContext,
): Promise<void> {
  const cors = pages.headersFor(request.headers.origin);
  if (outcome.kind !== "stream") {
    if (outcome.kind === "failed") reply.header("x-ruleset", ruleset);
    sendChallengeOrFailure(reply, outcome, cors);
    return;
  }
  const headers = {
    ...cors,
    "content-type": "application/x-ndjson; charset=utf-8",
    "cache-control": "no-store",
    "x-ruleset": ruleset,
    ...headersOf(outcome),
  };
  const recorded: number[] = [];
  const trailers = {
    "x-txgloss-recorded-lines": () => recorded.join(" "),
    ...(outcome.credit !== null && { "x-svc-credit-left": () => String(outcome.creditLeft()) }),
  };
  await sendLines(reply, noteRecorded(outcome, recorded), { headers, trailers });
}

/** Quota without this batch, payment receipt, lines paid for. */
function headersOf({ quota, credit }: BatchStream): Headers {
  return {
    ...(quota && quotaHeaders(quota)),
    ...(credit && { "payment-response": proofOf(credit.receipt), "x-svc-credit": String(credit.left) }),
  };
}

/** Adds lines (from 1) of recordings to `recorded`. */
async function* noteRecorded({ lines }: BatchStream, recorded: number[]) {
  let place = 0;
  for await (const line of lines) {
    place++;
    if (line.source === "recording") recorded.push(place);
    yield line;
  }
}

/**
 * `{"tx_hashes": ["0x…", …]}` (schemas/batch-request.schema.json). A bad hash is a line, so that it spoils no list. Throws ServiceError
 * `unsupported_media_type`, `invalid_json`, `invalid_request` or `invalid_batch`.
 */
export function readBatchBody(body: unknown, headers: BodyHeaders): AskedLine[] {
  const fields = readJsonBody(body, headers);
  for (const name in fields)
    if (name !== "tx_hashes") throw new ServiceError("invalid_request", "The body holds a field other than tx_hashes.");
  const { tx_hashes: texts } = fields;
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === "string"))
    throw new ServiceError("invalid_batch");
  if (texts.length === 0) throw new ServiceError("invalid_batch", "tx_hashes is empty.");
  if (texts.length > serviceLimits.batchLinesMax)
    throw new ServiceError("invalid_batch", `tx_hashes has more than ${serviceLimits.batchLinesMax} entries.`);
  return texts.map((text: string) => {
    const hash = readHash(text);
    return hash === undefined ? { hash: null, text } : { hash };
  });
}
