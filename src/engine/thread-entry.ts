// Runs in a worker thread. It decides one case after the other with an engine of its own, which it loads from the given folders.
import { parentPort, workerData } from "node:worker_threads";
import type { Address } from "../kernel/address.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { Evidence } from "../model/evidence.ts";
import type { Explanation } from "../model/explanation.ts";
import type { LookupPlan } from "../model/lookup-plan.ts";
import type { AccountView } from "../model/told/account-view.ts";
import type { PictureFacts } from "../model/told/picture-facts.ts";
import type { ToldPreview } from "../model/told/preview.ts";
import { type EngineFolders, openEngine } from "./engine.ts";

/** A request to the thread: decide a case, make a view of it, or plan the lookups of its draft. */
export type ThreadRequest =
  | { what: "decide"; caseFile: CaseFile }
  | { what: "view"; caseFile: CaseFile; account: Address | null }
  | { what: "plan"; draft: CaseFile; lookupsMax: number | undefined };

/** The thread's answer, or the message of the error. */
export type ThreadReply =
  | { what: "decided"; explanation: Explanation; preview?: ToldPreview; evidence: Evidence; facts: PictureFacts }
  | { what: "viewed"; view: AccountView }
  | { what: "planned"; plan: LookupPlan }
  | { what: "failed"; message: string };

const engine = openEngine(workerData as EngineFolders);

parentPort?.on("message", (request: ThreadRequest) => {
  parentPort?.postMessage(answer(request));
});

function answer(request: ThreadRequest): ThreadReply {
  try {
    if (request.what === "plan")
      return { what: "planned", plan: engine.planLookups(request.draft, request.lookupsMax) };
    if (request.what === "view") return { what: "viewed", view: engine.view(request.caseFile, request.account) };
    const { evidence, pictureFacts, ...decided } = engine.decide(request.caseFile);
    return { what: "decided", ...decided, evidence: evidence(), facts: pictureFacts() };
  } catch (error) {
    return { what: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
