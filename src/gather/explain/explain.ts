import { createHash } from "node:crypto";
import { openDeadline } from "../../kernel/abort.ts";
import type { Asker } from "../../kernel/asker.ts";
import { type ErrorCode, ServiceError } from "../../kernel/error.ts";
import type { Hash } from "../../kernel/hex.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import { andThen, type MaybePromise } from "../../kernel/maybe-promise.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Decision } from "../../model/decision.ts";
import type { Evidence } from "../../model/evidence.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { LookupPlan } from "../../model/lookup-plan.ts";
import type { Fetched } from "../fetch/fetch.ts";
import type { Clock } from "../network/health/endpoint-health.ts";
import type { Recordings } from "../recordings/recordings.ts";
import { createAnswerMemory } from "./answer-memory.ts";
import { caseLifetime, lifetimes } from "./lifetime.ts";
import { createSharedRuns } from "./shared-runs.ts";
import { createWorkQueue, type WorkQueue, type WorkQueueOptions } from "./work-queue.ts";

/**
 * The stages of an explanation, in order. Each stage takes values, returns new ones, and has a folder of the same name.
 *
 *   Hash ── fetch ──▶ Fetched ── plan ──▶ LookupPlan ── lookUp ──▶ CaseFile ── decide ──▶ Decision
 *
 * `decide` consists of further stages: normalize → unwrap → match → settle → assess → present.
 */
export interface Stages {
  /**
   * First round trip: transaction, receipt and, if an endpoint gives it, a trace, as the draft of a case file. Rejects with ServiceError.
   */
  fetch(hash: Hash, signal: AbortSignal): Promise<Fetched>;
  /** Decodes the draft once and plans all further questions. */
  plan(draft: CaseFile, signal: AbortSignal, asker?: Asker): MaybePromise<LookupPlan>;
  /** Second round trip and risk lookups: completes the draft. Sources that did not answer are marked in the case file. */
  lookUp(fetched: Fetched, plan: LookupPlan, signal: AbortSignal): Promise<CaseFile>;
  /** Explains the case file. Pure: no network, no clock. A large case is explained in another thread. */
  decide(caseFile: CaseFile, signal: AbortSignal, asker?: Asker): MaybePromise<Decision>;
  /** How large the work on a draft is: 1 or more. Without it, all work counts alike. */
  measure?(draft: CaseFile): number;
  /** Throws TooLargeNow where a case of this size, which has `leftMs` milliseconds, would be refused now. */
  admit?(size: number, leftMs: number, asker?: Asker): void;
}

/** An explanation as it is served. `body` is the UTF-8 JSON, made once; `etag` is its quoted hash. */
export interface Answer {
  /** The source of its case file. A recording is used only where no source of the network gave the transaction. */
  source: "network" | "recording";
  explanation: Explanation;
  evidence: Evidence;
  body: Buffer;
  etag: string;
}

/** An answer with its case file, for callers that tell more about a transaction than its explanation. */
export interface ExaminedCase {
  answer: Answer;
  caseFile: CaseFile;
}

export interface Explainer {
  /**
   * Explains a transaction. Concurrent calls for one hash share one run, which takes the place of the first asker. `signal` ends the wait
   * of this caller; the run itself ends when nobody waits for it any more. Rejects with ServiceError `transaction_not_found`,
   * `transaction_pending`, `upstream_unavailable`, or
   * `overloaded` where too much work is running, and with CaseFileError for a broken recording.
   */
  explain(hash: Hash, signal?: AbortSignal, asker?: Asker): Promise<Answer>;
  /**
   * The remembered answer, without waiting. Undefined when there is none, or when it came from a recording and the network is online now.
   */
  cached(hash: Hash): Answer | undefined;
  /** Like `explain`, but with the case file. */
  examine(hash: Hash, signal?: AbortSignal, asker?: Asker): Promise<ExaminedCase>;
  /** The remembered answer and case file, without waiting. Case files are forgotten sooner than answers. */
  examined(hash: Hash): ExaminedCase | undefined;
  /** Gathers a new case file from the network, without using memory or recordings. Rejects with ServiceError. */
  gather(hash: Hash): Promise<CaseFile>;
  /** Explains a case file that the caller already has. It asks no source and remembers nothing. */
  replay(caseFile: CaseFile): MaybePromise<Answer>;
  /** Ends all running work with `upstream_unavailable`. */
  close(): void;
}

