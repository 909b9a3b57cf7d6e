import type { Address } from "../../kernel/address.ts";
import { limits } from "../../kernel/limits.ts";
import { transferBatchTopic, transferSingleTopic, transferTopic } from "../../kernel/token-standards.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Log, Transaction } from "../../model/transaction.ts";
import type { RuleIndex } from "./rule-index.ts";

const transferTopics: ReadonlySet<unknown> = new Set([transferTopic, transferSingleTopic, transferBatchTopic]);

function isMoving({ topics }: Log): boolean {
  return transferTopics.has(topics[0]);
}

/** Whether the hex digits of an address are anywhere in a log. */
function tells({ topics, data }: Log, digits: string): boolean {
  return data.includes(digits) || topics.some((topic) => topic.endsWith(digits));
}

/** Logs in turns: the first of each emitter, then the second of each, and so on. So no emitter drowns the others. */
function inTurns(logs: readonly Log[]): Log[] {
  const turns: Log[][] = [];
  const written = new Map<Address, number>();
  for (const log of logs) {
    const turn = written.get(log.address) ?? 0;
    written.set(log.address, turn + 1);
    turns[turn] ??= [];
    turns[turn].push(log);
  }
  return turns.flat();
}

/** The accounts that the transaction is about, and all calls. */
interface Whose {
  subject: Address;
  principals: ReadonlySet<Address>;
  calls: readonly ActorCall[];
}

/**
 * Limits on how many logs and calls rules are tried. In transactions with many movements the limit is lower, since every try may look at
 * all of them. What is left out is counted.
 */
export class MatchBudget {
  readonly #tx: Transaction;
  readonly #candidatesMax: number;
  /** The number of logs, foreign calls and transfers on which no rule was tried. */
  #left = 0;

  constructor(tx: Transaction) {
    this.#tx = tx;
    this.#candidatesMax = this.#share(limits.candidatesMax, limits.candidateStepsMax);
  }

  /**
   * The logs to try rules on. Where there is no room for all of them, the order is:
   * 1. logs that accounts of principals write themselves,
   * 2. logs of contracts that a rule names, if they hold the account or the sender, and logs of contracts that the account called,
   * 3. other logs of named contracts,
   * 4. logs that anybody could have written.
   * Within each of the last two, logs that only say what moved come last.
   */
  logsFor({ subject: account, principals, calls }: Whose, index: RuleIndex): readonly Log[] {
    const max = this.#share(limits.matchedLogsMax, limits.matchedLogStepsMax);
    const { logs, from } = this.#tx;
    const tried = logs.length <= this.#candidatesMax ? logs : logs.filter((log) => index.knows(log));
    if (tried.length <= this.#candidatesMax) return tried;
    const own = [account.slice(2), from.slice(2)];
    const called = new Set(calls.flatMap(({ actor, to }) => (actor === account ? [to] : [])));
    const ranks: Log[][] = [[], [], [], [], [], [], []];
    for (const log of tried) {
      const isOwn = own.some((digits) => tells(log, digits));
      const isAsked = called.has(log.address) && !isMoving(log);
      const group = principals.has(log.address) ? 0 : isAsked || index.names(log) ? 1 : 4;
      ranks[group === 0 || isAsked || isOwn ? group : group + (isMoving(log) ? 2 : 1)]?.push(log);
    }
    // A log of a transfer is not counted: its movement is told without a rule.
    const kept = ranks.flatMap(inTurns);
    this.#left += kept.slice(max).filter((log) => !isMoving(log)).length;
    return kept.slice(0, max);
  }

  /** Whether another try fits beside this many candidates. If not, it is counted as left out. */
  hasRoom(candidates: number): boolean {
    if (candidates < this.#candidatesMax) return true;
    this.#left++;
    return false;
  }

  /** What was left out, in the words of `Transaction.truncated`; empty when nothing was. */
  truncated(): string[] {
    return this.#left === 0 ? [] : [`the meaning of ${this.#left} logs or calls`];
  }

  #share(max: number, stepsMax: number): number {
    return Math.min(max, Math.floor(stepsMax / Math.max(1, this.#tx.movements.length)));
  }
}
