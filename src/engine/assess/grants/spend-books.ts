import type { Address } from "../../../kernel/address.ts";
import { approvalTopic, transferTopic } from "../../../kernel/token-standards.ts";
import { addressOfWord, isAddressWord } from "../../../kernel/word.ts";
import type { Log } from "../../../model/transaction.ts";
import type { SubjectAct } from "../subject-act.ts";
import { isGrantCall } from "./grant-call.ts";

/**
 * Separates new allowances from logs that report the rest of an old one: OpenZeppelin before 5.0 and Aave's tokens write an Approval beside
 * the owner's Transfer in the same frame.
 */
export class SpendBooks {
  readonly #act: SubjectAct;
  /** Emitter, frame and owner of transfers. */
  readonly #frames: ReadonlySet<string>;
  /**
   * Without a call tree: run and owner. A run is neighbouring logs of one contract; a token may call others between its Approval and its
   * Transfer.
   */
  readonly #runs: ReadonlySet<string>;
  /** By log position. */
  readonly #runOf: readonly number[];

  constructor(act: SubjectAct) {
    this.#act = act;
    const frames = new Set<string>();
    const runs = new Set<string>();
    const last = new Map<Address, { run: number; topic: string | undefined }>();
    this.#runOf = act.tx.logs.map((log, i) => {
      const [topic, owner] = log.topics;
      const before = last.get(log.address);
      const goesOn = act.tx.logs[i - 1]?.address === log.address || before?.topic === approvalTopic;
      const run = before !== undefined && goesOn ? before.run : i;
      last.set(log.address, { run, topic });
      if (topic === transferTopic && isAddressWord(owner)) {
        frames.add(`${log.address}${log.call}${addressOfWord(owner)}`);
        // Anybody can call `transferFrom` with 0: it is no spend, so no grant hides beside it.
        if (!/^0x0*$/.test(log.data) || log.topics.length === 4) runs.add(`${run}${addressOfWord(owner)}`);
      }
      return run;
    });
    this.#frames = frames;
    this.#runs = runs;
  }

  /**
   * `books`: the rest of an older allowance. `unknown`: no call tree, both are possible. The largest number of the type, or a token that
   * never reports spends, is always a grant.
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
