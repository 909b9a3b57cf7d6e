import { encodePacked, type Hex } from "viem";
import { describe, expect, it } from "vitest";
import { bob, calldata, carol, vault } from "../../support/case-of.ts";
import { encodedCalls, executeByMode, type InnerCall } from "../../support/envelopes.ts";
import { unwrapped } from "./shipped-wrappers.ts";

describe("ERC-7579 and ERC-7821 execute", () => {
  const twoCalls: InnerCall[] = [
    { target: bob, value: 1n, data: "0x01020304" },
    { target: carol, value: 0n, data: "0x" },
  ];

  it("single: target, value and data, packed", () => {
    const data = encodePacked(["address", "uint256", "bytes"], [bob, 5n, "0xabcdef01"]);
    const found = unwrapped(vault, executeByMode("0x00", data));
    expect(found.subject).toBe(vault);
    expect(found.calls.slice(1)).toMatchObject([
      { from: vault, to: bob, actor: vault, value: 5n, input: "0xabcdef01" },
    ]);
  });

  it("batch: an encoded list, in the account's name", () => {
    const found = unwrapped(vault, executeByMode("0x01", encodedCalls(twoCalls)));
    expect(found.calls.slice(1).map(({ to, value, input }) => [to, value, input])).toEqual([
      [bob, 1n, "0x01020304"],
      [carol, 0n, "0x"],
    ]);
  });

  it.each<[string, Hex]>([
    ["a batch with a byte more", executeByMode("0x01", `${encodedCalls(twoCalls)}00`)],
    ["a single call without its value", executeByMode("0x00", bob)],
    ["a batch under the mode of a single call", executeByMode("0x00", "0x01")],
  ])("leaves %s opaque", (_what, input) => {
    expect(unwrapped(vault, input).calls.map(({ state }) => state)).toEqual(["opaque"]);
  });

  it("does not follow a mode that it does not know", () => {
    expect(unwrapped(vault, executeByMode("0xfe", encodedCalls(twoCalls))).calls).toHaveLength(1);
  });

  it("delegate: the code of another contract, as the account's own", () => {
    const [, inner] = unwrapped(vault, executeByMode("0xff", `${bob}01020304` as Hex)).calls;
    expect(inner).toMatchObject({ from: vault, to: bob, value: 0n, input: "0x01020304", delegate: true });
  });

  it("executeBatch in lists needs lists of one length", () => {
    const lists = "function executeBatch(address[] dest, uint256[] value, bytes[] func)";
    const good = unwrapped(
      vault,
      calldata(lists, [
        [bob, carol],
        [1n, 2n],
        ["0x01020304", "0x"],
      ]),
    );
    expect(good.calls.slice(1).map(({ to, value }) => [to, value])).toEqual([
      [bob, 1n],
      [carol, 2n],
    ]);
    expect(
      unwrapped(vault, calldata(lists, [[bob, carol], [1n], ["0x", "0x"]])).calls.map(({ state }) => state),
    ).toEqual(["opaque"]);
  });
});
