import { describe, expect, it } from "vitest";
import { shorten } from "../../../src/kernel/address.ts";
import type { RpcFrame } from "../../../src/model/case-file.ts";
import type { AssetMoved } from "../../../src/model/explanation.ts";
import {
  alice,
  bob,
  calldata,
  carol,
  caseOf,
  frame,
  token,
  transferLog,
  usdc,
  vault,
  weth,
} from "../../support/case-of.ts";
import { lawsBroken, movedToken, movedUsdc, spokePool, taking, thousand, told, tracedCase } from "./scene.ts";

const [a, b, c] = [alice, bob, carol].map(shorten);

/** Alice calls the vault, which takes 1,000 USDC of hers for the receiver. */
function takenFor(receiver: string, calls: RpcFrame[] = []) {
  const logs = [transferLog(usdc, alice, receiver, thousand)];
  return tracedCase([taking(vault, usdc, alice, receiver, thousand), ...calls], { receipt: { logs } });
}

const says = (summary: string, action_type: string, moved: AssetMoved[] = [movedUsdc(alice, bob, thousand)]) =>
  told(summary, moved, { action_type });
const bridged = "bridged 1,000 USDC to OP Mainnet through Across";

/** Every law but the one of balance: the answers here are written by hand and list only what matters to a name. */
const otherLaws = (...given: Parameters<typeof lawsBroken>) => lawsBroken(...given).filter((law) => law !== 10);

describe("law 4: a protocol's name", () => {
  it("covers what ended at the protocol's contract", () => {
    const answer = says(`${a} ${bridged}.`, "bridge_out", [movedUsdc(alice, spokePool, thousand)]);
    expect(otherLaws(takenFor(spokePool), answer)).toEqual([]);
  });

  it("covers what the protocol's contract sent on, inside the call to it", () => {
    const inside = frame(alice, spokePool, { calls: [taking(spokePool, usdc, alice, bob, thousand)] });
    const file = tracedCase([inside], { receipt: { logs: [transferLog(usdc, alice, bob, thousand)] } });
    expect(otherLaws(file, says(`${a} ${bridged}.`, "bridge_out"))).toEqual([]);
  });

  it("does not cover what a stranger took beside a call to it", () => {
    const file = takenFor(bob, [frame(vault, spokePool)]);
    expect(otherLaws(file, says(`${a} ${bridged}.`, "bridge_out"))).toEqual([4]);
    expect(otherLaws(file, says(`${a} ${bridged}, and 1,000 USDC to ${b}.`, "bridge_out"))).toEqual([]);
    expect(otherLaws(file, says(`${a} called ${c}, giving 1,000 USDC.`, "contract_interaction"))).toEqual([]);
  });

  it("does not cover a stranger at the end of a chain of forwarders, except for a fee", () => {
    const pass = (to: string, amount: bigint) => ({
      log: transferLog(usdc, carol, to, amount),
      call: frame(carol, usdc, {
        input: calldata("function transfer(address to, uint256 value)", [to, amount]),
      }),
    });
    const passedOn = (fee: bigint) => {
      const parts = [pass(bob, fee), pass(spokePool, thousand - fee)];
      const logs = [transferLog(usdc, alice, carol, thousand), ...parts.map(({ log }) => log)];
      const calls = [taking(vault, usdc, alice, carol, thousand), ...parts.map(({ call }) => call)];
      return tracedCase(calls, { receipt: { logs } });
    };
    const answer = says(`${a} ${bridged}.`, "bridge_out", [movedUsdc(alice, carol, thousand)]);
    expect(otherLaws(passedOn(thousand / 100n), answer)).toEqual([]);
    expect(otherLaws(passedOn(thousand / 2n), answer)).toEqual([4]);
  });

  it("covers a stranger's token if that is all that was given, but not if it is dust beside other assets", () => {
    const junk = movedToken({ symbol: "JUNK", address: token, decimals: 18 }, alice, bob, thousand);
    const file = (others: [string, string][]) => {
      const moves = [[token, bob], ...others] as [string, string][];
      return tracedCase(
        moves.map(([of, to]) => taking(vault, of, alice, to, thousand)),
        { receipt: { logs: moves.map(([of, to]) => transferLog(of, alice, to, thousand)) } },
      );
    };
    const alone = told(`${a} bridged 1,000 JUNK to OP Mainnet through Across.`, [junk], { action_type: "bridge_out" });
    expect(otherLaws(file([]), alone)).toContain(4);
    const beside = says(`${a} ${bridged}.`, "bridge_out", [movedUsdc(alice, spokePool, thousand), junk]);
    expect(otherLaws(file([[usdc, spokePool]]), beside)).not.toContain(4);
    // A listed token counts beside others, too.
    expect(otherLaws(file([[usdc, bob]]), says(`${a} ${bridged}.`, "bridge_out"))).toContain(4);
  });

  it("is not judged without a call tree, unless a stranger got as much as the protocol", () => {
    const half = thousand / 2n;
    const file = caseOf({ receipt: { logs: [transferLog(usdc, alice, bob, thousand)] } });
    expect(otherLaws(file, says(`${a} ${bridged}.`, "bridge_out"))).toEqual([]);
    const logs = [transferLog(usdc, alice, spokePool, half), transferLog(usdc, alice, bob, half)];
    const moved = [movedUsdc(alice, spokePool, half), movedUsdc(alice, bob, half)];
    expect(otherLaws(caseOf({ receipt: { logs } }), says(`${a} ${bridged}.`, "bridge_out", moved))).toEqual([4]);
    const told = says(`${a} ${bridged}, and 500 USDC to ${b}.`, "bridge_out", moved);
    expect(otherLaws(caseOf({ receipt: { logs } }), told)).toEqual([]);
  });
});

