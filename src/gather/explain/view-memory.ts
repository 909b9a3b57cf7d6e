import { LRUCache } from "lru-cache";
import type { Address } from "../../kernel/address.ts";
import type { Hash } from "../../kernel/hex.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { AccountView } from "../../model/told/account-view.ts";
import type { Clock } from "../network/health/endpoint-health.ts";
import { type Answer, type Explainer, tagged } from "./explain.ts";
import { caseLifetime } from "./lifetime.ts";

/** null: the headline's account. */
export interface ViewQuestion {
  hash: Hash;
  account: Address | null;
}

/** `body`: UTF-8 JSON; `etag`: its quoted hash. */
export interface ViewAnswer {
  source: Answer["source"];
  view: AccountView;
  body: Buffer;
  etag: string;
}

export interface ViewMemoryOptions {
  explainer: Pick<Explainer, "examined">;
  cacheBytes: number;
  clock: Clock;
}

/** With lookups and work in progress. */
export function createViewMemory({ explainer, cacheBytes, clock }: ViewMemoryOptions) {
  const views = new LRUCache<string, ViewAnswer>({
    ...{ ttl: 1, ttlResolution: 0, perf: clock, maxSize: cacheBytes },
    sizeCalculation: ({ body }) => body.length * 9 + 1024,
  });
  const underWay = new Map<string, Promise<ViewAnswer>>();
  const keyOf = ({ hash, account }: ViewQuestion) => `${hash}${account ?? ""}`;
  return {
    recall(question: ViewQuestion): ViewAnswer | undefined {
      const found = views.get(keyOf(question));
      // Not from a recording once the network may know better.
      return found !== undefined && (found.source === "network" || explainer.examined(question.hash) !== undefined)
        ? found
        : undefined;
    },
    /** Not remembered where a source did not answer. */
    keep(question: ViewQuestion, view: AccountView, { source, file }: { source: Answer["source"]; file: CaseFile }) {
      const made: ViewAnswer = { source, view, ...tagged(JSON.stringify(view)) };
      const { prices = {}, balances = [] } = file.view ?? {};
      const unanswered = [...Object.values(prices), ...balances].some(({ status }) => status === "unavailable");
      const ttl = unanswered ? 0 : caseLifetime(file, clock.now());
      if (ttl > 0) views.set(keyOf(question), made, { ttl });
      return made;
    },
    /** One run per question. */
    share(question: ViewQuestion, work: () => Promise<ViewAnswer>): Promise<ViewAnswer> {
      const key = keyOf(question);
      const run = underWay.get(key) ?? work().finally(() => underWay.delete(key));
      underWay.set(key, run);
      return run;
    },
  };
}
