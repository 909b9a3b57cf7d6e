import { describe, expect, it } from "vitest";
import { limits } from "../../../src/kernel/limits.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";
import { explainCase } from "../../property/world.ts";
import { alice, bob, calldata, carol, caseOf, logOf, token, transferLog, usdc, vault } from "../../support/case-of.ts";

const approval = (at: string, owner: string, spender: string): RpcLog =>
  logOf(at, "event Approval(address indexed owner, address indexed spender, uint256 value)", {
    owner,
    spender,
    value: 7n,
  });
const approve = calldata("function approve(address spender, uint256 amount)", [vault, 7n]);
const explain = (logs: RpcLog[]) =>
  explainCase(caseOf({ transaction: { to: usdc, input: approve }, receipt: { logs } })).explanation;
const many = (count: number, log: RpcLog) => Array.from({ length: count }, () => log);

describe("rules are tried on no more logs than the limit", () => {
  it("but on those about the sender before those about others", () => {
    const junk = many(limits.matchedLogsMax + 5, approval(token, bob, carol));
    const { summary, partial } = explain([...junk, approval(usdc, alice, vault)]);
    expect(summary).toMatch(
      / allowed 0x5a5A…5A5A to spend 0\.000007 USDC\. .*Not everything was read: the meaning of 6 logs /i,
    );
    expect(partial).toBe(true);
  });

  it("and on all of them at the limit", () => {
    const junk = many(limits.matchedLogsMax - 1, approval(token, bob, carol));
    expect(explain([...junk, approval(usdc, alice, vault)]).summary).not.toContain("Not everything was read");
  });

  it("and on fewer if much moved, which is still told", () => {
    const moved = Array.from({ length: 4_000 }, (_, i) => transferLog(token, bob, carol, BigInt(i + 1)));
    const junk = many(limits.matchedLogStepsMax / 4_000, approval(token, bob, carol));
    const { summary } = explain([...moved, ...junk, approval(usdc, alice, vault)]);
    expect(summary).toMatch(/ to spend 0\.000007 USDC\. .*Not everything was read: the meaning of 1 logs /);
  });
});
