import { describe, expect, it } from "vitest";
import { readCredit } from "../../../src/serve/access/payment/credit.ts";

const receipt = { success: true, transaction: "0x1", network: "eip155:8453" } as never;

/** The credit of a payment for `lines` lines that bought `bought`, and the questions that the ledger gets. */
async function read(lines: number | null | undefined, bought: string[]) {
  const asked: unknown[][] = [];
  const note =
    (name: string, answer: unknown) =>
    (...given: unknown[]) => {
      asked.push([name, ...given]);
      return answer;
    };
  const ledger = {
    findPayment: note("payment", lines === undefined ? undefined : { lines }),
    listLines: note("lines", bought),
    findLine: note("line", "an answer"),
    buyLine: note("buy", "a bought answer"),
  };
  const credit = await readCredit({ ledger, now: () => 5_999 } as never, "key", receipt);
  return { credit, asked };
}

describe("the credit of a settled payment", () => {
  it.each<[number | null | undefined, string[], number]>([
    [3, [], 3],
    [3, ["a"], 2],
    [3, ["a", "b", "c"], 0],
    [2, ["a", "b", "c"], 0],
    [3, ["a", "a"], 2],
    [0, [], 0],
    [null, [], 0],
    [undefined, [], 0],
  ])("of %s lines, of which it bought %j: %d", async (lines, bought, left) => {
    const { credit, asked } = await read(lines, bought);
    expect(credit).toMatchObject({ receipt, bought: new Set(bought), left });
    expect(asked).toEqual([
      ["payment", "key"],
      ["lines", "key"],
    ]);
  });

  it("is bought by the line, in whole seconds, and told again", async () => {
    const { credit, asked } = await read(3, []);
    expect([credit.recall("a"), credit.buy("b", "answer")]).toEqual(["an answer", "a bought answer"]);
    expect(asked.slice(2)).toEqual([
      ["line", "key", "a"],
      ["buy", "key", { request: "b", answer: "answer", now: 5 }],
    ]);
  });
});
