// Runs in a worker thread. It decides one case after the other with an engine of its own, which it loads from the given folders.
import { parentPort, threadId, workerData } from "node:worker_threads";
import type { Address } from "../kernel/address.ts";
import type { CaseFile, ViewLookups } from "../model/case-file.ts";
import type { Evidence } from "../model/evidence.ts";
import type { Explanation } from "../model/explanation.ts";
import type { LookupPlan } from "../model/lookup-plan.ts";
import type { AccountView } from "../model/told/account-view.ts";
import type { PictureFacts } from "../model/told/picture-facts.ts";
import type { ToldPreview } from "../model/told/preview.ts";
import { type EngineFolders, openEngine } from "./engine.ts";
import type { DecidedCase } from "./spine.ts";

/** A request to the thread: decide a case, make a view of one that it decided (`id`), or plan the lookups of a draft. */
export type ThreadRequest =
  | { what: "decide"; caseFile: CaseFile }
  | { what: "view"; id: string; caseFile: CaseFile; account: Address | null; lookups: ViewLookups | undefined }
  | { what: "plan"; draft: CaseFile; lookupsMax: number | undefined };

/** The thread's answer, or the message of the error. `ready` comes once, when the rules are loaded. */
export type ThreadReply =
  | { what: "ready" }
  | {
      what: "decided";
      /** Also unique among threads that replace one another. */
      id: string;
      explanation: Explanation;
      preview?: ToldPreview;
      evidence: Evidence;
      facts: PictureFacts;
    }
  | { what: "viewed"; view: AccountView }
  | { what: "planned"; plan: LookupPlan }
  | { what: "failed"; message: string };

const engine = openEngine(workerData as EngineFolders);
/** The case that was decided last: views are mostly asked of it. */
let last: { id: string; decided: DecidedCase } | undefined;
let count = 0;

parentPort?.on("message", (request: ThreadRequest) => {
  parentPort?.postMessage(answer(request));
});
parentPort?.postMessage({ what: "ready" } satisfies ThreadReply);

function answer(request: ThreadRequest): ThreadReply {
  try {
    if (request.what === "plan")
      return { what: "planned", plan: engine.planLookups(request.draft, request.lookupsMax) };
    if (request.what === "view") {
      const { id, caseFile, account, lookups } = request;
      const decided = last?.id === id ? last.decided : engine.decide(caseFile);
      return { what: "viewed", view: decided.view(account, lookups) };
    }
    const decided = engine.decide(request.caseFile);
    last = { id: `${threadId}.${++count}`, decided };
    const { explanation, preview, evidence, pictureFacts } = decided;
    const told = { explanation, ...(preview && { preview }), evidence: evidence(), facts: pictureFacts() };
    return { what: "decided", id: last.id, ...told };
  } catch (error) {
    return { what: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
