import { numberToHex } from "viem";
import { describe, expect, it } from "vitest";
import type { CaseFile } from "../../../src/model/case-file.ts";
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
  weth,
} from "../../support/case-of.ts";
import { compileShipped, decideBy, runStages } from "../../support/own-rules.ts";

const ruleset = compileShipped("oneinch", "erc20", "flow");
const router = "0x111111125421ca6dc452d289314280a0f8842a65";
const fill = calldata(
  "function fillOrder((uint256 salt, uint256 maker, uint256 receiver, uint256 makerAsset, uint256 takerAsset, uint256 makingAmount, uint256 takingAmount, uint256 makerTraits) order, bytes32 r, bytes32 vs, uint256 amount, uint256 takerTraits)",
  [
    [1n, BigInt(alice), 0n, BigInt(token), BigInt(weth), 7n, 9n, 0n],
    numberToHex(1, { size: 32 }),
    numberToHex(2, { size: 32 }),
    7n,
    0n,
  ],
);
const logs = [
  transferLog(token, alice, bob, 7n),
  transferLog(weth, bob, alice, 9n),
  logOf(router, "event OrderFilled(bytes32 orderHash, uint256 remainingAmount)", {
    orderHash: numberToHex(3, { size: 32 }),
    remainingAmount: 0n,
  }),
];

/** Carol makes the resolver bob fill alice's order. The calldata does not show the fill. */
function filled(trace?: CaseFile["trace"]): CaseFile {
  const transaction = { from: carol, to: bob, input: "0x99999999" } as const;
  return caseOf({ transaction, receipt: { logs }, ...(trace === undefined ? {} : { trace }) });
}

const tree = (inner: Parameters<typeof frame>[2], to: string = router) =>
  traced(
    frame(carol, bob, {
      input: "0x99999999",
      calls: [
        frame(bob, to, { input: fill, ...inner }),
        ...[router, token, weth].map((emitter) => frame(bob, emitter as typeof bob)),
      ],
    }),
  );

describe("calls between contracts", () => {
  it("name the owner of an order that a resolver fills", () => {
    const { explanation, evidence } = decideBy(ruleset, filled(tree({})));
    expect(explanation.action_type).toBe("swap");
    expect(evidence()).toMatchObject({
      subject: alice,
      actions: [{ rule: "oneinch/order-filled", calls: [] }],
      calls: [{ id: 0 }],
    });
  });

  it.each<[string, CaseFile["trace"] | undefined]>([
    ["without a call tree", undefined],
    ["in a frame that failed", tree({ error: "execution reverted" })],
    ["at a stranger", tree({}, token)],
    ["by a delegatecall", tree({ type: "DELEGATECALL" })],
  ])("name nobody %s", (_what, trace) => {
    const { settled } = runStages(filled(trace), ruleset);
    expect(settled.actions.map(({ rule }) => rule.protocol)).not.toContain("oneinch");
  });

  it("are no account's own act: a rule without `acts_for` is not about them", () => {
    const swap = frame(alice, router, { input: "0x12345678" });
    const trace = traced(frame(carol, bob, { input: "0x99999999", calls: [swap] }));
    const own = runStages({ ...filled(trace), receipt: { ...filled().receipt, logs: logs.slice(0, 2) } }, ruleset);
    expect(own.settled.actions.map(({ rule }) => rule.protocol)).not.toContain("oneinch");
  });
});
