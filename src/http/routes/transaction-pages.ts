import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { decimalText } from "../../kernel/amount.ts";
import { ServiceError } from "../../kernel/error.ts";
import { type Hash, readPastedHash } from "../../kernel/hex.ts";
import { paymentHeaders } from "../../service/payment-headers.ts";
import { drawingPolicy, pageHeaders } from "../../web/links.ts";
import { renderPricePage, renderTroublePage } from "../../web/trouble-page.ts";
import { acceptsType, prefersJson } from "../accept.ts";
import { addDoorRoute, type DoorContext, type DoorRoute } from "../door-route.ts";
import { jsonType } from "../ready-response.ts";
import { type sendUnanswered, setHeaders } from "../reply.ts";
import { createTransactionDoor, type PageMaker, type SoldPage } from "../transaction-door.ts";

export const htmlType = "text/html; charset=utf-8";

/** Name of the constraint that tells apart who asks for JSON. */
const wanted = "wanted";

/**
 * `GET /tx/<hash>`: the page, or the answer for whoever asks for JSON; `/tx/<hash>.svg` and `/tx/<hash>.json`. What people paste is
 * understood. All are metered like an explanation.
 */
export function addTransactionPages(app: FastifyInstance, context: DoorContext, maker: PageMaker): void {
  chooseByAccept(app);
  const page = createTransactionDoor("page", maker);
  const answer = createTransactionDoor("answer", maker);
  const shared = { method: "GET", resource: "/tx", read: readHashInPath, asksPrice: () => false } as const;
  const vary = { vary: "Accept" };
  const json: Omit<Route, "path"> = { ...shared, door: answer, contentType: jsonType };
  addDoorRoute(
    app,
    {
      ...{ ...shared, door: page, path: "/tx/:hash", contentType: htmlType, headers: { ...pageHeaders, ...vary } },
      ...{ accepts: acceptsType("text/html"), sendUnanswered: sendTrouble },
    },
    context,
  );
  addDoorRoute(app, { ...json, path: "/tx/:hash", headers: vary, constraints: { [wanted]: "json" } }, context);
  addDoorRoute(app, { ...json, path: "/tx/:hash.json" }, context);
  addDoorRoute(
    app,
    {
      ...{ ...shared, door: createTransactionDoor("drawing", maker), path: "/tx/:hash.svg" },
      ...{ accepts: acceptsType("image/svg+xml"), contentType: "image/svg+xml; charset=utf-8" },
      headers: { ...pageHeaders, "content-security-policy": drawingPolicy },
    },
    context,
  );
}

type Route = DoorRoute<Hash, SoldPage>;

/** Two routes may share a path: the one for JSON is taken where the Accept header prefers it. */
function chooseByAccept(app: FastifyInstance): void {
  app.addConstraintStrategy({
    name: wanted,
    storage() {
      const handlers = new Map<unknown, unknown>();
      return {
        get: (value) => (handlers.get(value) ?? null) as never,
        set: (value, handler) => void handlers.set(value, handler),
      };
    },
    validate: () => true,
    deriveConstraint: ({ headers }) => (prefersJson(headers.accept) ? "json" : undefined),
  });
}

function readHashInPath({ params }: FastifyRequest): Hash {
  const hash = readPastedHash((params as { hash: string }).hash);
  if (hash === undefined) throw new ServiceError("invalid_tx_hash");
  return hash;
}

/** A page for what is no answer: the same status and headers as for programs. */
const sendTrouble: typeof sendUnanswered = (reply, outcome, cors) => {
  setHeaders(reply, paymentHeaders(outcome)).headers({ ...cors, vary: "Accept" });
  if (outcome.kind === "challenged") {
    const { resource, accepts } = outcome.challenge.required;
    const [offer] = accepts;
    // USDC has six decimal places.
    const usd = offer === undefined ? null : decimalText(BigInt(offer.amount), 6);
    return sendPage(reply, 402, renderPricePage({ usd, resource: resource.url }));
  }
  const { status, body, retryAfterSeconds } = outcome.failure;
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  const { error, message, retryable } = body;
  const query = decodeURIComponentSafely(reply.request.url.replace(/^\/tx\/|\?.*$/g, ""));
  return sendPage(reply, status, renderTroublePage({ code: error, message, retryable, query }));
};

/** Sends a page that is not kept. */
export function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply
    .code(status)
    .headers({ ...pageHeaders, "cache-control": "no-store", "content-type": htmlType })
    .send(page);
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