export interface ExplainerOptions {
  stages: Stages;
  /** Recorded case files, used while no source of the network answers; null: none. */
  recordings: Recordings | null;
  /** Whether a source of the network is known to answer. While none is, recordings are used at once. */
  isOnline?: () => boolean;
  cacheBytes: number;
  /** Milliseconds for gathering one case file, including all endpoints and the wait for a free place. */
  deadlineMs?: number;
  /** How many transactions are gathered and decided at once, and how many may wait. */
  work?: WorkQueueOptions;
  clock?: Clock;
}

/** Joins the stages with the memory of answers and the limits on running work. */
export function createExplainer(options: ExplainerOptions): Explainer {
  const { stages, isOnline = () => false, cacheBytes, deadlineMs = 8_000, clock = Date } = options;
  const memory = createAnswerMemory<Answer>(cacheBytes, clock);
  const sharedRuns = createSharedRuns<Hash, ExaminedCase>({ callersMax: serviceLimits.callersMax });
  const closing = new AbortController();

  const run = createExamination(options, memory);
  const isCurrent = ({ source }: Answer) => source === "network" || !isOnline();

  function recall(hash: Hash): Answer | undefined {
    const answer = memory.recall(hash);
    return answer !== undefined && isCurrent(answer) ? answer : undefined;
  }

  function recallExamined(hash: Hash): ExaminedCase | undefined {
    const found = memory.recallExamined(hash);
    return found !== undefined && isCurrent(found.answer) ? found : undefined;
  }

  async function examine(hash: Hash, signal?: AbortSignal, asker?: Asker): Promise<ExaminedCase> {
    const known = recallExamined(hash);
    if (known !== undefined) return known;
    const failure = memory.failureOf(hash);
    if (failure !== undefined) throw new ServiceError(failure);
    const startRun = (ended: AbortSignal) => run(hash, ended, asker).catch((error) => memory.keepFailure(hash, error));
    return sharedRuns.join(hash, startRun, signal);
  }

  return {
    async gather(hash) {
      const deadline = openDeadline(deadlineMs, closing.signal);
      return gatherCase(stages, hash, deadline.signal).finally(() => deadline.end());
    },
    cached: recall,
    examine,
    examined: recallExamined,
    replay: (caseFile) =>
      andThen(stages.decide(caseFile, closing.signal), (decision) => serialise(decision, "recording")),
    close() {
      closing.abort();
      sharedRuns.close();
    },
    async explain(hash, signal, asker) {
      const known = recall(hash);
      return known ?? (await examine(hash, signal, asker)).answer;
    },
  };
}

type AnswerMemory = ReturnType<typeof createAnswerMemory<Answer>>;

