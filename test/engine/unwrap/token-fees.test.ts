import { describe, expect, it } from "vitest";
import type { CaseFile, RpcLog } from "../../../src/model/case-file.ts";
import { explainCase } from "../../property/world.ts";
import {
  alice,
  bob,
  carol,
  caseOf,
  frame,
  token,
  traced,
  transferLog,
  usdc,
  vault,
  weth,
  zero,
} from "../../support/case-of.ts";
import { entryPoint } from "../../support/envelopes.ts";
import {
  batch,
  caseWith,
  cents,
  dai,
  ether,
  feesOf,
  operation,
  operationEvent,
  paymaster,
  pimlico,
  sponsored,
  swap,
  trade,
  transfer,
  transferFrom,
  treasury,
} from "./gas-scene.ts";

describe("gas that is paid in a token", () => {
  it("is no part of a swap, and is told", () => {
    const { explanation } = explainCase(caseWith(trade, [...swap, cents, operationEvent(paymaster)]));
    expect(explanation.summary).toMatch(/ swapped 5 DAI for 0\.001 WETH\. It also paid 0\.02 USDC for gas\. /);
    expect(explanation.action_type).toBe("swap");
    expect(explanation.assets_moved).toHaveLength(3);
  });

  it("is no second recipient of what was sent", () => {
    const sent = transferLog(dai, bob, carol, 5n * ether);
    const input = batch([dai, transfer(carol, 5n * ether)]);
    const { explanation } = explainCase(caseWith(input, [sent, cents, operationEvent(paymaster)]));
    expect(explanation.summary).toMatch(/ sent 5 DAI to 0xC4c4…[\da-f]{4}\. It also paid 0\.02 USDC for gas\. /i);
  });

  it("counts what came back", () => {
    const back = transferLog(usdc, paymaster, bob, 8_000n);
    const file = caseWith(trade, [cents, ...swap, back, operationEvent(paymaster)]);
    expect(feesOf(file)).toEqual(["USDC 20000 paid", "USDC 8000 back"]);
    expect(explainCase(file).explanation.summary).toContain("It also paid 0.012 USDC for gas.");
  });

  it("is also paid by an operation that failed, and one behind a bundler's own contract", () => {
    expect(feesOf(caseWith(trade, [cents, operationEvent(paymaster, { success: false })]))).toHaveLength(1);
    const hidden = caseOf({
      transaction: { to: vault, input: "0x99999999" },
      receipt: { logs: [cents, operationEvent(paymaster)] },
    });
    expect(feesOf(hidden)).toEqual(["USDC 20000 paid"]);
  });

  it.each<[string, RpcLog[]]>([
    ["at once", [transferLog(usdc, bob, treasury, 20_000n)]],
    [
      "too much first, the rest back",
      [transferLog(usdc, bob, treasury, 30_000n), transferLog(usdc, treasury, bob, 10_000n)],
    ],
  ])("goes to a purse that the paymaster's own event does not name, %s", (_how, moved) => {
    const logs = [...swap, ...moved, sponsored(usdc, 20_000n), operationEvent(pimlico)];
    const file = caseWith(trade, logs);
    expect(feesOf(file)).toHaveLength(moved.length);
    expect(explainCase(file).explanation.summary).toMatch(/ swapped 5 DAI for 0\.001 WETH\. It also paid 0\.02 USDC /);
  });

  it.each<[string, CaseFile]>([
    [
      "what the account sent by its own call",
      caseWith(batch([usdc, transfer(paymaster, 20_000n)]), [cents, operationEvent(paymaster)]),
    ],
    [
      "what it sent of its own allowance",
      caseWith(batch([usdc, transferFrom(bob, paymaster, 20_000n)]), [cents, operationEvent(paymaster)]),
    ],
    [
      "what a call to the paymaster itself took",
      caseWith(batch([paymaster, "0x12345678"]), [cents, operationEvent(paymaster)]),
    ],
    [
      "what the call tree shows the account to have sent, though its calldata is not read",
      caseWith("0x12345678", [cents, operationEvent(paymaster)], {
        trace: traced(
          frame(alice, entryPoint, {
            input: operation("0x12345678"),
            calls: [
              frame(entryPoint, bob, {
                input: "0x12345678",
                calls: [
                  frame(bob, usdc, {
                    calls: [frame(usdc, vault, { type: "DELEGATECALL", logs: [{ ...cents, position: "0x0" }] })],
                  }),
                ],
              }),
            ],
            logs: [{ ...operationEvent(paymaster), position: "0x1" }],
          }),
        ),
      }),
    ],
    [
      "what a stranger's event says",
      caseWith(trade, [cents, operationEvent(paymaster, { at: vault }), operationEvent(zero)]),
    ],
    ["what another one got", caseWith(trade, [transferLog(usdc, bob, carol, 20_000n), operationEvent(paymaster)])],
    [
      "what a paymaster gives",
      caseWith(trade, [cents, transferLog(usdc, paymaster, bob, 30_000n), operationEvent(paymaster)]),
    ],
    [
      "more than one token: that is no gas",
      caseWith(trade, [cents, transferLog(dai, bob, paymaster, ether), operationEvent(paymaster)]),
    ],
    [
      "another amount than the paymaster's event says",
      caseWith(trade, [transferLog(usdc, bob, treasury, 20_001n), sponsored(usdc, 20_000n), operationEvent(pimlico)]),
    ],
    [
      "an amount that two accounts got",
      caseWith(trade, [
        transferLog(usdc, bob, treasury, 20_000n),
        transferLog(usdc, bob, carol, 20_000n),
        sponsored(usdc, 20_000n),
        operationEvent(pimlico),
      ]),
    ],
    [
      "an amount that a stranger's event says",
      caseWith(trade, [
        transferLog(usdc, bob, treasury, 20_000n),
        sponsored(usdc, 20_000n, vault),
        operationEvent(pimlico),
      ]),
    ],
  ])("is not: %s", (_what, file) => {
    expect(feesOf(file)).toEqual([]);
  });

  it.each<[string, RpcLog, bigint, number]>([
    ["so many times the cost", transferLog(usdc, bob, paymaster, 15_000_000n), ether / 1000n, 1],
    ["more than that, which the paymaster took", transferLog(usdc, bob, paymaster, 15_000_001n), ether / 1000n, 0],
    ["a little where gas cost next to nothing", transferLog(usdc, bob, paymaster, 600_000n), 1n, 1],
    ["more than a little", transferLog(usdc, bob, paymaster, 600_001n), 1n, 0],
    ["wrapped ether", transferLog(weth, bob, paymaster, ether / 200n), ether / 1000n, 1],
    ["more wrapped ether than gas costs", transferLog(weth, bob, paymaster, ether / 199n), ether / 1000n, 0],
    ["a token that nobody can measure", transferLog(token, bob, paymaster, 1n), ether / 1000n, 0],
  ])("is measured by what the gas cost: %s", (_what, taken, cost, fees) => {
    const price = { status: "found", source: "chainlink", eth_usd: "3000" } as const;
    const file = { ...caseWith(trade, [taken, operationEvent(paymaster, { cost })]), price };
    expect(feesOf(file)).toHaveLength(fees);
  });

  it("is measured by the highest price where none was found", () => {
    const [most, more] = [50_000_000n, 50_000_001n].map((amount) =>
      caseWith(trade, [transferLog(usdc, bob, paymaster, amount), operationEvent(paymaster, { cost: ether / 1000n })]),
    );
    expect([most, more].map((file) => feesOf(file as CaseFile).length)).toEqual([1, 0]);
  });

  it("stands beside what was sent to the same paymaster on purpose", () => {
    const sent = transferLog(usdc, bob, paymaster, 5_000_000n);
    const file = caseWith(batch([usdc, transfer(paymaster, 5_000_000n)]), [sent, cents, operationEvent(paymaster)]);
    expect(feesOf(file)).toEqual(["USDC 20000 paid"]);
    expect(explainCase(file).explanation.summary).toMatch(/ sent 5 USDC to 0x\S+\. It also paid 0\.02 USDC for gas\. /);
  });
});
