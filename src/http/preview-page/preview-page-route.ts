import type { FastifyInstance, FastifyRequest } from "fastify";
import { ServiceError } from "../../kernel/error.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import { type PreviewDoor, readPreviewQuestion } from "../../service/preview-door.ts";
import { pageHeaders, paths } from "../../web/links.ts";
import { type PreviewForm, renderPreviewTrouble } from "../../web/preview/preview-form.ts";
import { troubleTitle } from "../../web/trouble-page.ts";
import { acceptsType } from "../accept.ts";
import { addDoorRoute, type DoorContext } from "../door-route.ts";
import { createTroubleSender, htmlType } from "../send-page.ts";
import type { PageMaker } from "../transaction-door.ts";
import { readPastedRequest } from "./pasted-request.ts";
import { createPreviewPageDoor, type PastedQuestion } from "./preview-page-door.ts";

const formType = "application/x-www-form-urlencoded";

/** `POST /preview/page`: the form of `GET /preview`, answered by a page. It is metered like POST /preview. Nothing is stored. */
export function addPreviewPage(
  app: FastifyInstance,
  context: DoorContext,
  { previews, decide }: { previews: PreviewDoor; decide: PageMaker["decide"] },
): void {
  // Whoever comes back to the address of an answer finds the form.
  app.get(paths.previewed, (_request, reply) => reply.redirect(paths.preview, 303));
  // No other path reads forms.
  app.register((scope, _options, done) => {
    scope.addContentTypeParser(formType, { parseAs: "string" }, (_request, body, read) => read(null, body));
    addDoorRoute(
      scope,
      {
        ...({ method: "POST", path: paths.previewed, resource: "/preview" } as const),
        door: createPreviewPageDoor(previews, decide),
        bodyLimit: serviceLimits.previewBodyBytesMax,
        read: readQuestion,
        asksPrice: () => false,
        accepts: acceptsType("text/html"),
        contentType: htmlType,
        headers: { ...pageHeaders, "cache-control": "no-store" },
        sendUnanswered: createTroubleSender(({ error, message, retryable }, { body }) =>
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
