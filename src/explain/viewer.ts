import { LRUCache } from "lru-cache";
import { type Address, readAddress } from "../kernel/address.ts";
import type { Hash } from "../kernel/hex.ts";
import type { MaybePromise } from "../kernel/maybe-promise.ts";
import type { LookUpView } from "../lookup/view/view-lookup.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { AccountView } from "../model/told/account-view.ts";
import type { Clock } from "../network/health/endpoint-health.ts";
import { type Answer, type Explainer, entityTag } from "./explain.ts";
import { caseLifetime } from "./lifetime.ts";

/** Whose view of which transaction; null: the account whose act is told. */
export interface ViewQuestion {
  hash: Hash;
  account: Address | null;
}

/** A view as it is served. */
export interface ViewAnswer {
  source: Answer["source"];
  view: AccountView;
  body: Buffer;
  etag: string;
}

export interface ViewerOptions {
  explainer: Pick<Explainer, "examine" | "examined">;
  /** Pure. A large case is viewed in another thread. */
  view(caseFile: CaseFile, account: Address | null, signal?: AbortSignal): MaybePromise<AccountView>;
  lookUp: LookUpView;
  /** Memory for views. */
  cacheBytes: number;
  clock?: Clock;
}

/** Views of accounts: the case file that the explanation rests on, and the prices and balances of the account beside it. */
export type Viewer = ReturnType<typeof createViewer>;

export function createViewer({ explainer, view, lookUp, cacheBytes, clock = Date }: ViewerOptions) {
  const views = new LRUCache<string, ViewAnswer>({
    ...{ ttl: 1, ttlResolution: 0, perf: clock, maxSize: cacheBytes },
    sizeCalculation: ({ body }) => body.length * 9 + 1024,
  });
  const keyOf = ({ hash, account }: ViewQuestion) => `${hash}${account ?? ""}`;

  /** The case file with the lookups of a view, which `record` can write. */
  async function complete(caseFile: CaseFile, account: Address | null, signal?: AbortSignal): Promise<CaseFile> {
    const first = await view(caseFile, account, signal);
    const fungible = first.balance_changes.filter(({ standard }) => standard === "erc20");
    const tokens = fungible.flatMap(({ token_address }) => readAddress(token_address) ?? []);
    return lookUp(caseFile, { account: readAddress(first.account) as Address, tokens }, signal);
  }

  return {
    complete,
    /** The remembered view, without waiting. */
    known(question: ViewQuestion): ViewAnswer | undefined {
      const found = views.get(keyOf(question));
      // What was found by a recording is not known where the network may know better by now.
      return found !== undefined && (found.source === "network" || explainer.examined(question.hash) !== undefined)
        ? found
        : undefined;
    },
    /** Rejects with ServiceError as an explanation does. */
    async view(question: ViewQuestion, signal?: AbortSignal): Promise<ViewAnswer> {
      const { answer, caseFile } = await explainer.examine(question.hash, signal);
      const completed = await complete(caseFile, question.account, signal);
      const viewed = await view(completed, question.account, signal);
      const body = Buffer.from(JSON.stringify(viewed));
      const made: ViewAnswer = { source: answer.source, view: viewed, body, etag: entityTag(body) };
      const unanswered = Object.values(completed.view?.prices ?? {}).some(({ status }) => status === "unavailable");
      const ttl = unanswered ? 0 : caseLifetime(completed, clock.now());
      if (ttl > 0) views.set(keyOf(question), made, { ttl });
      return made;
    },
  };
}
