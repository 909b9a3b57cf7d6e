import { describe, expect, it } from "vitest";
import { transferTopic } from "../../../src/kernel/token-standards.ts";
import { people } from "../../../src/tools/lint/examples/given-names.ts";
import { thirdParties } from "../../../src/tools/lint/mutation/planted-event.ts";
import { type Given, log, move, originalOf, outcomeOf, pool, subject, usdc, word } from "./forged-case.ts";

describe("a plain transfer among the logs of others", () => {
  const made = (given?: Given) => thirdParties(originalOf(given));

  it("is alice's own, behind logs of accounts that nobody knows", () => {
    const [one] = made({ movements: [move(0, { standard: "native", token: null, log: -1, amount: 7n })] });
    expect([one?.kind, one?.change]).toEqual(["third-party", "inside a plain transfer"]);
    const { transaction, receipt, trace, tokens: known } = { ...one?.caseFile };
    expect([transaction?.from, transaction?.to, transaction?.hash, transaction?.value]).toEqual([
      ...[people.alice, usdc, "0x12", "0x0"],
    ]);
    const [planted, own] = receipt?.logs ?? [];
    expect(own).toEqual({
      ...{ address: usdc, topics: [transferTopic, word(people.alice as string), word(people.bob as string)] },
      data: word("64"),
    });
    expect([planted?.address, planted?.topics[0]]).toEqual([pool, "0x01"]);
    expect(JSON.stringify([planted, trace])).not.toContain(subject.slice(2));
    expect(JSON.stringify(trace)).toContain(pool);
    expect(known).toEqual({ x: 1 });
  });

  it("is made of what an event or a movement anchors, and went through", () => {
    const kinds = ["event", "transfer", "call", "flow"].map((kind) => made({ rule: { anchor: { kind } } }).length);
    expect(kinds).toEqual([1, 1, 0, 0]);
    expect(made({ status: "reverted" })).toEqual([]);
    expect(made({ logs: [{ ...log, address: usdc }] })).toEqual([]);
  });

  it("must stay one of alice's", () => {
    const judge = (...actions: object[]) => made()[0]?.judge(outcomeOf({ actions }));
    const action = (name: string, account: string | undefined) => ({
      ...{ rule: { id: "x/y", action: name }, context: { subject: account } },
    });
    expect(judge(action("erc20_transfer", people.alice), action("swap", subject))).toBeNull();
    expect(judge(action("erc20_transfer", subject))).toBe(`x/y stands for ${subject}`);
    expect(judge(action("swap", people.alice))).toBe(`x/y stands for ${people.alice}`);
    expect(judge()).toBe("nothing stands");
  });
});
