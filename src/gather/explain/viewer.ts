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
  /** Decides a case, so that views of it can be made. Pure; a large case is decided in another thread. */
  decide(caseFile: CaseFile, signal?: AbortSignal, asker?: Asker): MaybePromise<ViewedDecision>;
  lookUp: LookUpView;
  cacheBytes: number;
  /** How many milliseconds a page waits for the lookups. */
  pageWaitMs?: number;
  clock?: Clock;
}

/** Makes views of accounts: from the case file of the explanation, and prices and balances of the account. */
export type Viewer = ReturnType<typeof createViewer>;

/** Makes the viewer. Nothing is looked up until a view is asked for. */
export function createViewer(options: ViewerOptions) {
  const { explainer, decide, lookUp, cacheBytes, pageWaitMs = serviceLimits.pagePricesMs, clock = Date } = options;
  const memory = createViewMemory({ explainer, cacheBytes, clock });

  /** The case file with prices and balances added, for the assets that a first view without them lists. */
  async function fillIn(caseFile: CaseFile, first: AccountView, signal?: AbortSignal): Promise<CaseFile> {
    const fungible = first.balance_changes.filter(({ standard }) => standard === "erc20");
    const tokens = fungible.flatMap(({ token_address }) => readAddress(token_address) ?? []);
    const account = readAddress(first.account) as Address;
    return lookUp(caseFile, { account, tokens, passed: transferredBy(account, caseFile) }, signal);
  }

  /** The view with what was looked up for it, and the case file with that added. */
  async function complete(caseFile: CaseFile, account: Address | null, signal?: AbortSignal, asker?: Asker) {
    const { view } = await decide(caseFile, signal, asker);
    const file = await fillIn(caseFile, await view(account), signal);
    return { file, view: await view(account, file.view) };
  }

  return {
    /** The remembered view, without waiting. */
    known: memory.recall,
    /**
     * The view of the account whose act is told, for a case that was just decided. It waits only a moment for prices and balances; if they
     * come later, they are remembered for the next call. Without a network it asks for none.
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
    /** The view of any account. Rejects with ServiceError, as `explain` does. */
    async view(question: ViewQuestion, signal?: AbortSignal, asker?: Asker): Promise<ViewAnswer> {
      const { answer, caseFile } = await explainer.examine(question.hash, signal, asker);
      const { file, view } = await complete(caseFile, question.account, signal, asker);
      return memory.keep(question, view, { source: answer.source, file });
    },
  };
}

/** Tokens with a fungible Transfer log from or to the account. The logs may lie. */
function transferredBy(account: Address, { receipt: { logs } }: CaseFile): Address[] {
  return logs.flatMap(({ address, topics: [topic, ...words] }) => {
    const named = words.length === 2 && words.some((word) => isAddressWord(word) && addressOfWord(word) === account);
    return topic === transferTopic && named ? (readAddress(address) ?? []) : [];
  });
}
