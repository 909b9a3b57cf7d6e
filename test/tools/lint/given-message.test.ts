import { describe, expect, it } from "vitest";
import { parseMessage } from "../../../src/rules/abi/message.ts";
import { GivenNames } from "../../../src/tools/lint/examples/given-names.ts";
import { GivenError } from "../../../src/tools/lint/examples/given-values.ts";
import { buildMessage, isMessageGiven } from "../../../src/tools/lint/messages/given-message.ts";
import { shippedLabels } from "../../support/labels.ts";

const alice = "0xa11ce000000000000000000000000000000a11ce";
const bob = "0xb0b0000000000000000000000000000000000b0b";
const [desk, second] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`];
const scope = {
  contracts: new Map([
    ["desk", [desk]],
    ["second", [second]],
  ]),
  ...{ members: new Map(), abi: new Map(), document: { protocol: "agora" } },
};
const item = (text: string) => parseMessage(text);
const items = new Map([
  ["Order", item("message Order(address maker, uint256 amount, Step[] steps) Step(bool on, bytes32 key)")],
  ["Open", item("message Open(uint8 kind, ...)")],
]);

function built(given: Record<string, unknown>, entry?: object) {
  const names = new GivenNames(scope as never, () => undefined, shippedLabels());
  return buildMessage(given, entry as never, { names, items });
}

function refusal(given: Record<string, unknown>, entry?: object) {
  try {
    built(given, entry);
  } catch (error) {
    if (!(error instanceof GivenError)) throw error;
    return [error.at, error.message, error.suggestion];
  }
  return "it can be built";
}

describe("a message of an example", () => {
  it("is told by its field", () => {
    expect([undefined, {}, { to: "x" }, { message: {} }].map(isMessageGiven)).toEqual([false, false, false, true]);
  });

  it("is what an application hands over, with the values that are left out at zero", () => {
    const key = `0x${"00".repeat(32)}`;
    const message = { maker: "bob", amount: "5", steps: [{ on: true }, {}] };
    expect(built({ message, sign: "Order", at: "desk", from: "bob", tokens: { desk: { symbol: "X" } } })).toEqual({
      from: bob,
      typed_data: {
        types: {
          Order: [
            { name: "maker", type: "address" },
            { name: "amount", type: "uint256" },
            { name: "steps", type: "Step[]" },
          ],
          Step: [
            { name: "on", type: "bool" },
            { name: "key", type: "bytes32" },
          ],
        },
        primaryType: "Order",
        domain: { chainId: 8453, verifyingContract: desk },
        message: {
          ...{ maker: bob, amount: "5" },
          steps: [
            { on: true, key },
            { on: false, key },
          ],
        },
      },
      tokens: {
        [desk as string]: {
          status: "found",
          source: "example",
          symbol: "X",
          name: null,
          decimals: null,
          standard: null,
        },
      },
      reads: [],
    });
  });

  it("takes what is left out from the rule", () => {
    const { from, typed_data } = built({ message: {} }, { sign: "Order", at: ["any", "second", "desk"] });
    expect([from, typed_data.primaryType, typed_data.domain]).toEqual([
      ...[alice, "Order", { chainId: 8453, verifyingContract: second }],
    ]);
    const domain = { name: "Agora", version: "2" };
    expect(built({ message: {} }, { sign: "Order", domain }).typed_data.domain).toEqual({ ...domain, chainId: 8453 });
    const given = { message: {}, domain: { name: "Other" }, sign: "Open" };
    const { typed_data: other } = built(given, { sign: "Order", domain });
    expect([other.primaryType, other.domain]).toEqual(["Open", { name: "Other", chainId: 8453 }]);
    expect(built({ message: {}, at: "desk" }, { sign: "Order", at: "second" }).typed_data.domain).toEqual({
      ...{ chainId: 8453, verifyingContract: desk },
    });
  });

  it("shows by one struct what may follow in an open one", () => {
    const { typed_data } = built({ message: { kind: 3 }, sign: "Open", at: "desk", from: "bob" });
    expect(typed_data.types).toEqual({
      Open: [
        { name: "kind", type: "uint8" },
        { name: "witness", type: "ExampleWitness" },
      ],
      ExampleWitness: [{ name: "user", type: "address" }],
    });
    expect(typed_data.message).toEqual({ kind: "3", witness: { user: bob } });
    // The item itself is as it was.
    expect(built({ message: {}, sign: "Open", at: "desk" }).typed_data.types.Open).toHaveLength(2);
  });

  it.each<[Record<string, unknown>, object | undefined, unknown]>([
    [{ message: {}, sing: "Order" }, undefined, [["sing"], "`sing` is no field of a message", "sign"]],
    [{ message: {} }, undefined, [["message"], "`` is no message of this file; `sign` says which it is", undefined]],
    [
      { message: {}, sign: "Oder" },
      { sign: "Order" },
      [["message"], "`Oder` is no message of this file; `sign` says which it is", undefined],
    ],
    [{ message: {}, sign: "Order" }, undefined, [["message"], "`at` is missing: the verifyingContract", undefined]],
    [{ message: {} }, { sign: "Order", at: "any" }, [["message"], "`at` is missing: the verifyingContract", undefined]],
  ])("%j of %j is refused", (given, entry, told) => {
    expect(refusal(given, entry)).toEqual(told);
  });

  it.each([
    [{ from: "nobody" }, ["from"]],
    [{ at: "nowhere" }, ["at"]],
    [{ message: { amount: "much" } }, ["message", "amount"]],
  ])("%j is refused at its place", (more, at) => {
    expect(refusal({ message: {}, sign: "Order", at: "desk", ...more })[0]).toEqual(at);
  });
});
