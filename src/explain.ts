import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Hash } from "./kernel/hex.ts";
import type { CaseFile } from "./model/case-file.ts";
import type { Evidence } from "./model/evidence.ts";
import type { Explanation } from "./model/explanation.ts";

/** One explanation as every door serves it. `body` is the UTF-8 JSON, made once; `etag` is its quoted hash. */
export interface Answer {
  explanation: Explanation;
  evidence: Evidence;
  body: Buffer;
  etag: string;
}

export interface Explainer {
  /** Gathers and decides, or answers from memory. Rejects with ServiceError. */
  explain(hash: Hash): Promise<Answer>;
  /** The remembered answer, without waiting; undefined when there is none. */
  cached(hash: Hash): Answer | undefined;
}

export interface ExplainerOptions {
  gather: (hash: Hash) => Promise<CaseFile>;
  decide: (caseFile: CaseFile) => { explanation: Explanation; evidence: Evidence };
  /** Memory for answers. */
  cacheBytes: number;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** The spine: gather, then decide. Concurrent requests for one hash share one run; failures are never remembered. */
export function createExplainer({ gather, decide, cacheBytes, now = Date.now }: ExplainerOptions): Explainer {
  const answers = new LRUCache<Hash, Answer>({
    maxSize: cacheBytes,
    sizeCalculation: weigh,
    ttl: settledTtlMs,
    ttlResolution: 1000,
    perf: { now },
  });
  const running = new Map<Hash, Promise<Answer>>();

  async function run(hash: Hash): Promise<Answer> {
    const caseFile = await gather(hash);
    const answer = serialise(decide(caseFile));
    answers.set(hash, answer, { ttl: isSettled(caseFile, now()) ? settledTtlMs : unsettledTtlMs });
    return answer;
  }

  return {
    cached: (hash) => answers.get(hash),
    explain(hash) {
      const known = answers.get(hash);
      if (known !== undefined) return Promise.resolve(known);
      const started = running.get(hash) ?? run(hash).finally(() => running.delete(hash));
      running.set(hash, started);
      return started;
    },
  };
}

const settledTtlMs = 24 * 3600 * 1000;
const unsettledTtlMs = 15 * 1000;
/** Base blocks are final on Ethereum well within this time. */
const finalAfterMs = 30 * 60 * 1000;

/** Keys keep the order of the model, so equal explanations are equal bytes. */
function serialise(decision: { explanation: Explanation; evidence: Evidence }): Answer {
  const body = Buffer.from(JSON.stringify(decision.explanation));
  return { ...decision, body, etag: entityTag(body) };
}

/** A strong entity tag: quoted, 160 bits of the body's SHA-256. */
export function entityTag(body: Buffer): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
}

/** Bytes of an answer in memory, roughly: the objects and a door's copy beside the body are about four times its size. */
function weigh(answer: Answer): number {
  return answer.body.length * 5 + 1024;
}

/** False while asking again could tell more: the block may still be reorganized, or a source did not answer. */
function isSettled(caseFile: CaseFile, nowMs: number): boolean {
  const seconds = caseFile.block.timestamp === undefined ? Number.NaN : Number(caseFile.block.timestamp);
  if (!(nowMs - seconds * 1000 > finalAfterMs)) return false;
  if (caseFile.trace.source === "none" || caseFile.price.status === "unavailable") return false;
  const lookups = [...Object.values(caseFile.tokens), ...caseFile.reads];
  return lookups.every((lookup) => lookup.status !== "unavailable");
}
