import { type Answer, type Explainer, tagged } from "../../gather/explain/explain.ts";
import type { ViewAnswer, ViewQuestion } from "../../gather/explain/view-memory.ts";
import type { Viewer } from "../../gather/explain/viewer.ts";
import type { Hash } from "../../kernel/hex.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { AccountView } from "../../model/told/account-view.ts";
import type { AnswerKind, Sold } from "./answer-kind.ts";

export function createExplanations(explainer: Explainer): AnswerKind<Hash, Answer> {
  return {
    event: "explain",
    nameOf: (hash) => hash,
    fieldsOf: (hash) => ({ tx_hash: hash }),
    known: (hash) => explainer.cached(hash),
    make: (hash, signal, asker) => explainer.explain(hash, signal, asker),
    contentOf: ({ explanation }) => explanation,
    resultOf: ({ explanation }) => explanation.status,
    resultIn: (body) => (JSON.parse(body) as Explanation).status,
  };
}

export function createViews(viewer: Pick<Viewer, "known" | "view">): AnswerKind<ViewQuestion, ViewAnswer> {
  return {
    event: "view",
    nameOf: ({ hash, account }) => `view:${hash}:${account ?? ""}`,
    fieldsOf: ({ hash }) => ({ tx_hash: hash }),
    known: (question) => viewer.known(question),
    make: (question, signal, asker) => viewer.view(question, signal, asker),
    contentOf: ({ view }) => view,
    resultOf: ({ view }) => view.status,
    resultIn: (body) => (JSON.parse(body) as AccountView).status,
  };
}

export interface EvidenceAnswer extends Sold {
  readonly content: { tx_hash: string } | Explanation;
  readonly status: Explanation["status"];
}

/** `beside`: the explanation with `evidence`. */
export function createEvidence(explainer: Explainer, form: "alone" | "beside"): AnswerKind<Hash, EvidenceAnswer> {
  const made = new WeakMap<Answer, EvidenceAnswer>();

  function evidenceOf(answer: Answer): EvidenceAnswer {
    const known = made.get(answer);
    if (known !== undefined) return known;
    const { explanation, evidence, source } = answer;
    const { tx_hash, status } = explanation;
    const content = form === "alone" ? { tx_hash, ...evidence } : { ...explanation, evidence };
    const told = { source, ...tagged(JSON.stringify(content)), content, status };
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
    make: async (hash, signal, asker) => evidenceOf(await explainer.explain(hash, signal, asker)),
    contentOf: ({ content }) => content,
    resultOf: ({ status }) => status,
    // The body of `alone` has no status, so a reverted transaction counts as `success` here.
    resultIn: (body) => (JSON.parse(body) as Partial<Explanation>).status ?? "success",
  };
}
