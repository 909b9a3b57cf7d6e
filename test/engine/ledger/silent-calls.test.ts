import { describe, expect, it } from "vitest";
import { alice, bob, calldata, carol, frame, transferLog, usdc, vault } from "../../support/case-of.ts";
import { explain, logs } from "../shipped-answer.ts";

const pay = calldata("function transfer(address to, uint256 amount)", [bob, 1_000_000n]);
const make = (other: string) => calldata("function makeKeeper(address keeper, uint256 number)", [other, 7n]);

/** Alice is an account that calls itself with a batch: it pays bob and makes one further call to the vault. */
function batch(further: `0x${string}`, more: Parameters<typeof explain>[0] = {}) {
  const input = calldata("function executeBatch((address target, uint256 value, bytes data)[] calls)", [
    [
      { target: usdc, value: 0n, data: pay },
      { target: vault, value: 0n, data: further },
    ],
  ]);
  const list = [transferLog(usdc, alice, bob, 1_000_000n)];
  return explain({ transaction: { to: alice, input }, ...logs(...list), ...more });
}

describe("a call that no act accounts for", () => {
  it("is told with whom its arguments name, and the answer is partial", () => {
    const { summary, partial } = batch(make(carol));
    expect(summary).toMatch(/sent 1 USDC to 0xb0b0…b0b0\. It also called 0x5A5A…5a5A with 0xC4c4…c4c4 as an argument/i);
    expect(partial).toBe(true);
  });

  it("is told without anybody where it names nobody but the account itself", () => {
    const { summary } = batch(make(alice));
    expect(summary).toMatch(/It also called 0x5A5A…5a5A\./i);
  });

  it("is not told where a call tree shows that it only read", () => {
    const read = frame(alice, vault, { type: "STATICCALL", input: make(carol) });
    const root = frame(alice, alice, { input: "0x", calls: [frame(alice, usdc, { input: pay }), read] });
    expect(batch(make(carol), { trace: { source: "debug_traceTransaction", root } }).summary).not.toMatch(
      /as an argument/,
    );
  });
});
