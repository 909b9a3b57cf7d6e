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

function tells({ topics, data }: Log, digits: string): boolean {
  return data.includes(digits) || topics.some((topic) => topic.endsWith(digits));
}

/** The first log of each emitter, then the second: none drowns the others. */
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

/** Accounts of the transaction, and all calls. */
interface Whose {
  subject: Address;
  principals: ReadonlySet<Address>;
  calls: readonly ActorCall[];
}

/** Limits tries; lower with many movements, since a try may look at all. What is left out is counted. */
export class MatchBudget {
  readonly #tx: Transaction;
  readonly #candidatesMax: number;
  /** Logs, foreign calls and transfers without a try. */
  #left = 0;

  constructor(tx: Transaction) {
    this.#tx = tx;
    this.#candidatesMax = this.#share(limits.candidatesMax, limits.candidateStepsMax);
  }

  /**
   * Where not all fit:
   * 1. logs of principals' accounts,
   * 2. logs of contracts that a rule names, if they hold the account or the sender, and of contracts that the account called,
   * 3. other logs of named contracts,
   * 4. logs that anybody could write. Within the last two, logs of mere movements come last.
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
    // A transfer is not counted: its movement needs no rule.
    const kept = ranks.flatMap(inTurns);
    this.#left += kept.slice(max).filter((log) => !isMoving(log)).length;
    return kept.slice(0, max);
  }

  /** Otherwise counted as left out. */
  hasRoom(candidates: number): boolean {
    if (candidates < this.#candidatesMax) return true;
    this.#left++;
    return false;
  }

  /** As in `Transaction.truncated`. */
  truncated(): string[] {
    return this.#left === 0 ? [] : [`the meaning of ${this.#left} logs or calls`];
  }

  #share(max: number, stepsMax: number): number {
    return Math.min(max, Math.floor(stepsMax / Math.max(1, this.#tx.movements.length)));
  }
}
