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
  decide: (caseFile: CaseFile) => Decision;
  /** Milliseconds for which the answer to this case may be given again; 0 while asking again could tell more. */
  lifetime: (caseFile: CaseFile) => number;
  /** Memory for answers. */
  cacheBytes: number;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** What deciding gives: `evidence` is built on demand. */
interface Decision {
  explanation: Explanation;
  evidence(): Evidence;
}

/** The spine: gather, then decide. Concurrent requests for one hash share one run; failures are never remembered. */
export function createExplainer(options: ExplainerOptions): Explainer {
  const { gather, decide, lifetime, cacheBytes: maxSize, now = Date.now } = options;
  const expiry = { ttl: 1, ttlResolution: 0, perf: { now } };
  const answers = new LRUCache<Hash, Answer>({ ...expiry, maxSize, sizeCalculation: weigh });
  const running = new Map<Hash, Promise<Answer>>();

  async function run(hash: Hash): Promise<Answer> {
    const caseFile = await gather(hash);
    const answer = serialise(decide(caseFile));
    const ttl = lifetime(caseFile);
    if (ttl > 0) answers.set(hash, answer, { ttl });
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

/** Keys keep the order of the model, so equal explanations are equal bytes. */
function serialise({ explanation, evidence }: Decision): Answer {
  const body = Buffer.from(JSON.stringify(explanation));
  // Evidence is made now: made later it would hold on to everything that deciding worked with.
  return { explanation, evidence: evidence(), body, etag: entityTag(body) };
}

/** A strong entity tag: quoted, 162 bits of the body's SHA-256. */
export function entityTag(body: Buffer): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
}

/** Bytes of an answer in memory, roughly: the objects and the doors' copies beside the body are about eight times its size. */
function weigh(answer: Answer): number {
  return answer.body.length * 9 + 1024;
}
