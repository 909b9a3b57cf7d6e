import {
  asksAboutMessage,
  type MessageAnswer,
  type MessagePreviewer,
  type MessageQuestion,
  nameOfMessage,
  readMessageQuestion,
} from "../../gather/preview/message-preview.ts";
import type { Previewer } from "../../gather/preview/preview.ts";
import type { PreviewAnswer } from "../../gather/preview/preview-answer.ts";
import { nameOfRequest, type PreviewRequest, readPreviewRequest } from "../../gather/preview/preview-request.ts";
import { ServiceError } from "../../kernel/error.ts";
import type { Preview } from "../../model/told/preview.ts";
import type { AnswerKind } from "./answer-kind.ts";

export type PreviewQuestion =
  | { kind: "transaction"; request: PreviewRequest }
  | { kind: "message"; question: MessageQuestion };

export type PreviewKind = AnswerKind<PreviewQuestion, PreviewAnswer | MessageAnswer>;

/** Throws ServiceError `invalid_preview`. */
export function readPreviewQuestion(fields: Readonly<Record<string, unknown>>): PreviewQuestion {
  return asksAboutMessage(fields)
    ? { kind: "message", question: readMessageQuestion(fields) }
    : { kind: "transaction", request: readPreviewRequest(fields) };
}

export function createPreviews(previewer: Previewer, messages: MessagePreviewer = noMessages): PreviewKind {
  const nameOf = (asked: PreviewQuestion) =>
    asked.kind === "message" ? nameOfMessage(asked.question) : nameOfRequest(asked.request);
  return {
    event: "preview",
    isPasted: true,
    nameOf,
    fieldsOf: (asked) => ({ request: nameOf(asked).slice(0, 24) }),
    known: (asked) => (asked.kind === "message" ? undefined : previewer.cached(asked.request)),
    make: (asked, signal, asker) =>
      asked.kind === "message"
        ? messages.explain(asked.question, signal, asker)
        : previewer.preview(asked.request, signal, asker),
    contentOf: (answer) => ("message" in answer ? answer.message : answer.preview),
    resultOf: (answer) => ("message" in answer ? "success" : resultOf(answer.preview)),
    resultIn: (body) => resultOf(JSON.parse(body) as Preview),
  };
}

const noMessages: MessagePreviewer = {
  explain: () => Promise.reject(new ServiceError("invalid_preview", "Messages are not explained here.")),
};

/** Simulated or not. */
function resultOf({ outcome }: Pick<Preview, "outcome">): "success" | "reverted" {
  return outcome === "reverted" ? "reverted" : "success";
}