describe("law 4: an exchange at a stranger's contract", () => {
  const answer = says(`${a} swapped 1,000 USDC for 0.3 WETH.`, "swap");
  const exchange = (giver: string, asset: string) => {
    const logs = [transferLog(usdc, alice, bob, thousand), transferLog(asset, giver, alice, 5n)];
    return tracedCase([taking(vault, usdc, alice, bob, thousand)], { receipt: { logs } });
  };

  it("is an exchange if the account that got the money gave something", () => {
    expect(otherLaws(exchange(bob, weth), answer)).toEqual([]);
    expect(otherLaws(exchange(bob, token), answer)).toEqual([]);
  });

  it("is not an exchange if another account gave it, with a call tree or without", () => {
    expect(otherLaws(exchange(carol, weth), answer)).toEqual([4]);
    const untraced = caseOf({ receipt: exchange(carol, weth).receipt });
    expect(otherLaws(untraced, answer)).toEqual([4]);
    expect(otherLaws(untraced, says(`${a} swapped 1,000 USDC for 0.3 WETH on Uniswap.`, "swap"))).toEqual([4]);
    expect(otherLaws(exchange(carol, weth), says(`${a} sent 1,000 USDC to ${b}.`, "swap"))).toEqual([]);
  });

  it("has no price next to a protocol's name if the token is one that anybody can create", () => {
    const named = says(`${a} swapped 1,000 USDC for 5 tokens on Uniswap.`, "swap");
    expect(otherLaws(exchange(bob, token), named)).toEqual([4]);
    expect(otherLaws(exchange(bob, weth), named)).toEqual([]);
  });

  it("is not judged for what the summary leaves open", () => {
    const open = told(
      `${a} claimed 5 tokens on Uniswap. 1,000 USDC sent is not explained.`,
      [movedUsdc(alice, bob, thousand)],
      { action_type: "claim", partial: true },
    );
    expect(otherLaws(exchange(carol, weth), open)).toEqual([]);
  });
});
