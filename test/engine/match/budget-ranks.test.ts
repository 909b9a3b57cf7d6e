import { describe, expect, it } from "vitest";
import { MatchBudget } from "../../../src/engine/match/match-budget.ts";
import type { RuleIndex } from "../../../src/engine/match/rule-index.ts";
import { limits } from "../../../src/kernel/limits.ts";
import { transferBatchTopic, transferSingleTopic, transferTopic } from "../../../src/kernel/token-standards.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Log, Transaction } from "../../../src/model/transaction.ts";
import { alice, bob, carol, token, vault, zero } from "../../support/case-of.ts";

const word = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;
const other = `0x${"9".repeat(64)}`;
const log = (name: string, topics: string[], parts: object = {}) =>
  ({ name, address: vault, topics, data: "0x", ...parts }) as unknown as Log & { name: string };
/** Rules know the events of the vault and of the token, and the vault is named. */
const index = {
  knows: ({ address }: Log) => address === vault || address === token,
  names: ({ address }: Log) => address === vault,
} as unknown as RuleIndex;
/** The number of movements with which there is room for only this many candidates, or logs. */
const roomFor = (candidates: number) => Math.floor(limits.candidateStepsMax / candidates);
const roomForLogs = (logs: number) => Math.floor(limits.matchedLogStepsMax / logs);
const budget = (logs: Log[], moved: number) =>
  new MatchBudget({ logs, from: alice, movements: { length: moved } } as unknown as Transaction);
/** Bob has a call made by alice, who sends it. */
const whose = { subject: bob, principals: new Set([alice, bob]), calls: [] };
const names = (logs: readonly Log[]) => logs.map((one) => (one as Log & { name: string }).name);

describe("the logs that rules are tried on", () => {
  const stranger = { address: carol };

  it("are all of them where all find room", () => {
    const logs = [log("a", [other]), log("b", [other], stranger)];
    for (const moved of [0, 1, roomFor(2)]) expect(budget(logs, moved).logsFor(whose, index)).toBe(logs);
  });

  it("are those that a rule knows where not all do, in their order where these do", () => {
    const logs = [log("a", [other], stranger), log("b", [transferTopic]), log("c", [other])];
    expect(names(budget(logs, roomFor(2)).logsFor(whose, index))).toEqual(["b", "c"]);
    expect(names(budget(logs, roomFor(3)).logsFor(whose, index))).toEqual(["a", "b", "c"]);
    expect(budget([], roomFor(2)).logsFor(whose, index)).toEqual([]);
  });

  const anyone = { address: token };
  const ranked = [
    ...[log("anyone moves", [transferTopic], anyone), log("anyone says", [other], anyone)],
    ...[log("anyone tells", [other, word(bob)], anyone), log("named moves", [transferSingleTopic])],
    ...[log("named moves many", [transferBatchTopic]), log("named says", [other, word(carol)])],
    ...[log("named tells of the sender", [other], { data: `${other}${alice.slice(2)}00` })],
    ...[log("named moves the account's", [transferTopic, word(carol), word(bob)])],
    log("anyone moves the sender's", [transferTopic, word(alice), word(carol)], anyone),
  ];
  const order = [
    ...["named tells of the sender", "named moves the account's", "named says", "named moves", "named moves many"],
    ...["anyone tells", "anyone moves the sender's", "anyone says", "anyone moves"],
  ];

  it("are else those of named contracts first, and of each those that tell of the account or the sender", () => {
    expect(names(budget(ranked, roomForLogs(40)).logsFor(whose, index))).toEqual(order);
  });

  it("are before all else what principals write, one of each emitter after the other, and what the called contract says", () => {
    const calls = [{ actor: bob, to: carol }] as unknown as ActorCall[];
    const own = { ...whose, principals: new Set([alice, bob, zero]), calls };
    const [ofBob, ofDave, ofCarol] = [{ address: bob }, { address: zero }, { address: carol }];
    const known = { ...index, knows: () => true } as unknown as RuleIndex;
    const logs = [
      ...[
        log("called moves", [transferTopic], ofCarol),
        log("called 1", [other], ofCarol),
        log("called 2", [other], ofCarol),
      ],
      ...[log("anyone tells", [other, word(bob)], anyone), log("named tells 1", [other, word(bob)])],
      ...[log("named tells 2", [other, word(bob)]), log("named says", [other])],
      ...[log("dave 1", [other], ofDave), log("dave 2", [other], ofDave), log("bob moves", [transferTopic], ofBob)],
    ];
    expect(names(budget(logs, roomForLogs(40)).logsFor(own, known))).toEqual([
      ...["dave 1", "bob moves", "dave 2", "called 1", "named tells 1", "called 2", "named tells 2", "named says"],
      ...["anyone tells", "called moves"],
    ]);
  });

  it.each([
    [9, []],
    [8, []],
    [7, ["the meaning of 1 logs or calls"]],
    [5, ["the meaning of 2 logs or calls"]],
    [2, ["the meaning of 3 logs or calls"]],
    [1, ["the meaning of 3 logs or calls"]],
  ])("are at most %i, and what is left out beside movements is counted", (max, truncated) => {
    const made = budget(ranked, roomForLogs(max));
    expect(names(made.logsFor(whose, index))).toEqual(order.slice(0, max));
    expect(made.truncated()).toEqual(truncated);
  });
});

describe("candidates", () => {
  it.each([
    [0, limits.candidatesMax],
    [1, limits.candidatesMax],
    [roomFor(3), 3],
    [roomFor(3) + 1, 2],
    [limits.candidateStepsMax, 1],
    [limits.candidateStepsMax + 1, 0],
  ])("where %i movements are seen: %i of them, and each further one is counted", (moved, max) => {
    const made = budget([], moved);
    expect(max === 0 || made.hasRoom(max - 1)).toBe(true);
    expect(made.truncated()).toEqual([]);
    expect([made.hasRoom(max), made.hasRoom(max + 1)]).toEqual([false, false]);
    expect(made.truncated()).toEqual(["the meaning of 2 logs or calls"]);
  });
});
