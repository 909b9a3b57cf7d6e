import type { Answer, Explainer } from "../explain/explain.ts";
import type { Hash } from "../kernel/hex.ts";
import type { Explanation } from "../model/explanation.ts";
import type { Door } from "./door.ts";

/** Explanations, as the explainer makes and remembers them. */
export function createExplainDoor(explainer: Explainer): Door<Hash, Answer> {
  return {
    event: "explain",
    nameOf: (hash) => hash,
    fieldsOf: (hash) => ({ tx_hash: hash }),
    known: (hash) => explainer.cached(hash),
    make: (hash, signal) => explainer.explain(hash, signal),
    contentOf: ({ explanation }) => explanation,
    resultOf: ({ explanation }) => explanation.status,
    resultIn: (body) => (JSON.parse(body) as Explanation).status,
  };
}
