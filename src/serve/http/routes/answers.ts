import type { FastifyInstance } from "fastify";
import type { Viewer } from "../../../gather/explain/viewer.ts";
import { ServiceError } from "../../../kernel/error.ts";
import { readHash } from "../../../kernel/hex.ts";
import { serviceLimits } from "../../../kernel/limits.ts";
import { createViews } from "../../service/mined-answers.ts";
import { type PreviewKind, readPreviewQuestion } from "../../service/preview-answers.ts";
import { type AnswerContext, addAnswerRoute } from "../answer-route.ts";
import { readExplainRequest, readJsonBody, readViewRequest } from "../explain-request.ts";

export function addExplainRoute(app: FastifyInstance, context: AnswerContext): void {
  const { explanations: answers, evidence } = context.service;
  const route = {
    ...({ answers, method: "POST", path: "/explain", resource: "/explain", asksInBody: true } as const),
    read: ({ body, headers }: Parameters<typeof readViewRequest>[0]) => readExplainRequest(body, headers),
    otherAnswers: ({ query }: { query: unknown }) => (asksEvidence(query) ? evidence.beside : undefined),
  };
  addAnswerRoute(app, route, context);
}

/** `?evidence=1`; other values are refused, so that nobody takes one form for the other. Throws ServiceError. */
function asksEvidence(query: unknown): boolean {
  const { evidence } = query as { evidence?: string };
  if (evidence !== undefined && evidence !== "1" && evidence !== "0")
    throw new ServiceError("invalid_request", "evidence is 1 or 0.");
  return evidence === "1";
}

/** `GET /tx/<hash>/evidence`: rules, logs and calls. */
export function addEvidenceRoute(app: FastifyInstance, context: AnswerContext): void {
  const route = {
    ...({
      answers: context.service.evidence.alone,
      method: "GET",
      path: "/tx/:hash/evidence",
      resource: "/tx",
    } as const),
    read({ params }: { params: unknown }) {
      const hash = readHash((params as { hash: string }).hash);
      if (hash === undefined) throw new ServiceError("invalid_tx_hash");
      return hash;
    },
    asksInBody: false,
  };
  addAnswerRoute(app, route, context);
}

/** `POST /view`: one account. */
export function addViewRoute(app: FastifyInstance, viewer: Viewer, context: AnswerContext): void {
  const answers = createViews(viewer);
  const route = {
    answers,
    method: "POST",
    path: "/view",
    resource: "/view",
    asksInBody: true,
    read: readViewRequest,
  } as const;
  addAnswerRoute(app, route, context);
}

/** `POST /preview`: before signing. */
export function addPreviewRoute(app: FastifyInstance, answers: PreviewKind, context: AnswerContext): void {
  const route = {
    ...({ answers, method: "POST", path: "/preview", resource: "/preview", asksInBody: true } as const),
    bodyLimit: serviceLimits.previewBodyBytesMax,
    read: ({ body, headers }: Parameters<typeof readViewRequest>[0]) =>
      readPreviewQuestion(readJsonBody(body, headers)),
  };
  addAnswerRoute(app, route, context);
}
