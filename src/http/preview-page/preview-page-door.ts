import { entityTag } from "../../explain/explain.ts";
import type { MaybePromise } from "../../kernel/maybe-promise.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { PicturedDecision } from "../../model/decision.ts";
import type { Door } from "../../service/door.ts";
import type { PreviewDoor, PreviewQuestion } from "../../service/preview-door.ts";
import { renderMessagePage } from "../../web/preview/message-page.ts";
import type { PreviewForm } from "../../web/preview/preview-form.ts";
import { renderPreviewPage } from "../../web/preview/preview-page.ts";
import type { SoldPage } from "../transaction-door.ts";

/** What somebody pasted, and what it asks. */
export interface PastedQuestion {
  question: PreviewQuestion;
  form: PreviewForm;
}

/** Previews as pages: made from the answers of another door. `decide` tells again what a picture needs. */
export function createPreviewPageDoor(
  previews: PreviewDoor,
  decide: (caseFile: CaseFile, signal?: AbortSignal) => MaybePromise<PicturedDecision>,
): Door<PastedQuestion, SoldPage> {
  return {
    event: "preview.page",
    // A page and an answer are two different bodies, so each is bought by itself.
    nameOf: ({ question }) => `page:${previews.nameOf(question)}`,
    fieldsOf: ({ question }) => previews.fieldsOf(question),
    known: () => undefined,
    async make({ question, form }, signal) {
      const answer = await previews.make(question, signal);
      const status = previews.resultOf(answer) === "reverted" ? "reverted" : "success";
      const sell = (page: string): SoldPage => {
        const body = Buffer.from(page);
        return { body, etag: entityTag(body), source: answer.source, status };
      };
      if (question.kind === "message" && "message" in answer)
        return sell(renderMessagePage({ message: answer.message, signer: question.question.from, form }));
      if (!("preview" in answer)) throw new TypeError("a transaction is answered by a preview");
      const { preview, evidence, caseFile } = answer;
      const { pictureFacts } = await decide(caseFile, signal);
      return sell(renderPreviewPage({ preview, evidence, facts: pictureFacts(), form }));
    },
    contentOf: () => ({}),
    resultOf: ({ status }) => status,
    // A page that was bought earlier is not read again: it was sold because there was an answer.
    resultIn: () => "success",
  };
}
