import { Worker } from "node:worker_threads";
import { ServiceError } from "../kernel/error.ts";
import { serviceLimits } from "../kernel/limits.ts";
import type { MaybePromise } from "../kernel/maybe-promise.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { ViewedDecision } from "../model/decision.ts";
import type { LookupPlan } from "../model/lookup-plan.ts";
import type { Engine } from "./build-engine.ts";
import type { EngineFolders } from "./engine.ts";
import { isLarge } from "./large-case.ts";
import type { ThreadReply, ThreadRequest } from "./thread-entry.ts";

/** An engine that decides large cases in a worker thread, so that other requests do not wait for them. */
export interface ThreadedEngine {
  /**
   * Decides a case. The answer is the same in either thread. Rejects with ServiceError `internal`, or with `overloaded` if too many cases
   * wait or the signal fires before this case has its turn.
   */
  decide(caseFile: CaseFile, signal?: AbortSignal): MaybePromise<ViewedDecision>;
  /** As {@link Engine.planLookups}; rejects as `decide` does. */
  planLookups(draft: CaseFile, lookupsMax?: number, signal?: AbortSignal): MaybePromise<LookupPlan>;
  /** Ends the thread. Cases that wait for it are rejected with `upstream_unavailable`. */
  close(): void;
}

interface ThreadOptions {
  isLarge?(caseFile: CaseFile): boolean;
  entry?: URL;
}

/** The published package has `.js` files. */
const threadEntry = new URL(`./thread-entry${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** Opens the engine. The thread is started with the first large case. Tests may give `isLarge` and `entry`. */
export function openThreadedEngine(
  engine: Pick<Engine, "decide" | "planLookups">,
  folders: EngineFolders,
  { isLarge: goesToThread = isLarge, entry = threadEntry }: ThreadOptions = {},
): ThreadedEngine {
  const thread = new EngineThread(folders, entry);
  return {
    decide: (caseFile, signal) =>
      goesToThread(caseFile) ? decideBy(thread, caseFile, signal) : engine.decide(caseFile),
    planLookups: (draft, lookupsMax, signal) =>
      goesToThread(draft)
        ? planBy(thread, { what: "plan", draft, lookupsMax }, signal)
        : engine.planLookups(draft, lookupsMax),
    close: () => thread.close(),
  };
}

async function decideBy(thread: EngineThread, caseFile: CaseFile, signal?: AbortSignal): Promise<ViewedDecision> {
  const reply = await thread.ask({ what: "decide", caseFile }, signal);
  if (reply.what !== "decided") throw failure(reply);
  const { id, explanation, preview, evidence, facts } = reply;
  return {
    ...{ explanation, ...(preview && { preview }), evidence: () => evidence, pictureFacts: () => facts },
    async view(account, lookups) {
      const viewed = await thread.ask({ what: "view", id, caseFile, account, lookups }, signal);
      if (viewed.what !== "viewed") throw failure(viewed);
      return viewed.view;
    },
  };
}

async function planBy(thread: EngineThread, request: ThreadRequest, signal?: AbortSignal): Promise<LookupPlan> {
  const reply = await thread.ask(request, signal);
  if (reply.what !== "planned") throw failure(reply);
  return reply.plan;
}

function failure(reply: ThreadReply): ServiceError {
  const cause = new Error(reply.what === "failed" ? reply.message : "an answer to another question");
  return new ServiceError("internal", undefined, { cause });
}

interface Job {
  request: ThreadRequest;
  resolve(reply: ThreadReply): void;
  reject(error: ServiceError): void;
}

/**
 * One worker thread, which is kept for later cases and works on one case at a time. If it dies, only that case fails, and a new worker is
 * started for the next.
 */
class EngineThread {
  readonly #folders: EngineFolders;
  readonly #entry: URL;
  readonly #waiting: Set<Job> = new Set();
  #worker: Worker | undefined;
  #running: Job | undefined;

  constructor(folders: EngineFolders, entry: URL) {
    this.#folders = folders;
    this.#entry = entry;
  }

  /** Asks the thread. The signal ends only the wait: once the thread works on a case, it finishes it. */
  ask(request: ThreadRequest, signal?: AbortSignal): Promise<ThreadReply> {
    if (signal?.aborted || this.#waiting.size >= serviceLimits.largeWaitingMax)
      return Promise.reject(new ServiceError("overloaded", undefined, { retryAfterSeconds: 5 }));
    return new Promise((resolve, reject) => {
      const job: Job = { request, resolve, reject };
      const drop = () => {
        if (this.#waiting.delete(job)) reject(new ServiceError("overloaded", undefined, { retryAfterSeconds: 5 }));
      };
      signal?.addEventListener("abort", drop, { once: true });
      this.#waiting.add(job);
      this.#next();
    });
  }

  close(): void {
    const jobs = [this.#running, ...this.#waiting];
    this.#running = undefined;
    this.#waiting.clear();
    void this.#worker?.terminate();
    this.#worker = undefined;
    for (const job of jobs) job?.reject(new ServiceError("upstream_unavailable", undefined, { retryAfterSeconds: 5 }));
  }

  #next(): void {
    if (this.#running !== undefined) return;
    [this.#running] = this.#waiting;
    if (this.#running === undefined) {
      // An idle thread does not keep the process alive.
      this.#worker?.unref();
      return;
    }
    this.#waiting.delete(this.#running);
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(this.#running.request);
  }

  #start(): Worker {
    const { rulesDir, labelsDir } = this.#folders;
    const worker = new Worker(this.#entry, { workerData: { rulesDir, labelsDir } });
    let cause: unknown;
    worker.on("message", (reply: ThreadReply) => {
      const job = this.#running;
      this.#running = undefined;
      job?.resolve(reply);
      this.#next();
    });
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", () => {
      // This thread was closed on purpose.
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      const job = this.#running;
      this.#running = undefined;
      job?.reject(new ServiceError("internal", undefined, { cause }));
      this.#next();
    });
    return worker;
  }
}
