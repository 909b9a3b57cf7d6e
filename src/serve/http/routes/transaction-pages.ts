import type { FastifyInstance, FastifyRequest } from "fastify";
import { ServiceError } from "../../../kernel/error.ts";
import { type Hash, readPastedHash } from "../../../kernel/hex.ts";
import { drawingPolicy, pageHeaders } from "../../web/links.ts";
import { lostMessage, renderTroublePage } from "../../web/trouble-page.ts";
import { acceptsType, prefersJson } from "../accept.ts";
import { type AnswerContext, type AnswerRoute, addAnswerRoute } from "../answer-route.ts";
import { createTroubleSender, htmlType } from "../send-page.ts";
import { jsonType } from "../tagged-response.ts";
import { createTransactionAnswers, type PageMaker, type SoldPage } from "../transaction-answers.ts";

/** Constraint that separates requests for JSON from others. */
const wanted = "wanted";

/** `GET /tx/<hash>` (page, or JSON if preferred), `.svg`, `.json`; text around the hash is allowed. Metered like an explanation. */
export function addTransactionPages(app: FastifyInstance, context: AnswerContext, maker: PageMaker): void {
  chooseByAccept(app);
  const page = createTransactionAnswers("page", maker);
  const answer = createTransactionAnswers("answer", maker);
  const shared = { method: "GET", resource: "/tx", read: readHashInPath, asksInBody: false } as const;
  const vary = { vary: "Accept" };
  const json: Omit<Route, "path"> = { ...shared, answers: answer, contentType: jsonType };
  addAnswerRoute(
    app,
    {
      ...{ ...shared, answers: page, path: "/tx/:hash", contentType: htmlType, headers: { ...pageHeaders, ...vary } },
      ...{ accepts: acceptsType("text/html"), sendChallengeOrFailure: sendTrouble },
    },
    context,
  );
  addAnswerRoute(app, { ...json, path: "/tx/:hash", headers: vary, constraints: { [wanted]: "json" } }, context);
  addAnswerRoute(app, { ...json, path: "/tx/:hash.json" }, context);
  addAnswerRoute(
    app,
    {
      ...{ ...shared, answers: createTransactionAnswers("drawing", maker), path: "/tx/:hash.svg" },
      ...{ accepts: acceptsType("image/svg+xml"), contentType: "image/svg+xml; charset=utf-8" },
      headers: { ...pageHeaders, "content-security-policy": drawingPolicy },
    },
    context,
  );
}

type Route = AnswerRoute<Hash, SoldPage>;

/** The JSON route gets requests whose Accept prefers JSON. */
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
  const text = (params as { hash: string }).hash;
  const hash = readPastedHash(text);
  if (hash === undefined) throw new ServiceError("invalid_tx_hash");
  // Only .svg and .json exist.
  if (/[0-9a-f]{64}\.[0-9a-z]+$/i.test(text)) throw new ServiceError("not_found");
  return hash;
}

/** With the asked text, to be corrected. */
const sendTrouble = createTroubleSender(({ error, message, retryable }, { url }) => {
  if (error === "not_found")
    return renderTroublePage({ code: error, message: lostMessage, retryable, query: readPastedHash(url) ?? "" });
  const query = decodeURIComponentSafely(url.replace(/^\/tx\/|\?.*$/g, ""));
  return renderTroublePage({ code: error, message, retryable, query });
});

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
