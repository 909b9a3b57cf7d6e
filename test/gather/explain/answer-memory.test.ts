import { describe, expect, it } from "vitest";
import { createAnswerMemory } from "../../../src/gather/explain/answer-memory.ts";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";

const hash = hashOf(1);

describe("the memory of answers", () => {
  const clockAt = () => {
    const clock = { time: 1_000, now: () => clock.time };
    return clock;
  };
  const answerOf = (bytes: number) => ({ body: Buffer.alloc(bytes) });

  it("keeps an answer and its case for so long, and nothing for no time", () => {
    const clock = clockAt();
    const memory = createAnswerMemory(1_000_000, clock);
    const examined = { answer: answerOf(10), caseFile: caseFileOf(hash) };
    memory.keep(hash, examined, 0);
    expect([memory.recall(hash), memory.recallExamined(hash)]).toEqual([undefined, undefined]);
    memory.keep(hash, examined, 100);
    expect([memory.recall(hash), memory.recallExamined(hash)]).toEqual([examined.answer, examined]);
    clock.time += 99;
    expect(memory.recall(hash)).toBe(examined.answer);
    clock.time += 2;
    expect([memory.recall(hash), memory.recallExamined(hash)]).toEqual([undefined, undefined]);
  });

  it("holds answers by nine times their bytes and a thousand each", () => {
    const each = 9 * 100 + 1024;
    const kept = (maxSize: number) => {
      const memory = createAnswerMemory(maxSize, clockAt());
      const examined = { answer: answerOf(100), caseFile: caseFileOf(hash) };
      for (const i of [1, 2, 3]) memory.keep(hashOf(i), examined, 100);
      return [1, 2, 3].filter((i) => memory.recall(hashOf(i)) !== undefined);
    };
    expect([kept(3 * each), kept(3 * each - 1), kept(each), kept(each - 1)]).toEqual([[1, 2, 3], [2, 3], [3], []]);
  });

  it("holds cases in a quarter as much, by what is long in them", () => {
    const sample = caseFileOf(hash);
    const log = { address: "0x", topics: [], data: "0x1234" };
    const frame = { type: "CALL", from: "0x" };
    const file: CaseFile = {
      ...sample,
      transaction: { ...sample.transaction, input: `0x${"00".repeat(50)}` },
      receipt: { ...sample.receipt, logs: [log, log] },
      tokens: { a: {} as never },
      reads: [{}, {}] as never,
    };
    const base = 4096 + 102 + 1024 * 3 + 2 * (512 + 6);
    const root = {
      ...{ ...frame, input: "0x12", output: "0x123456", logs: [log] },
      calls: [{ ...frame, calls: [{ ...frame, input: "0x" }] }],
    };
    const sizes: [CaseFile["trace"], number][] = [
      [{ source: "none", reason: "x" }, base],
      [{ source: "debug_traceTransaction", root }, base + 512 * 3 + 4 + 8 + (512 + 6) + 2],
      [{ source: "internal_transfers", provider: "x", internal_transfers: [{}, {}, {}] as never }, base + 512 * 3],
    ];
    for (const [trace, size] of sizes) {
      const whole = size + 9 * 100 + 1024;
      const holds = (maxSize: number) => {
        const memory = createAnswerMemory(maxSize, clockAt());
        memory.keep(hash, { answer: answerOf(100), caseFile: { ...file, trace } }, 100);
        return memory.recallExamined(hash) !== undefined;
      };
      expect([holds(4 * whole), holds(4 * whole - 4)]).toEqual([true, false]);
    }
  });

  it("keeps failures that tell something, and throws each on", () => {
    const clock = clockAt();
    const memory = createAnswerMemory(1_000, clock);
    const fail = (error: unknown) => expect(() => memory.keepFailure(hash, error)).toThrow(error as Error);
    fail(new ServiceError("upstream_unavailable"));
    fail(new Error("transaction_not_found"));
    expect(memory.failureOf(hash)).toBeUndefined();
    fail(new ServiceError("transaction_not_found"));
    clock.time += 1_999;
    expect(memory.failureOf(hash)).toBe("transaction_not_found");
    clock.time += 2;
    expect(memory.failureOf(hash)).toBeUndefined();
  });
});
