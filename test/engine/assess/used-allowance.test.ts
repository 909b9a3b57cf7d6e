import { encodeFunctionData, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { findGrants } from "../../../src/engine/assess/grants/grants.ts";
import { labelsOf, tokenOf } from "../../support/labels.ts";
import { actOf, alice, approval, approveCall, caseOf, router, spender, token } from "./scene.ts";

const taking = encodeFunctionData({
  abi: parseAbi(["function transferFrom(address from, address to, uint256 amount)"]),
  args: [alice, router, 40n],
});
const act = actOf(
  caseOf({ to: token, input: approveCall(spender, 100n), logs: [approval(token, alice, spender, 100n)] }),
  labelsOf({ tokens: [tokenOf(token, "UNI")] }),
);
const taken = { index: 2, ok: true, from: spender, to: token, kind: "call", input: taking };

/** How much is left of an allowance of 100 that was given in call 1, and whether it still exists. */
function left(calls: readonly object[], traced = true) {
  const logs = act.tx.logs.map((log) => ({ ...log, call: 1 }));
  const [grant] = findGrants({ ...act, tx: { ...act.tx, logs, calls, traced } } as never);
  return [grant?.amount, grant?.stands];
}

describe("what is left of an allowance", () => {
  it.each<[string, object[], bigint]>([
    ["all, where nobody took anything", [], 100n],
    ["less by what the spender took", [taken], 60n],
    ["less by each time he took", [taken, { ...taken, index: 3 }], 20n],
    ["all, where he took before it was given", [{ ...taken, index: 1 }], 100n],
    ["all, where he failed", [{ ...taken, ok: false }], 100n],
    ["all, where he ran the token's code himself", [{ ...taken, kind: "delegatecall" }], 100n],
    ["all, where somebody else took", [{ ...taken, from: router }], 100n],
    ["all, where he took of another token", [{ ...taken, to: router }], 100n],
    [
      "all, where he took of somebody else",
      [{ ...taken, input: taking.replace(alice.slice(2), router.slice(2)) }],
      100n,
    ],
    ["all, where he called something else", [{ ...taken, input: `0x12345678${taking.slice(10)}` }], 100n],
    ["all, where the call names no amount", [{ ...taken, input: taking.slice(0, -1) }], 100n],
  ])("is %s", (_, calls, amount) => {
    expect(left(calls)).toEqual([amount, true]);
  });

  it("is nothing where all of it was taken, or more", () => {
    const all = [taken, { ...taken, index: 3 }, { ...taken, index: 4 }];
    expect(left(all)).toEqual([0n, false]);
    expect(left([taken, { ...taken, index: 3, input: taking.replace(/28$/, "3c") }])).toEqual([0n, false]);
  });

  it("is not known without a call tree", () => {
    expect(left([taken], false)).toEqual([100n, true]);
  });
});
