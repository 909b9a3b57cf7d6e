import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Fetched } from "../fetch/fetch.ts";
import { unlessAborted } from "../kernel/abort.ts";
import { type ErrorCode, ServiceError } from "../kernel/error.ts";
import type { Hash } from "../kernel/hex.ts";
import { andThen, type MaybePromise } from "../kernel/maybe-promise.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { Decision } from "../model/decision.ts";
import type { Evidence } from "../model/evidence.ts";
import type { Explanation } from "../model/explanation.ts";
import type { LookupPlan } from "../model/lookup-plan.ts";
import type { Clock } from "../network/health/endpoint-health.ts";
import type { Recordings } from "../recordings/recordings.ts";
import { caseLifetime, failureLifetime, lifetimes } from "./lifetime.ts";

/**
 * The whole way of a transaction, in order. Every stage takes values, returns new ones, and has a folder of its own name.
 *
 *   Hash ── fetch ──▶ Fetched ── plan ──▶ LookupPlan ── lookUp ──▶ CaseFile ── decide ──▶ Decision
 *
 * `decide` is itself a row of stages: normalize → unwrap → match → settle → assess → present.
 */
export interface Stages {
  /** First round trip: transaction, receipt and perhaps a trace, as the draft of a case file. Rejects with ServiceError. */
  fetch(hash: Hash, signal: AbortSignal): Promise<Fetched>;
  /** Decodes the draft once and says what else to ask for. */
  plan(draft: CaseFile): MaybePromise<LookupPlan>;
  /** Second round trip and risk lookups: completes the draft. What did not answer is marked in the case file. */
  lookUp(fetched: Fetched, plan: LookupPlan, signal: AbortSignal): Promise<CaseFile>;
  /** Explains the case file. Pure: no network, no clock. A large one is explained in another thread. */
  decide(caseFile: CaseFile): MaybePromise<Decision>;
}

/** One explanation as it is served. `body` is the UTF-8 JSON, made once; `etag` is its quoted hash. */
export interface Answer {
  /** Where its case file comes from: the network, or a recording because no source of the network gave it. */
  source: "network" | "recording";
  explanation: Explanation;
  evidence: Evidence;
  body: Buffer;
  etag: string;
}

export interface Explainer {
  /**
   * Explains a transaction. Concurrent calls for one hash share one run; `signal` ends the wait of this caller only. Rejects
   * with ServiceError `transaction_not_found`, `transaction_pending` or `upstream_unavailable`, and with CaseFileError for a
   * broken recording.
   */
  explain(hash: Hash, signal?: AbortSignal): Promise<Answer>;
  /** The remembered answer, without waiting; undefined when there is none, or when the network may know better now. */
  cached(hash: Hash): Answer | undefined;
  /** Gathers a new case file from the network, past memory and recordings. Rejects with ServiceError. */
  gather(hash: Hash): Promise<CaseFile>;
  /** Explains a case file that the caller has. Nothing is asked or remembered. */
  replay(caseFile: CaseFile): MaybePromise<Answer>;
  /** Ends what is under way with `upstream_unavailable`. */
  close(): void;
}

export interface ExplainerOptions {
  stages: Stages;
  /** Case files for the time when no source of the network answers; null: none. */
  recordings: Recordings | null;
  /** Whether a source of the network is known to answer. While none is, recordings answer at once. */
  isOnline?: () => boolean;
  /** Memory for answers. */
  cacheBytes: number;
  /** Milliseconds for gathering one case file, all endpoints together. */
  deadlineMs?: number;
  clock?: Clock;
}

