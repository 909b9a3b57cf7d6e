import { describe, expect, it } from "vitest";
import type { RpcLog } from "../../../src/model/case-file.ts";
import { explainCase } from "../../property/world.ts";
import { bob, carol, caseOf, transferLog, usdc, vault, weth } from "../../support/case-of.ts";
import { entryPoint } from "../../support/envelopes.ts";
import {
  batch,
  caseWith,
  cents,
  ether,
  feesOf,
  operationEvent,
  operations,
  paymaster,
  pimlico,
  sponsored,
  trade,
  transfer,
  transferFrom,
  treasury,
} from "./gas-scene.ts";

const paid = operationEvent(paymaster);
const sent = (amount: bigint) => transferLog(usdc, bob, paymaster, amount);

describe("what an account sent to a paymaster by its own calls", () => {
  it.each<[string, RpcLog[]]>([
    ["before gas was taken", [sent(5_000_000n), cents]],
    ["after gas was taken", [cents, sent(5_000_000n)]],
  ])("is no gas, %s", (_when, moved) => {
    const file = caseWith(batch([usdc, transfer(paymaster, 5_000_000n)]), [...moved, paid]);
    expect(feesOf(file)).toEqual(["USDC 20000 paid"]);
    expect(explainCase(file).explanation.summary).toMatch(/ sent 5 USDC to 0x\S+\. It also paid 0\.02 USDC for gas\. /);
  });

  const [three, four] = [transfer(paymaster, 3n), transfer(paymaster, 4n)];
  it.each<[string, [string, `0x${string}`][], bigint[], string[]]>([
    [
      "two calls, two movements",
      [
        [usdc, three],
        [usdc, four],
      ],
      [4n, 3n],
      [],
    ],
    [
      "two calls, gas between",
      [
        [usdc, three],
        [usdc, four],
      ],
      [3n, 9n, 4n],
      ["USDC 9 paid"],
    ],
    [
      "two calls alike, gas last",
      [
        [usdc, three],
        [usdc, three],
      ],
      [3n, 3n, 3n],
      ["USDC 3 paid"],
    ],
    ["one call, whose token took a part on the way", [[usdc, four]], [3n], []],
    ["one call, its movement and as much again", [[usdc, four]], [4n, 4n], ["USDC 4 paid"]],
    ["a call whose amount ends alike", [[usdc, transfer(paymaster, 0x14n)]], [0x14n, 4n], ["USDC 4 paid"]],
    [
      "both ways to send",
      [
        [usdc, three],
        [usdc, transferFrom(bob, paymaster, 4n)],
      ],
      [9n, 4n, 3n],
      ["USDC 9 paid"],
    ],
    ["a call of another token", [[weth, four]], [4n], ["USDC 4 paid"]],
    ["a call to another receiver", [[usdc, transfer(carol, 4n)]], [4n], ["USDC 4 paid"]],
    ["a call that takes of another's", [[usdc, transferFrom(carol, paymaster, 4n)]], [4n], ["USDC 4 paid"]],
  ])("stands for one movement each: %s", (_what, calls, amounts, fees) => {
    expect(feesOf(caseWith(batch(...calls), [...amounts.map(sent), paid]))).toEqual(fees);
  });

  it.each<[string, [string, `0x${string}`]]>([
    ["called the paymaster", [paymaster, "0x12345678"]],
    ["sent as much", [usdc, transfer(paymaster, 20_000n)]],
  ])("are calls of its own that did not fail: another account %s", (_what, call) => {
    const input = operations([bob, trade], [carol, batch(call)]);
    const others = operationEvent(`0x${"fc".repeat(20)}`, { sender: carol });
    const file = caseOf({ transaction: { to: entryPoint, input }, receipt: { logs: [cents, paid, others] } });
    expect(feesOf(file)).toEqual(["USDC 20000 paid"]);
    const failed = [cents, operationEvent(paymaster, { success: false })];
    expect(feesOf(caseWith(batch(call), failed))).toEqual(["USDC 20000 paid"]);
  });
});

describe("what an account moved to itself", () => {
  it.each<[string, bigint[]]>([
    ["before", [20_000n, 0n]],
    ["after", [0n, 20_000n]],
  ])("is no second payment of as much, %s", (_when, [before, after]) => {
    const own = (amount: bigint | undefined) => (amount ? [transferLog(usdc, bob, bob, amount)] : []);
    const gas = transferLog(usdc, bob, treasury, 20_000n);
    const logs = [...own(before), gas, ...own(after), sponsored(usdc, 20_000n), operationEvent(pimlico)];
    expect(feesOf(caseWith(trade, logs))).toEqual(["USDC 20000 paid"]);
  });
});

describe("what gas may cost", () => {
  it.each<[bigint, bigint, number]>([
    [200_000_000_000_000n, 1n, 1],
    [200_000_000_000_001n, 1n, 0],
    [200_000_000_000_000n, 40_000_000_000_000n, 1],
    [200_000_000_000_005n, 40_000_000_000_001n, 1],
    [200_000_000_000_006n, 40_000_000_000_001n, 0],
    [5n * ether, ether, 1],
    [5n * ether + 1n, ether, 0],
  ])("in wrapped ether: %s for a cost of %s", (amount, cost, fees) => {
    const taken = transferLog(weth, bob, paymaster, amount);
    expect(feesOf(caseWith(trade, [taken, operationEvent(paymaster, { cost })]))).toHaveLength(fees);
  });

  it("is the cost of all operations that one paymaster took the gas of", () => {
    const taken = (amount: bigint) => [transferLog(weth, bob, paymaster, amount)];
    const costs = [1n, 2n].map((part) => operationEvent(paymaster, { cost: part * ether }));
    expect(feesOf(caseWith(trade, [...taken(15n * ether), ...costs]))).toHaveLength(1);
    expect(feesOf(caseWith(trade, [...taken(15n * ether + 1n), ...costs]))).toHaveLength(0);
  });

  it.each<[string, RpcLog[], number]>([
    ["nothing moved", [], 0],
    ["a movement of nothing", [transferLog(usdc, bob, paymaster, 0n)], 0],
    ["all came back", [cents, transferLog(usdc, paymaster, bob, 20_000n)], 2],
    ["it only got", [transferLog(usdc, paymaster, bob, 20_000n)], 0],
    ["others moved", [transferLog(usdc, vault, paymaster, 20_000n)], 0],
  ])("may be nothing: %s", (_what, moved, fees) => {
    expect(feesOf(caseWith(trade, [...moved, paid]))).toHaveLength(fees);
  });

  it("does not matter where the event of a paymaster tells the amount itself", () => {
    const gas = transferLog(usdc, bob, treasury, 10n ** 12n);
    const logs = [gas, sponsored(usdc, 10n ** 12n), operationEvent(pimlico, { cost: 1n })];
    expect(feesOf(caseWith(trade, logs))).toHaveLength(1);
  });
});
