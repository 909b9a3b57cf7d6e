import type { Preview } from "../model/told/preview.ts";
import type { Previewer } from "../preview/preview.ts";
import type { PreviewAnswer } from "../preview/preview-answer.ts";
import { nameOfRequest, type PreviewRequest } from "../preview/preview-request.ts";
import type { Door } from "./door.ts";

/** Previews, as the previewer makes and remembers them for a moment. */
export function createPreviewDoor(previewer: Previewer): Door<PreviewRequest, PreviewAnswer> {
  return {
    event: "preview",
    nameOf: nameOfRequest,
    fieldsOf: (request) => ({ request: nameOfRequest(request).slice(0, 24) }),
    known: (request) => previewer.cached(request),
    make: (request, signal) => previewer.preview(request, signal),
    contentOf: ({ preview }) => preview,
    resultOf: ({ preview }) => resultOf(preview),
    resultIn: (body) => resultOf(JSON.parse(body) as Preview),
  };
}

/** What was answered counts as answered, simulated or not. */
function resultOf({ outcome }: Preview): "success" | "reverted" {
  return outcome === "reverted" ? "reverted" : "success";
}