/** Puts the stages together, with the only memory of answers. */
export function createExplainer(options: ExplainerOptions): Explainer {
  const { stages, recordings, isOnline = () => false, cacheBytes: maxSize, deadlineMs = 8_000, clock = Date } = options;
  const expiry = { ttl: 1, ttlResolution: 0, perf: clock };
  const answers = new LRUCache<Hash, Answer>({ ...expiry, maxSize, sizeCalculation: weigh });
  // Failures live apart, so that a flood of unknown hashes cannot push out any answer.
  const failures = new LRUCache<Hash, ServiceError>({ ...expiry, max: 10_000 });
  const running = new Map<Hash, Promise<Answer>>();
  const closing = new AbortController();

  async function gather(hash: Hash): Promise<CaseFile> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(deadlineMs)]);
    const fetched = await stages.fetch(hash, signal);
    const plan = await stages.plan(fetched.draft);
    return stages.lookUp(fetched, plan, signal);
  }

  async function run(hash: Hash): Promise<Answer> {
    const { caseFile, source } = await findCase(hash, { recordings, isOnline, gather });
    const answer = serialise(await stages.decide(caseFile), source);
    // A recording never changes, however much was unavailable when it was made.
    const ttl = source === "network" ? caseLifetime(caseFile, clock.now()) : lifetimes.settled;
    if (ttl > 0) answers.set(hash, answer, { ttl });
    return answer;
  }

  function recall(hash: Hash): Answer | undefined {
    const answer = answers.get(hash);
    return answer?.source === "recording" && isOnline() ? undefined : answer;
  }

  function remember(hash: Hash, error: unknown): never {
    const ttl = error instanceof ServiceError ? failureLifetime(error) : 0;
    if (error instanceof ServiceError && ttl > 0) failures.set(hash, error, { ttl });
    throw error;
  }

  return {
    gather,
    cached: recall,
    replay: (caseFile) => andThen(stages.decide(caseFile), (decision) => serialise(decision, "recording")),
    close: () => closing.abort(),
    async explain(hash, signal) {
      const known = recall(hash) ?? failures.get(hash);
      if (known instanceof ServiceError) throw known;
      if (known !== undefined) return known;
      const shared =
        running.get(hash) ??
        run(hash)
          .catch((error: unknown) => remember(hash, error))
          .finally(() => running.delete(hash));
      running.set(hash, shared);
      return unlessAborted(shared, signal, () => {
        throw new ServiceError("upstream_unavailable", undefined, { retryAfterSeconds: 5 });
      });
    },
  };
}

/** The network's case file. While no source answers, and when none has the transaction after all: the recording, if there is one. */
async function findCase(
  hash: Hash,
  {
    recordings,
    isOnline,
    gather,
  }: Required<Pick<ExplainerOptions, "recordings" | "isOnline">> & Pick<Explainer, "gather">,
): Promise<{ caseFile: CaseFile; source: Answer["source"] }> {
  const recorded = await recordings?.find(hash);
  if (recorded !== undefined && !isOnline()) return { caseFile: recorded, source: "recording" };
  try {
    return { caseFile: await gather(hash), source: "network" };
  } catch (error) {
    const missing = error instanceof ServiceError && missingCodes.includes(error.code);
    if (recorded === undefined || !missing) throw error;
    return { caseFile: recorded, source: "recording" };
  }
}

/** Some nodes keep only young blocks, so a source that answers may still not know an old transaction. */
const missingCodes: readonly ErrorCode[] = ["upstream_unavailable", "transaction_not_found"];

/** Keys keep the order of the model, so equal explanations are equal bytes. */
function serialise({ explanation, evidence }: Decision, source: Answer["source"]): Answer {
  const body = Buffer.from(JSON.stringify(explanation));
  // Evidence is made now: made later it would hold on to everything that deciding worked with.
  return { source, explanation, evidence: evidence(), body, etag: entityTag(body) };
}

/** A strong entity tag: quoted, 162 bits of the body's SHA-256. */
export function entityTag(body: Buffer): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
}

/** Bytes of an answer in memory, roughly: the objects and the copies of the transports are about eight times the body. */
function weigh(answer: Answer): number {
  return answer.body.length * 9 + 1024;
}
