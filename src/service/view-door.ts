import type { ViewAnswer, ViewQuestion } from "../explain/view-memory.ts";
import type { Viewer } from "../explain/viewer.ts";
import type { AccountView } from "../model/told/account-view.ts";
import type { Door } from "./door.ts";

/** Views of accounts. */
export function createViewDoor(viewer: Pick<Viewer, "known" | "view">): Door<ViewQuestion, ViewAnswer> {
  return {
    event: "view",
    nameOf: ({ hash, account }) => `view:${hash}:${account ?? ""}`,
    fieldsOf: ({ hash }) => ({ tx_hash: hash }),
    known: (question) => viewer.known(question),
    make: (question, signal) => viewer.view(question, signal),
    contentOf: ({ view }) => view,
    resultOf: ({ view }) => view.status,
    resultIn: (body) => (JSON.parse(body) as AccountView).status,
  };
}
