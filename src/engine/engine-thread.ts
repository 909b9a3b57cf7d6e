import { Worker } from "node:worker_threads";
import { isTimeUp } from "../kernel/abort.ts";
import type { Asker } from "../kernel/asker.ts";
import { ServiceError, TooLargeNow } from "../kernel/error.ts";
import { serviceLimits } from "../kernel/limits.ts";
import type { MaybePromise } from "../kernel/maybe-promise.ts";
import type { CaseFile, CaseFileV1, RpcFrame } from "../model/case-file.ts";
import type { ViewedDecision } from "../model/decision.ts";
import type { LookupPlan } from "../model/lookup-plan.ts";
import type { Engine } from "./build-engine.ts";
import type { EngineFolders } from "./engine.ts";
import type { ThreadReply, ThreadRequest } from "./thread-entry.ts";
import { type ThreadJob, ThreadQueue } from "./thread-queue.ts";

/** An engine that decides large cases in worker threads, so that other requests do not wait for them. */
export interface ThreadedEngine {
  /**
   * Decides a case. The answer is the same in either thread. Rejects with ServiceError `internal`, or with `overloaded` if too many cases
   * wait, or the time does not suffice for this one. A thread that still works at the deadline of its signal is ended. A case that was
   * decided is remembered as long as its object lives.
   */
  decide(caseFile: CaseFile, signal?: AbortSignal, asker?: Asker): MaybePromise<ViewedDecision>;
  /** As {@link Engine.planLookups}; rejects as `decide` does. What is planned here is decided without a further admission. */
  planLookups(draft: CaseFile, lookupsMax?: number, signal?: AbortSignal, asker?: Asker): MaybePromise<LookupPlan>;
  /** {@link sizeOfCase} of a case that goes to a thread; 1 of all others. */
  measure(draft: CaseFile): number;
  /** Throws TooLargeNow where a case of this size ({@link sizeOfCase}), which has `leftMs` milliseconds, would be refused now. */
  admit(size: number, leftMs: number, asker?: Asker): void;
  /** Ends the threads. Cases that wait for them are rejected with `upstream_unavailable`. */
  close(): void;
}

interface ThreadOptions {
  isLarge?(caseFile: CaseFile): boolean;
  entry?: URL;
}

