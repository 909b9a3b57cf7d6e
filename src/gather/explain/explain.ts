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
  /** First round trip: the draft. Rejects with ServiceError. */
  fetch(hash: Hash, signal: AbortSignal): Promise<Fetched>;
  /** Decodes the draft once. */
  plan(draft: CaseFile, signal: AbortSignal, asker?: Asker): MaybePromise<LookupPlan>;
  /** Second round trip; silent sources are marked in the case file. */
  lookUp(fetched: Fetched, plan: LookupPlan, signal: AbortSignal): Promise<CaseFile>;
  /** Pure. A large case is decided in another thread. */
  decide(caseFile: CaseFile, signal: AbortSignal, asker?: Asker): MaybePromise<Decision>;
  /** Size of the work, from 1; absent: all counts alike. */
  measure?(draft: CaseFile): number;
  /** Throws TooLargeNow where a case of this size would be refused now. `leftMs`: its time. */
  admit?(size: number, leftMs: number, asker?: Asker): void;
}

/** `body`: UTF-8 JSON; `etag`: its quoted hash. */
export interface Answer {
  /** `recording`: no source of the network gave the transaction. */
  source: "network" | "recording";
  explanation: Explanation;
  evidence: Evidence;
  body: Buffer;
  etag: string;
}

export interface ExaminedCase {
  answer: Answer;
  caseFile: CaseFile;
}

export interface Explainer {
  /**
   * Concurrent calls for a hash share one run, in the place of the first asker; it ends when the last `signal` has fired. Rejects with
   * ServiceError `transaction_not_found`, `transaction_pending`, `upstream_unavailable` or `overloaded`, and with CaseFileError for a
   * broken recording.
   */
  explain(hash: Hash, signal?: AbortSignal, asker?: Asker): Promise<Answer>;
  /** Undefined also where it is from a recording and the network is online now. */
  cached(hash: Hash): Answer | undefined;
  /** As `explain`. */
  examine(hash: Hash, signal?: AbortSignal, asker?: Asker): Promise<ExaminedCase>;
  /** Remembered; case files are forgotten sooner than answers. */
  examined(hash: Hash): ExaminedCase | undefined;
  /** Without memory and recordings. Rejects with ServiceError. */
  gather(hash: Hash): Promise<CaseFile>;
  /** Asks no source, remembers nothing. */
  replay(caseFile: CaseFile): MaybePromise<Answer>;
  /** Running work ends with `upstream_unavailable`. */
  close(): void;
}

export interface ExplainerOptions {
  stages: Stages;
  /** null: none. */
  recordings: Recordings | null;
  /** Whether a source is known to answer; else recordings are used at once. */
  isOnline?: () => boolean;
  cacheBytes: number;
  /** For gathering one case, with the wait for a place. */
  deadlineMs?: number;
  work?: WorkQueueOptions;
  clock?: Clock;
}

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

  /** A recording is used while no source answers, and where the network does not give the transaction. */
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
 * Within `deadlineMs` from now, with the wait for a place. The signal for deciding fires a little later, so that what was gathered last is
 * explained.
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

interface Found {
  hash: Hash;
  caseFile: CaseFile;
  source: Answer["source"];
}

/** A recording is used then. Nodes may keep only recent blocks: `transaction_not_found` proves nothing. */
const missingCodes: readonly ErrorCode[] = ["upstream_unavailable", "transaction_not_found", "overloaded"];

/** Keys are in the model's order: equal explanations are equal bytes. */
function serialise({ explanation, evidence }: Decision, source: Answer["source"]): Answer {
  // Evidence is built now. If it were built later, all data of deciding would stay in memory until then.
  return { source, explanation, evidence: evidence(), ...tagged(JSON.stringify(explanation)) };
}

/** UTF-8. */
export function tagged(content: string | Buffer): { body: Buffer; etag: string } {
  const body = typeof content === "string" ? Buffer.from(content) : content;
  return { body, etag: entityTag(body) };
}

/** Strong: quoted, 162 bits of the SHA-256. */
export function entityTag(body: Buffer): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
}
