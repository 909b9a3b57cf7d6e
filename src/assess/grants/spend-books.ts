import type { Address } from "../../kernel/address.ts";
import { approvalTopic, transferTopic } from "../../kernel/token-standards.ts";
import { addressOfWord, isAddressWord } from "../../kernel/word.ts";
import type { Log } from "../../model/transaction.ts";
import type { SubjectAct } from "../subject-act.ts";
import { isGrantCall } from "./grant-call.ts";

/**
 * Tells new allowances from what is left of old ones. OpenZeppelin before 5.0, and Aave's tokens, report what is left of an
 * allowance whenever some of it is spent: an Approval beside a Transfer of the owner's tokens in the same frame.
 */
export class SpendBooks {
  readonly #act: SubjectAct;
  /** Emitter, frame and owner of transfers. */
  readonly #frames: ReadonlySet<string>;
  /** Keys of a run of logs (what one contract wrote in one go) and the owner of a transfer in it. */
  readonly #runs: ReadonlySet<string>;
  /** The run of each log, by its position. */
  readonly #runOf: readonly number[];

  constructor(act: SubjectAct) {
    this.#act = act;
    const frames = new Set<string>();
    const runs = new Set<string>();
    let run = 0;
    this.#runOf = act.tx.logs.map((log, i) => {
      if (i > 0 && act.tx.logs[i - 1]?.address !== log.address) run++;
      const [topic, owner] = log.topics;
      if (topic === transferTopic && isAddressWord(owner)) {
        frames.add(`${log.address}${log.call}${addressOfWord(owner)}`);
        // Anybody can call `transferFrom` with an amount of 0. Such a transfer is no spend, so no grant can hide beside it.
        if (!/^0x0*$/.test(log.data) || log.topics.length === 4) runs.add(`${run}${addressOfWord(owner)}`);
      }
      return run;
    });
    this.#frames = frames;
    this.#runs = runs;
  }

  /**
   * What an Approval log means. `books`: what is left of an older allowance. `grant`: a new one. `unknown`: without a call tree the logs
   * can be read both ways. What is left is never the largest number of the type, and tokens that are known not to report spends report
   * grants only.
   */
  isKeptBy(log: Log, owner: Address, isCalled: boolean): "books" | "unknown" | "grant" {
    if (log.topics[0] !== approvalTopic || log.topics.length !== 3) return "grant";
    const { tx, ruleset, labels } = this.#act;
    if (labels.token(log.address)?.silentSpends === true) return "grant";
    if (tx.traced && log.call >= 0) {
      const spends = this.#frames.has(`${log.address}${log.call}${owner}`);
      return spends && !isGrantCall(tx.calls[log.call]?.input ?? "0x", ruleset.grants) ? "books" : "grant";
    }
    if (isCalled || log.data === wholeType) return "grant";
    return this.#runs.has(`${this.#runOf[log.index] ?? -1}${owner}`) ? "unknown" : "grant";
  }
}

const wholeType = `0x${"f".repeat(64)}`;