/** The published package has `.js` files. */
const threadEntry = new URL(`./thread-entry${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/**
 * Opens the engine. There is a thread for cases that are a little too large to be decided here, and one for the largest, so that nobody
 * waits for a case that is much larger than the own. Each is started with its first case. Tests may give `isLarge` and `entry`.
 */
export function openThreadedEngine(
  engine: Pick<Engine, "decide" | "planLookups">,
  folders: EngineFolders,
  { isLarge: goesToThread = isLarge, entry = threadEntry }: ThreadOptions = {},
): ThreadedEngine {
  const [medium, largest] = [new EngineThread(folders, entry), new EngineThread(folders, entry)];
  const threadFor = (size: number) => (size > serviceLimits.mediumSizeMax ? largest : medium);
  const decided = new WeakMap<CaseFile, Decided>();
  const decideThere = async (caseFile: CaseFile, signal?: AbortSignal, asker?: Asker): Promise<ViewedDecision> => {
    const size = sizeOfCase(caseFile);
    const thread = threadFor(size);
    const known = decided.get(caseFile) ?? (await decideBy(thread, caseFile, { size, signal, asker }));
    decided.set(caseFile, known);
    // A view may be asked for after the caller has its answer, so it has no deadline.
    return decisionOf(thread, known, caseFile, { size, signal: undefined, asker });
  };
  return {
    decide: (caseFile, signal, asker) =>
      goesToThread(caseFile) ? decideThere(caseFile, signal, asker) : engine.decide(caseFile),
    planLookups(draft, lookupsMax, signal, asker) {
      if (!goesToThread(draft)) return engine.planLookups(draft, lookupsMax);
      const size = sizeOfCase(draft);
      return planBy(threadFor(size), { what: "plan", draft, lookupsMax }, { size, signal, asker });
    },
    measure: (draft) => (goesToThread(draft) ? Math.max(1, sizeOfCase(draft)) : 1),
    admit: (size, leftMs, asker) => threadFor(size).admit(size, leftMs, asker),
    close() {
      medium.close();
      largest.close();
    },
  };
}

type Terms = Pick<ThreadJob, "size" | "signal" | "asker">;

type Decided = Extract<ThreadReply, { what: "decided" }>;

async function decideBy(thread: EngineThread, caseFile: CaseFile, terms: Terms): Promise<Decided> {
  const reply = await thread.ask({ what: "decide", caseFile }, terms);
  if (reply.what !== "decided") throw failure(reply);
  return reply;
}

function decisionOf(thread: EngineThread, decided: Decided, caseFile: CaseFile, terms: Terms): ViewedDecision {
  const { id, explanation, preview, evidence, facts } = decided;
  return {
    ...{ explanation, ...(preview && { preview }), evidence: () => evidence, pictureFacts: () => facts },
    async view(account, lookups) {
      const viewed = await thread.ask({ what: "view", id, caseFile, account, lookups }, terms);
      if (viewed.what !== "viewed") throw failure(viewed);
      return viewed.view;
    },
  };
}

async function planBy(
  thread: EngineThread,
  request: Extract<ThreadRequest, { what: "plan" }>,
  terms: Terms,
): Promise<LookupPlan> {
  const reply = await thread.ask(request, terms);
  if (reply.what !== "planned") throw failure(reply);
  return reply.plan;
}

function failure(reply: ThreadReply): ServiceError {
  const cause = new Error(reply.what === "failed" ? reply.message : "an answer to another question");
  return new ServiceError("internal", undefined, { cause });
}

/**
 * One worker thread, which is kept for later cases and works on one case at a time. If it dies, or is ended at the deadline of its case,
 * only that case fails, and a new worker is started for the next.
 */
class EngineThread {
  readonly #folders: EngineFolders;
  readonly #entry: URL;
  readonly #queue = new ThreadQueue();
  #worker: Worker | undefined;
  #running: ThreadJob | undefined;
  /** Whether the worker has loaded its rules. */
  #isReady = false;

  constructor(folders: EngineFolders, entry: URL) {
    this.#folders = folders;
    this.#entry = entry;
    this.#queue.onFree = () => this.#next();
  }

  admit(size: number, leftMs: number, asker: Asker | undefined): void {
    this.#queue.admit({ size, leftMs, asker });
  }

  /** Asks the thread. Where the signal fires because its caller left, work that has begun is finished. */
  ask(request: ThreadRequest, terms: Terms): Promise<ThreadReply> {
    const { tx_hash: hash } = request.what === "plan" ? request.draft : request.caseFile;
    return new Promise((resolve, reject) => {
      this.#queue.add({ ...terms, request, hash, resolve, reject });
      this.#next();
    });
  }

  close(): void {
    const jobs = [this.#running, ...this.#queue.clear()];
    this.#running = undefined;
    void this.#worker?.terminate();
    this.#worker = undefined;
    for (const job of jobs) job?.reject(new ServiceError("upstream_unavailable", undefined, { retryAfterSeconds: 5 }));
  }

  #next(): void {
    if (this.#running !== undefined) return;
    // Loading the rules takes a while, so no case has its turn, and none is ended, before that.
    if (this.#queue.isEmpty || this.#worker === undefined || !this.#isReady) {
      this.#await();
      return;
    }
    const job = this.#queue.start();
    if (job === undefined) return;
    this.#running = job;
    this.#worker.ref();
    this.#worker.postMessage(job.request);
    const { signal } = job;
    signal?.addEventListener("abort", () => isTimeUp(signal) && this.#endAtDeadline(job), { once: true });
  }

  /** Starts the worker where a case waits for it. Otherwise an idle thread does not keep the process alive. */
  #await(): void {
    if (this.#queue.isEmpty) {
      this.#worker?.unref();
      return;
    }
    this.#worker ??= this.#start();
    this.#worker.ref();
  }

  /** Ends the worker where it still works on this job. A new one starts with the next case. */
  #endAtDeadline(job: ThreadJob): void {
    if (this.#running !== job) return;
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
    this.#takeRunning()?.reject(new TooLargeNow(Number.POSITIVE_INFINITY, serviceLimits.tooLargeMs));
    this.#next();
  }

  #takeRunning(): ThreadJob | undefined {
    const job = this.#running;
    this.#running = undefined;
    if (job !== undefined) this.#queue.end();
    return job;
  }

  #start(): Worker {
    const { rulesDir, labelsDir } = this.#folders;
    const resourceLimits = { maxOldGenerationSizeMb: serviceLimits.threadHeapMb };
    const worker = new Worker(this.#entry, { workerData: { rulesDir, labelsDir }, resourceLimits });
    let cause: unknown;
    this.#isReady = false;
    worker.on("message", (reply: ThreadReply) => {
      if (this.#worker !== worker) return;
      if (reply.what === "ready") this.#isReady = true;
      else this.#takeRunning()?.resolve(reply);
      this.#next();
    });
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", () => {
      // This thread was closed on purpose.
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      // Where the rules could not be loaded, a waiting case fails, and the next one tries again.
      const failed = this.#isReady ? this.#takeRunning() : this.#queue.start();
      if (!this.#isReady && failed !== undefined) this.#queue.end();
      failed?.reject(new ServiceError("internal", undefined, { cause }));
      this.#next();
    });
    return worker;
  }
}

/** Whether deciding a case may block the event loop for too long. This check itself stops as soon as a limit is passed. */
export function isLarge({ transaction, receipt, trace }: CaseFile | CaseFileV1): boolean {
  const { logs } = receipt;
  if (logs.length > serviceLimits.hereLogsMax) return true;
  if ((transaction.authorizationList?.length ?? 0) > serviceLimits.hereAuthorizationsMax) return true;
  let digits = transaction.input.length;
  for (const log of logs) digits += log.data.length;
  if (digits > serviceLimits.hereBytesMax * 2) return true;
  return "root" in trace && hasMoreFrames(trace.root);
}

/**
 * How large a case is: the sum of its logs, call frames, bytes and authorizations, each as a share of what is decided here at most. So
 * 1 is about the largest case that is decided without another thread, and the time for deciding grows with this number.
 */
function sizeOfCase({ transaction, receipt, trace }: CaseFile | CaseFileV1): number {
  let frames = 0;
  let digits = transaction.input.length;
  for (const log of receipt.logs) digits += log.data.length;
  const open: RpcFrame[] = "root" in trace ? [trace.root] : [];
  for (let frame = open.pop(); frame !== undefined; frame = open.pop()) {
    frames++;
    digits += frame.input?.length ?? 0;
    for (const call of frame.calls ?? []) open.push(call);
  }
  const { hereLogsMax, hereFramesMax, hereBytesMax, hereAuthorizationsMax } = serviceLimits;
  const authorizations = (transaction.authorizationList?.length ?? 0) / hereAuthorizationsMax;
  return receipt.logs.length / hereLogsMax + frames / hereFramesMax + digits / 2 / hereBytesMax + authorizations;
}

function hasMoreFrames(root: RpcFrame): boolean {
  const open: RpcFrame[] = [root];
  let frames = 1;
  let digits = 0;
  for (let frame = open.pop(); frame !== undefined; frame = open.pop()) {
    frames += frame.calls?.length ?? 0;
    digits += frame.input?.length ?? 0;
    if (frames > serviceLimits.hereFramesMax || digits > serviceLimits.hereBytesMax * 2) return true;
    for (const call of frame.calls ?? []) open.push(call);
  }
  return false;
}
