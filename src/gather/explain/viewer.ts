import { openDeadline, unlessAborted } from "../../kernel/abort.ts";
import { type Address, readAddress } from "../../kernel/address.ts";
import type { Asker } from "../../kernel/asker.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { MaybePromise } from "../../kernel/maybe-promise.ts";
import { transferTopic } from "../../kernel/token-standards.ts";
import { addressOfWord, isAddressWord } from "../../kernel/word.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { ViewedDecision } from "../../model/decision.ts";
import type { AccountView } from "../../model/told/account-view.ts";
import type { LookUpView } from "../lookup/view/view-lookup.ts";
import type { Clock } from "../network/health/endpoint-health.ts";
import type { ExaminedCase, Explainer } from "./explain.ts";
import { createViewMemory, type ViewAnswer, type ViewQuestion } from "./view-memory.ts";

export interface ViewerOptions {
  explainer: Pick<Explainer, "examine" | "examined">;
  /** Pure; a large case in another thread. */
  decide(caseFile: CaseFile, signal?: AbortSignal, asker?: Asker): MaybePromise<ViewedDecision>;
  lookUp: LookUpView;
  cacheBytes: number;
  /** For the lookups of a page. */
  pageWaitMs?: number;
  clock?: Clock;
}

/** Views of accounts, with prices and balances. */
export type Viewer = ReturnType<typeof createViewer>;

export function createViewer(options: ViewerOptions) {
  const { explainer, decide, lookUp, cacheBytes, pageWaitMs = serviceLimits.pagePricesMs, clock = Date } = options;
  const memory = createViewMemory({ explainer, cacheBytes, clock });

  /** With prices and balances of the assets that the first view lists. */
  async function fillIn(caseFile: CaseFile, first: AccountView, signal?: AbortSignal): Promise<CaseFile> {
    const fungible = first.balance_changes.filter(({ standard }) => standard === "erc20");
    const tokens = fungible.flatMap(({ token_address }) => readAddress(token_address) ?? []);
    const account = readAddress(first.account) as Address;
    return lookUp(caseFile, { account, tokens, passed: transferredBy(account, caseFile) }, signal);
  }

  async function complete(caseFile: CaseFile, account: Address | null, signal?: AbortSignal, asker?: Asker) {
    const { view } = await decide(caseFile, signal, asker);
    const file = await fillIn(caseFile, await view(account), signal);
    return { file, view: await view(account, file.view) };
  }

  return {
    known: memory.recall,
    /**
     * Of the account whose act is told. Waits a moment for prices and balances; late ones are remembered for the next call. A recording has
     * none.
     */
    async ofAct({ answer: { source }, caseFile }: ExaminedCase, tell: ViewedDecision["view"]): Promise<AccountView> {
      const question: ViewQuestion = { hash: caseFile.tx_hash, account: null };
      const known = memory.recall(question);
      if (known !== undefined) return known.view;
      const first = await tell(null);
      if (source === "recording" || first.balance_changes.length === 0) return first;
      const lookAgain = async () => {
        const file = await fillIn(caseFile, first);
        return memory.keep(question, await tell(null, file.view), { source, file });
      };
      const late = memory.share(question, lookAgain).then((made) => made.view);
      const deadline = openDeadline(pageWaitMs);
      return unlessAborted(late, deadline.signal, () => first)
        .catch(() => first)
        .finally(() => deadline.end());
    },
    /** Of any account. Rejects as `explain`. */
    async view(question: ViewQuestion, signal?: AbortSignal, asker?: Asker): Promise<ViewAnswer> {
      const { answer, caseFile } = await explainer.examine(question.hash, signal, asker);
      const { file, view } = await complete(caseFile, question.account, signal, asker);
      return memory.keep(question, view, { source: answer.source, file });
    },
  };
}

/** Fungible Transfers from or to the account. Logs may lie. */
function transferredBy(account: Address, { receipt: { logs } }: CaseFile): Address[] {
  return logs.flatMap(({ address, topics: [topic, ...words] }) => {
    const named = words.length === 2 && words.some((word) => isAddressWord(word) && addressOfWord(word) === account);
    return topic === transferTopic && named ? (readAddress(address) ?? []) : [];
  });
}
