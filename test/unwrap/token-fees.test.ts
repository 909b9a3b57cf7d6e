import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import type { CaseFile, RpcLog } from "../../src/model/case-file.ts";
import { normalize } from "../../src/normalize/normalize.ts";
import { GateKeeper } from "../../src/unwrap/gates.ts";
import { unwrap } from "../../src/unwrap/unwrap.ts";
import { explainCase, labels, ruleset } from "../property/world.ts";
import {
  alice,
  bob,
  calldata,
  carol,
  caseOf,
  frame,
  logOf,
  token,
  traced,
  transferLog,
  usdc,
  vault,
  weth,
  zero,
} from "../support/case-of.ts";

const entryPoint = "0x0000000071727de22e5e9d8baf0edac6f37da032";
const pimlico = "0x00000000000000fb866daaa79352cc568a005d96";
const dai = "0x50c5725949a6f0c72e6c4a641f24049a917db0cb";
const word = `0x${"0".repeat(64)}` as const;
const ether = 10n ** 18n;
/** A paymaster and its purse. */
const [paymaster, treasury] = [`0x${"fe".repeat(20)}`, `0x${"fd".repeat(20)}`];

const handleOps =
  "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)";
const operation = (callData: Hex) =>
  calldata(handleOps, [
    [
      {
        ...{ sender: bob, nonce: 1n, initCode: "0x", callData, accountGasLimits: word, preVerificationGas: 0n },
        ...{ gasFees: word, paymasterAndData: "0x", signature: "0xab" },
      },
    ],
    alice,
  ]);
const operationEvent = (by: string, { at = entryPoint, success = true, cost = 1n } = {}): RpcLog =>
  logOf(
    at,
    "event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)",
    { userOpHash: word, sender: bob, paymaster: by, nonce: 1n, success, actualGasCost: cost, actualGasUsed: 1n },
  );
const sponsored = (of: string, amount: bigint, at = pimlico): RpcLog =>
  logOf(
    at,
    "event UserOperationSponsored(bytes32 indexed userOpHash, address indexed user, uint8 paymasterMode, address token, uint256 tokenAmountPaid, uint256 exchangeRate)",
    { userOpHash: word, user: bob, paymasterMode: 1, token: of, tokenAmountPaid: amount, exchangeRate: 1n },
  );
const batch = (...calls: [string, Hex][]) =>
  calldata("function executeBatch((address target, uint256 value, bytes data)[] calls)", [
    calls.map(([target, data]) => ({ target, value: 0n, data })),
  ]);
const approve = (spender: string) =>
  calldata("function approve(address spender, uint256 amount)", [spender, 10n ** 9n]);
const transfer = (to: string, amount: bigint) =>
  calldata("function transfer(address to, uint256 amount)", [to, amount]);
const transferFrom = (from: string, to: string, amount: bigint) =>
  calldata("function transferFrom(address from, address to, uint256 amount)", [from, to, amount]);

const caseWith = (callData: Hex, logs: RpcLog[], rest: Parameters<typeof caseOf>[0] = {}): CaseFile =>
  caseOf({ ...rest, transaction: { to: entryPoint, input: operation(callData) }, receipt: { logs } });

/** Fees, as `token amount to`. */
function feesOf(file: CaseFile): string[] {
  const tx = normalize(file, labels);
  const names: Record<string, string> = { [usdc]: "USDC", [dai]: "DAI", [token]: "token" };
  return unwrap(tx, ruleset, new GateKeeper(tx, file)).tx.movements.flatMap(({ fee, token: of, amount, to }) =>
    fee ? `${names[of ?? ""]} ${amount} ${to === bob ? "back" : "paid"}` : [],
  );
}

const swap = [transferLog(dai, bob, vault, 5n * ether), transferLog(weth, vault, bob, ether / 1000n)];
const trade = batch([usdc, approve(paymaster)], [vault, "0x12345678"]);
const cents = transferLog(usdc, bob, paymaster, 20_000n);

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
