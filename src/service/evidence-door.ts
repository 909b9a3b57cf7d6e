import { type Answer, type Explainer, entityTag } from "../explain/explain.ts";
import type { Hash } from "../kernel/hex.ts";
import type { Explanation } from "../model/explanation.ts";
import type { Door, Sold } from "./door.ts";

/** What an explanation rests on, as it is sold. */
export interface EvidenceAnswer extends Sold {
  readonly content: { tx_hash: string } | Explanation;
  readonly status: Explanation["status"];
}

/**
 * Evidence of explanations. `alone`: only what an explanation rests on; `beside`: the explanation with one more field, `evidence`.
 */
export function createEvidenceDoor(explainer: Explainer, form: "alone" | "beside"): Door<Hash, EvidenceAnswer> {
  const made = new WeakMap<Answer, EvidenceAnswer>();

  function evidenceOf(answer: Answer): EvidenceAnswer {
    const known = made.get(answer);
    if (known !== undefined) return known;
    const { explanation, evidence, source } = answer;
    const { tx_hash, status } = explanation;
    const content = form === "alone" ? { tx_hash, ...evidence } : { ...explanation, evidence };
    const body = Buffer.from(JSON.stringify(content));
    const told = { source, body, etag: entityTag(body), content, status };
    made.set(answer, told);
    return told;
  }

  return {
    event: "evidence",
    nameOf: (hash) => `evidence:${form}:${hash}`,
    fieldsOf: (hash) => ({ tx_hash: hash }),
    known(hash) {
      const answer = explainer.cached(hash);
      return answer && evidenceOf(answer);
    },
    make: async (hash, signal) => evidenceOf(await explainer.explain(hash, signal)),
    contentOf: ({ content }) => content,
    resultOf: ({ status }) => status,
    // The body of `alone` has no status: a reverted transaction is not told apart here.
    resultIn: (body) => (JSON.parse(body) as Partial<Explanation>).status ?? "success",
  };
}
