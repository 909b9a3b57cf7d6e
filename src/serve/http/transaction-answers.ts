import { LRUCache } from "lru-cache";
import { type Answer, type ExaminedCase, type Explainer, tagged } from "../../gather/explain/explain.ts";
import type { Viewer } from "../../gather/explain/viewer.ts";
import type { Asker } from "../../kernel/asker.ts";
import type { Hash } from "../../kernel/hex.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { MaybePromise } from "../../kernel/maybe-promise.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { ViewedDecision } from "../../model/decision.ts";
import { pictureFile } from "../picture/picture.ts";
import type { AnswerKind, Sold } from "../service/answer-kind.ts";
import { renderTransactionPage } from "../web/transaction-page.ts";

export interface PageMaker {
  explainer: Explainer;
  /** For facts that the answer lacks; a large case in another thread. */
  decide(caseFile: CaseFile, signal?: AbortSignal, asker?: Asker): MaybePromise<ViewedDecision>;
  /** With prices; absent: none. */
  viewer?: Pick<Viewer, "ofAct"> | undefined;
}

export interface SoldPage extends Sold {
  status: "success" | "reverted";
}

type Form = "page" | "drawing" | "answer";

/** In the ledger: different bodies, bought separately. */
const ledgerNames: Readonly<Record<Form, string>> = { page: "tx", drawing: "tx.svg", answer: "tx.json" };

/** From what the explainer remembers. A page is made anew each time: prices may have come. */
export function createTransactionAnswers(
  form: Form,
  { explainer, decide, viewer }: PageMaker,
): AnswerKind<Hash, SoldPage> {
  const drawings = openDrawings(explainer);
  return {
    event: ledgerNames[form],
    nameOf: (hash) => `${ledgerNames[form]}:${hash}`,
    fieldsOf: (hash) => ({ tx_hash: hash }),
    known: (hash) => (form === "answer" ? answerOf(explainer.cached(hash)) : drawings.recall(hash)),
    async make(hash, signal, asker) {
      const examined = await explainer.examine(hash, signal, asker);
      if (form === "answer") return answerOf(examined.answer) as SoldPage;
      const { explanation, pictureFacts, view } = await decide(examined.caseFile, signal, asker);
      const pictured = { explanation, facts: pictureFacts() };
      if (form === "drawing") return drawings.keep(hash, examined.answer, toSold(examined, pictureFile(pictured)));
      const { evidence, source } = examined.answer;
      const viewed = await (viewer === undefined ? view(null) : viewer.ofAct(examined, view));
      return toSold(examined, renderTransactionPage({ ...pictured, evidence, source, view: viewed }));
    },
    contentOf: ({ body }) => JSON.parse(body.toString()) as object,
    resultOf: ({ status }) => status,
    // A page that was bought earlier is not parsed. It was sold because there was an answer.
    resultIn: () => "success",
  };
}

/** As long as the explainer remembers their answer. */
function openDrawings(explainer: Pick<Explainer, "cached">) {
  const kept = new LRUCache<Hash, { answer: Answer; drawing: SoldPage }>({
    ...{ ttl: drawingMs, maxSize: serviceLimits.drawingBytesMax },
    sizeCalculation: ({ drawing }) => drawing.body.length + 1024,
  });
  return {
    recall(hash: Hash): SoldPage | undefined {
      const found = kept.get(hash);
      return found !== undefined && found.answer === explainer.cached(hash) ? found.drawing : undefined;
    },
    keep(hash: Hash, answer: Answer, drawing: SoldPage): SoldPage {
      kept.set(hash, { answer, drawing });
      return drawing;
    },
  };
}

const drawingMs = 60_000;

function toSold({ answer: { source, explanation } }: ExaminedCase, text: string): SoldPage {
  return { ...tagged(text), source, status: explanation.status };
}

function answerOf(answer: Answer | undefined): SoldPage | undefined {
  if (answer === undefined) return undefined;
  const { body, etag, source, explanation } = answer;
  return { body, etag, source, status: explanation.status };
}
