import { describe, expect, it } from "vitest";
import { decide } from "../../src/engine/spine.ts";
import type { RpcFrame, RpcLog } from "../../src/model/case-file.ts";
import {
  alice,
  bob,
  calldata,
  carol,
  caseOf,
  frame,
  logOf,
  traced,
  transferLog,
  usdc,
  vault,
} from "../support/case-of.ts";
import { shippedWorld } from "./world.ts";

const { ruleset, labels } = shippedWorld();
const amount = 5_000_000_000n;
const approvalEvent = "event Approval(address indexed owner, address indexed spender, uint256 value)";

/** The summary where alice's transaction makes the vault call bob. Bob runs code that anybody may call, for example by EIP-7702. */
function tell(acts: readonly RpcFrame[], { by = vault, logs = [] as RpcLog[] } = {}): string {
  const swept = frame(by, bob, { input: "0xabcdef01", calls: [...acts], logs: logs as never });
  const root = by === alice ? swept : frame(alice, by, { input: "0x12345678", calls: [swept] });
  const written = [...acts.flatMap((act) => (act.logs ?? []) as RpcLog[]), ...logs];
  const transaction = { to: root.to as string, input: root.input as string };
  return decide(caseOf({ transaction, receipt: { logs: written }, trace: traced(root) }), ruleset, labels).explanation
    .summary;
}

const pays = (to: string) =>
  frame(bob, usdc, {
    input: calldata("function transfer(address,uint256)", [to, amount]),
    logs: [transferLog(usdc, bob, to, amount)] as never,
  });
const allows = frame(bob, usdc, {
  input: calldata("function approve(address,uint256)", [carol, 2n ** 256n - 1n]),
  logs: [logOf(usdc, approvalEvent, { owner: bob, spender: carol, value: 2n ** 256n - 1n })] as never,
});
const sendsEther = frame(bob, carol, { value: `0x${(10n ** 19n).toString(16)}` });
const called = "0xA1A1…a1a1 called 0x5a5A…5A5A.";

describe("an account that runs code for whoever calls it", () => {
  it("is told with what it lost by way of a contract, whoever got it", () => {
    expect(tell([pays(carol)])).toBe(`${called} 0xB0B0…B0B0 sent 5,000 USDC to 0xC4c4…c4C4.`);
    expect(tell([pays(vault)])).toBe(`${called} 0xB0B0…B0B0 sent 5,000 USDC to 0x5a5A…5A5A.`);
    expect(tell([pays(alice)])).toBe(
      "0xA1A1…a1a1 called 0x5a5A…5A5A, receiving 5,000 USDC from 0xB0B0…B0B0. What the call was for is not known.",
    );
    expect(tell([sendsEther])).toBe(`${called} 0xB0B0…B0B0 sent 10 ETH to 0xC4c4…c4C4.`);
  });

  it("is told with the right that it gave", () => {
    expect(tell([allows])).toBe(`${called} 0xB0B0…B0B0 allowed 0xC4c4…c4C4 to spend unlimited USDC.`);
  });

  it("is told whatever else its code does", () => {
    const code = frame(bob, carol, { type: "DELEGATECALL" });
    const own = logOf(bob, "event Swept(uint256 value)", { value: amount });
    expect(tell([code, pays(carol)], { logs: [own] })).toBe(`${called} 0xB0B0…B0B0 sent 5,000 USDC to 0xC4c4…c4C4.`);
  });

  it("is told as before where it was called itself", () => {
    expect(tell([pays(carol)], { by: alice })).toBe("0xA1A1…a1a1 had 0xB0B0…B0B0 send 5,000 USDC to 0xC4c4…c4C4.");
  });
});