/** Makes the function that gathers and decides one transaction and remembers the answer. The amount of work at once is limited. */
function createExamination(
  { stages, recordings, isOnline = () => false, deadlineMs = 8_000, clock = Date, work }: ExplainerOptions,
  memory: AnswerMemory,
): (hash: Hash, ended: AbortSignal, asker?: Asker) => Promise<ExaminedCase> {
  const queue = createWorkQueue(work ?? { runningMax: 64, waitingMax: 256 });

  async function conclude({ hash, caseFile, source }: Found, signal: AbortSignal, asker?: Asker) {
    const answer = serialise(await stages.decide(caseFile, signal, asker), source);
    // A recording never changes, so its answer may be kept even if a source was unavailable when it was made.
    const ttl = source === "network" ? caseLifetime(caseFile, clock.now()) : lifetimes.settled;
    memory.keep(hash, { answer, caseFile }, ttl);
    return { answer, caseFile };
  }

  async function explainOnline(hash: Hash, ended: AbortSignal, asker?: Asker): Promise<ExaminedCase> {
    const size = memory.tooLarge(hash);
    // It was gathered in vain a moment ago: it is gathered again only if there is time for it now.
    if (size !== undefined) stages.admit?.(size, deadlineMs, asker);
    return runInTime(queue, { deadlineMs, ended, asker }, async (gathering, deciding) => {
      asker?.check?.();
      const caseFile = await gatherCase(stages, hash, gathering, asker);
      return conclude({ hash, caseFile, source: "network" }, deciding, asker);
    });
  }

  /** Explains by the network. A recording is used while no source answers, and where the network does not give the transaction. */
  async function run(hash: Hash, ended: AbortSignal, asker?: Asker): Promise<ExaminedCase> {
    const recorded = await recordings?.find(hash);
    if (recorded === undefined) return explainOnline(hash, ended, asker);
    const found: Found = { hash, caseFile: recorded, source: "recording" };
    if (!isOnline()) return conclude(found, ended, asker);
    return explainOnline(hash, ended, asker).catch((error: unknown) => {
      if (error instanceof ServiceError && missingCodes.includes(error.code)) return conclude(found, ended, asker);
      throw error;
    });
  }

  return run;
}

async function gatherCase(stages: Stages, hash: Hash, signal: AbortSignal, asker?: Asker): Promise<CaseFile> {
  const fetched = await stages.fetch(hash, signal);
  asker?.spend?.(stages.measure?.(fetched.draft) ?? 1);
  const plan = await stages.plan(fetched.draft, signal, asker);
  return stages.lookUp(fetched, plan, signal);
}

/**
 * Runs work that must end within `deadlineMs` milliseconds from now, including the wait for a free place. The work gets two signals: one
 * for gathering, and one that fires a little later for deciding, so that what was gathered last is still explained.
 */
export async function runInTime<T>(
  queue: WorkQueue,
  { deadlineMs, ended, asker }: { deadlineMs: number; ended: AbortSignal; asker?: Asker | undefined },
  work: (gathering: AbortSignal, deciding: AbortSignal) => Promise<T>,
): Promise<T> {
  const deciding = openDeadline(deadlineMs + serviceLimits.decidingMs, ended);
  const gathering = openDeadline(deadlineMs, deciding.signal);
  // Work that starts after half of the time would not have enough time to end.
  const waiting = openDeadline(deadlineMs / 2, gathering.signal);
  try {
    return await queue.run(() => work(gathering.signal, deciding.signal), waiting.signal, asker);
  } finally {
    for (const one of [waiting, gathering, deciding]) one.end();
  }
}

/** A case file, and where it comes from. */
interface Found {
  hash: Hash;
  caseFile: CaseFile;
  source: Answer["source"];
}

/**
 * With one of these failures a recording is used. Some nodes keep only recent blocks, so `transaction_not_found` does not prove that there
 * is no such transaction.
 */
const missingCodes: readonly ErrorCode[] = ["upstream_unavailable", "transaction_not_found", "overloaded"];

/** The answer as it is served. Keys are written in the order of the model, so equal explanations are equal bytes. */
function serialise({ explanation, evidence }: Decision, source: Answer["source"]): Answer {
  // Evidence is built now. If it were built later, all data of deciding would stay in memory until then.
  return { source, explanation, evidence: evidence(), ...tagged(JSON.stringify(explanation)) };
}

/** A text (UTF-8) or bytes as they are served, with their entity tag. */
export function tagged(content: string | Buffer): { body: Buffer; etag: string } {
  const body = typeof content === "string" ? Buffer.from(content) : content;
  return { body, etag: entityTag(body) };
}

/** A strong entity tag: quoted, 162 bits of the body's SHA-256. */
export function entityTag(body: Buffer): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
}
