import { encodeErrorResult, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import type { CaseFile } from "../../src/model/case-file.ts";
import type { Explanation } from "../../src/model/explanation.ts";
import {
  alice,
  bob,
  calldata,
  caseOf,
  frame,
  logOf,
  metadata,
  token,
  traced,
  transferLog,
  vault,
  zero,
} from "../support/case-of.ts";
import { expectSound } from "./invariants.ts";
import { explainCase } from "./world.ts";

// Counterexamples that searches found, each in its smallest form. They stay, no matter what later searches find.

const explain = (file: CaseFile): Explanation => JSON.parse(expectSound(file));
const reverted = { status: "0x0" };

describe("found by search", () => {
  it("a block time after the year 9999 is no time", () => {
    expect(explain(caseOf({ block: { number: "0x1", timestamp: "0x3fffffffff" } })).timestamp).toBe(
      "2023-06-15T00:35:49Z",
    );
    expect(explain(caseOf({ block: { number: "0x1", timestamp: `0x${"f".repeat(64)}` } })).timestamp).toBe(
      "2023-06-15T00:35:49Z",
    );
    const last = explain(caseOf({ block: { number: "0x1", timestamp: "0x3afff4417f" } }));
    expect(last.timestamp).toBe("9999-12-31T23:59:59Z");
  });

  it.each(["0x0", "0x00"])("a status of %s is a failure", (status) => {
    expect(explain(caseOf({ receipt: { status, logs: [transferLog(token, alice, bob, 5n)] } }))).toMatchObject({
      status: "reverted",
      assets_moved: [],
    });
  });

  it("a bridge that delivers to the zero address acts for nobody", () => {
    const bridge = "0x4200000000000000000000000000000000000010";
    const event = "event ETHBridgeFinalized(address indexed from, address indexed to, uint256 amount, bytes extraData)";
    const logs = [logOf(bridge, event, { from: alice, to: zero, amount: 1n, extraData: "0x" })];
    const answer = explain(caseOf({ receipt: { logs } }));
    expect(answer.action_type).not.toBe("bridge_in");
  });

  it("an envelope that names the zero address names nobody", () => {
    const op = { sender: zero, nonce: 0n, initCode: "0x", callData: "0x12345678", paymasterAndData: "0x" } as const;
    const word = `0x${"0".repeat(64)}` as const;
    const input = calldata(
      "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
      [[{ ...op, accountGasLimits: word, preVerificationGas: 0n, gasFees: word, signature: "0x" }], bob],
    );
    const to = "0x0000000071727de22e5e9d8baf0edac6f37da032";
    const file = caseOf({ transaction: { to, input }, receipt: { ...reverted, logs: [] } });
    expect(explainCase(file).evidence().subject).toBe(alice);
    explain(file);
  });

  it("the zero address is no token", () => {
    const event =
      "event CreateMarket(bytes32 indexed id, (address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams)";
    const market = { loanToken: zero, collateralToken: alice, oracle: bob, irm: bob, lltv: 1n };
    const logs = [
      logOf("0xbbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb", event, { id: `0x${"0".repeat(64)}`, marketParams: market }),
    ];
    const file = caseOf({
      receipt: { logs },
      trace: { source: "internal_transfers", provider: "explorer.example", internal_transfers: [] },
    });
    expect(explain(file).summary).not.toContain("0x0000…0000");
  });

  it("ether that a deposit makes has no token that could be named", () => {
    // The deposit makes a part of the ether itself. The called contract is a listed token, and the function is none that it has.
    const transaction = {
      to: "0x00000000a22c618fd6b4d7e9a335c4b96b189a38",
      input: `0xcf190f34${"0".repeat(64)}`,
      ...{ type: "0x7e", value: "0x1ff", mint: "0xff" },
    } as const;
    const trace = {
      source: "internal_transfers",
      provider: "explorer.example",
      internal_transfers: [],
    } satisfies CaseFile["trace"];
    expect(explain(caseOf({ transaction, trace, receipt: { logs: [] } })).summary).toMatch(/[.]$/);
  });

  it("what is burned by the way went to nobody", () => {
    const listed = "0x00000000a22c618fd6b4d7e9a335c4b96b189a38";
    const event =
      "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)";
    const burned = logOf(listed, event, { operator: bob, from: alice, to: zero, id: 7n, value: 5n });
    const file = caseOf({
      transaction: { to: vault, input: "0x12345678", mint: "0x1" },
      receipt: { logs: [burned, transferLog(token, alice, bob, 7n)] },
    });
    expect(explain(file).summary).toContain("of which 5 × TOWNS #7 was burned");
  });

  it("a reason that is a hash or an address is shortened", () => {
    const errors = parseAbi(["error Error(string)"]);
    const output = encodeErrorResult({ abi: errors, args: [`0x${"ab".repeat(32)} ${"0".repeat(64)}`] });
    const trace = traced(frame(alice, vault, { error: "execution reverted", output }));
    const { summary } = explain(caseOf({ receipt: { ...reverted, logs: [] }, trace }));
    expect(summary).toMatch(/The reason: "0xabab…abab 000000…0000"\.$/);
  });

  it("markup and marks in a symbol never reach the sentence", () => {
    for (const symbol of ["<b>USD</b>", "\u202eCDSU", "a`b`", "[x](y)", "US\u200bDC", "\ud800", " USDC", "U\nSDC"]) {
      const file = caseOf({
        transaction: { to: token, input: calldata("function transfer(address to, uint256 value)", [bob, 5n]) },
        receipt: { logs: [transferLog(token, alice, bob, 5n)] },
        tokens: { [token]: metadata(symbol, 6) },
      });
      const { summary } = explain(file);
      expect(summary).toMatch(/^0xA1A1…a1a1 sent 0\.000005 (?:token 0x7070…7070|"[A-Z]+") to 0xB0B0…B0b0/i);
    }
  });
});
