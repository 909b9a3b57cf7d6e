import type { FastifyInstance, FastifyRequest } from "fastify";
import { tagged } from "../../../gather/explain/explain.ts";
import { ServiceError } from "../../../kernel/error.ts";
import { serviceLimits } from "../../../kernel/limits.ts";
import type { AnswerKind } from "../../service/answer-kind.ts";
import { type PreviewKind, type PreviewQuestion, readPreviewQuestion } from "../../service/preview-answers.ts";
import { pageHeaders, paths } from "../../web/links.ts";
import { renderMessagePage } from "../../web/preview/message-page.ts";
import { type PreviewForm, renderPreviewTrouble } from "../../web/preview/preview-form.ts";
import { renderPreviewPage } from "../../web/preview/preview-page.ts";
import { troubleTitle } from "../../web/trouble-page.ts";
import { acceptsType } from "../accept.ts";
import { type AnswerContext, addAnswerRoute } from "../answer-route.ts";
import { createTroubleSender, htmlType } from "../send-page.ts";
import type { PageMaker, SoldPage } from "../transaction-answers.ts";
import { readPastedRequest } from "./pasted-request.ts";

const formType = "application/x-www-form-urlencoded";

/** `POST /preview/page`: a page, metered like POST /preview. Only what is paid for is stored, for a day. */
export function addPreviewPage(
  app: FastifyInstance,
  context: AnswerContext,
  previews: PreviewKind,
  decide: Decide,
): void {
  // Somebody who opens the address of an answer again gets the form.
  app.get(paths.previewed, (_request, reply) => reply.redirect(paths.preview, 303));
  // No other path reads forms.
  app.register((scope, _options, done) => {
    scope.addContentTypeParser(formType, { parseAs: "string" }, (_request, body, read) => read(null, body));
    addAnswerRoute(
      scope,
      {
        ...({ method: "POST", path: paths.previewed, resource: "/preview" } as const),
        answers: createPreviewPages(previews, decide),
        bodyLimit: serviceLimits.previewBodyBytesMax,
        read: readQuestion,
        asksInBody: false,
        accepts: acceptsType("text/html"),
        contentType: htmlType,
        headers: { ...pageHeaders, "cache-control": "no-store" },
        sendChallengeOrFailure: createTroubleSender(({ error, message, retryable }, { body }) =>
          renderPreviewTrouble({ title: troubleTitle(error), code: error, message, retryable }, formIn(body)),
        ),
      },
      context,
    );
    done();
  });
}

function readQuestion({ body, headers }: FastifyRequest): PastedQuestion {
  const type = headers["content-type"] ?? "";
  if (!type.toLowerCase().startsWith(formType))
    throw new ServiceError(
      "unsupported_media_type",
      "This path takes the form of GET /preview; programs ask POST /preview.",
    );
  const form = formIn(body);
  return { question: readPreviewQuestion(readPastedRequest(form.request, form.from)), form };
}

function formIn(body: unknown): PreviewForm {
  const fields = new URLSearchParams(typeof body === "string" ? body : "");
  return { request: fields.get("request") ?? "", from: (fields.get("from") ?? "").slice(0, 200) };
}

export interface PastedQuestion {
  question: PreviewQuestion;
  form: PreviewForm;
}

type Decide = PageMaker["decide"];

/** `decide`: for facts that the picture needs. */
export function createPreviewPages(previews: PreviewKind, decide: Decide): AnswerKind<PastedQuestion, SoldPage> {
  return {
    event: "preview.page",
    isPasted: true,
    // A page and a JSON answer are different bodies, so each is bought separately.
    nameOf: ({ question }) => `page:${previews.nameOf(question)}`,
    fieldsOf: ({ question }) => previews.fieldsOf(question),
    known: () => undefined,
    async make({ question, form }, signal, asker) {
      const answer = await previews.make(question, signal, asker);
      const status = previews.resultOf(answer) === "reverted" ? "reverted" : "success";
      const sell = (page: string): SoldPage => ({ ...tagged(page), source: answer.source, status });
      if (question.kind === "message" && "message" in answer)
        return sell(renderMessagePage({ message: answer.message, signer: question.question.from, form }));
      if (!("preview" in answer)) throw new TypeError("a transaction is answered by a preview");
      const { preview, evidence, caseFile } = answer;
      const { pictureFacts } = await decide(caseFile, signal, asker);
      return sell(renderPreviewPage({ preview, evidence, facts: pictureFacts(), form }));
    },
    contentOf: () => ({}),
    resultOf: ({ status }) => status,
    // A page that was bought earlier is not parsed. It was sold because there was an answer.
    resultIn: () => "success",
  };
}
