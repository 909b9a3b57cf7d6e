import type { Address } from "../kernel/address.ts";
import { limits } from "../kernel/limits.ts";
import { transferBatchTopic, transferSingleTopic, transferTopic } from "../kernel/token-topics.ts";
import type { Log, Transaction } from "../model/transaction.ts";
import type { RuleIndex } from "./rule-index.ts";

const transferTopics: ReadonlySet<unknown> = new Set([transferTopic, transferSingleTopic, transferBatchTopic]);

/**
 * How much rules are tried on in one transaction: less where much moved, since every try may look at all movements. What the limits
 * leave out is counted.
 */
export class MatchBudget {
  readonly #tx: Transaction;
  readonly #candidatesMax: number;
  /** Logs, calls of others and transfers that no rule was tried on. */
  #left = 0;

  constructor(tx: Transaction) {
    this.#tx = tx;
    this.#candidatesMax = this.#share(limits.candidatesMax);
  }

  /**
   * The logs to try rules on, in order. Above the limit those of contracts that a rule names go before those that anybody could
   * have written, and among these the ones that tell of the account or the sender.
   */
  logsFor(account: Address, index: RuleIndex): readonly Log[] {
    const max = this.#share(limits.matchedLogsMax);
    const { logs, from } = this.#tx;
    if (logs.length <= max) return logs;
    const tried = logs.filter((log) => index.knows(log));
    if (tried.length <= max) return tried;
    const own = [account.slice(2), from.slice(2)];
    const ranks: Log[][] = [[], [], [], []];
    for (const log of tried) {
      const isOwn = own.some(
        (digits) => log.data.includes(digits) || log.topics.some((topic) => topic.endsWith(digits)),
      );
      ranks[(index.names(log) ? 0 : 2) + (isOwn ? 0 : 1)]?.push(log);
    }
    // What a log says that moved is told all the same.
    const kept = ranks.flat();
    this.#left += kept.slice(max).filter(({ topics }) => !transferTopics.has(topics[0])).length;
    return kept.slice(0, max).sort((a, b) => a.index - b.index);
  }

  /** Whether there is room for more beside the candidates so far; if not, what is left out is counted. */
  hasRoom(candidates: number): boolean {
    if (candidates < this.#candidatesMax) return true;
    this.#left++;
    return false;
  }

  /** What was left out, as `Transaction.truncated` names it. */
  truncated(): string[] {
    return this.#left === 0 ? [] : [`what ${this.#left} logs and calls mean`];
  }

  #share(max: number): number {
    return Math.min(max, Math.floor(limits.matchStepsMax / Math.max(1, this.#tx.movements.length)));
  }
}
