import fc from "fast-check";
import { keccak256, toHex } from "viem";
import { describe, expect, it } from "vitest";
import type { CaseFile, RpcLog } from "../../../src/model/case-file.ts";
import type { Explanation } from "../../../src/model/explanation.ts";
import { auditAnswer } from "../../../src/tools/audit/audit.ts";
import { gainsOf, lossesOf } from "../../../src/tools/audit/facts/losses.ts";
import { readFacts } from "../../../src/tools/audit/facts/read-facts.ts";
import { recordings } from "../../property/world.ts";
import { transferLog, weth } from "../../support/case-of.ts";
import { deepFreeze } from "../../support/deep-freeze.ts";
import { answerTo, knowledge, lawsBroken } from "./scene.ts";

const answers = new Map<CaseFile, Explanation>(recordings.map((file) => [deepFreeze(file), answerTo(file)]));
const violationsOf = (file: CaseFile, answer: Explanation) => auditAnswer(file, answer, knowledge);

describe("recorded transactions", () => {
  it("are judged the same each time, and the input is not changed", () => {
    for (const [file, answer] of answers)
      expect(violationsOf(file, deepFreeze(answer))).toEqual(violationsOf(file, answer));
  });

  it("break a law if the answer says nothing about what the sender lost", () => {
    const silent = [...answers].filter(([file]) => {
      const facts = readFacts(file, knowledge);
      // Who wraps ether has it still.
      const wrapped = [...gainsOf(facts.sender, facts).keys()].some((key) => key === weth || key === "ether");
      return facts.etherKnown && !wrapped && lossesOf(facts.sender, facts, knowledge).length > 0;
    });
    expect(silent.length).toBeGreaterThan(20);
    for (const [file, answer] of silent) {
      const empty = { ...answer, summary: "Somebody did something.", partial: false };
      expect([file.tx_hash, lawsBroken(file, empty)]).toEqual([file.tx_hash, expect.arrayContaining([2, 3])]);
      const unlisted = { ...answer, assets_moved: [] };
      expect([file.tx_hash, lawsBroken(file, unlisted)]).toEqual([file.tx_hash, expect.arrayContaining([3])]);
    }
  });

  const stranger = fc.nat().map((number) => keccak256(toHex(`stranger ${number}`)).slice(0, 42));
  const topic = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toHex(bytes));
  const unknownLog = fc.record({
    address: stranger,
    topics: fc.array(topic, { maxLength: 4 }),
    data: fc.uint8Array({ maxLength: 96 }).map((bytes) => toHex(bytes)),
  });
  const strangersTransfer = fc
    .tuple(stranger, stranger, stranger, fc.bigInt({ min: 0n, max: 1n << 200n }))
    .map(([at, from, to, value]) => transferLog(at, from, to, value));
  const irrelevant: fc.Arbitrary<RpcLog> = fc.oneof(unknownLog, strangersTransfer);

  it("are judged the same, no matter what others emit in between", () => {
    const added = fc.array(fc.tuple(fc.nat(), irrelevant), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.constantFrom(...answers), added, ([file, answer], logs) => {
        const mixed = [...file.receipt.logs];
        for (const [place, log] of logs) mixed.splice(place % (mixed.length + 1), 0, log);
        const noisy = { ...file, receipt: { ...file.receipt, logs: mixed } };
        expect(violationsOf(noisy, answer)).toEqual(violationsOf(file, answer));
      }),
      { numRuns: 300 },
    );
  });

  it("are judged even if parts of them are malformed", () => {
    const broken = fc.record({ address: fc.string(), topics: fc.array(fc.string()), data: fc.string() });
    fc.assert(
      fc.property(fc.constantFrom(...answers), fc.array(broken), ([file, answer], logs) => {
        const noisy = { ...file, receipt: { ...file.receipt, logs: [...logs, ...file.receipt.logs] } };
        expect(violationsOf(noisy, answer)).toEqual(violationsOf(file, answer));
      }),
    );
  });
});
