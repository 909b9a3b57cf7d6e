import { describe, expect, it } from "vitest";
import { checksum, shorten, toAddress, zeroAddress } from "../../../src/kernel/address.ts";
import { alice, bob, usdc } from "../../support/case-of.ts";
import { vault } from "./descriptor-folder.ts";
import { functionOf, start, tell, told } from "./told-call.ts";

describe("the rules of visibility", () => {
  const fields = (visible: unknown) => [{ path: "a", label: "Info", format: "raw", visible }];
  const call = (visible: unknown, a: bigint) =>
    tell({ signature: functionOf("uint256 a"), format: { fields: fields(visible) }, args: [a] });

  it("tell a field, or not, by its value", () => {
    expect(call("always", 0n)).toBe(`${start}, with info 0.`);
    expect(call("never", 0n)).toBe(`${start}.`);
    expect(call({ ifNotIn: ["0", 5] }, 4n)).toBe(`${start}, with info 4.`);
    expect(call({ ifNotIn: ["0", 5] }, 5n)).toBe(`${start}.`);
  });

  it.each([
    ["uint256[] a", "a.[]", [0], [[0n, 5n]], ", with info 5"],
    ["uint256[] a", "a.[]", [0, 5], [[0n, 5n]], ""],
    ["bytes a", "a.[0:4]", ["0x00000000"], ["0x0000000000"], ""],
    ["bytes a", "a.[-2:]", [0], ["0x000005"], ", with info 5"],
    ["uint256[] a", "a.length", [0], [[]], ""],
    ["uint256[] a", "a.length", [0], [[7n]], ", with info 1"],
    ["address a", "@.from", [bob], [bob], `, with info ${shorten(alice)}`],
    ["address a", "@.from", [alice], [bob], ""],
  ] as const)("tell of %s what is at %s unless it is one of %j", (parameters, path, ifNotIn, args, ending) => {
    expect(told(parameters, { path, visible: { ifNotIn } }, args)).toBe(`${start}${ending}.`);
  });

  it.each(["mustMatch", "mustBe"])("keep a descriptor off calls that it is not about (%s)", (rule) => {
    expect(call({ [rule]: ["0x5", "$.metadata.constants.third"] }, 3n)).toBe(`${start}.`);
    expect(call({ [rule]: ["0x5", "$.metadata.constants.third"] }, 4n)).not.toContain("do it");
  });

  it("tell what stands for the sender as the sender", () => {
    const field = { path: "a", format: "addressName", params: { senderAddress: [bob] } };
    expect(told("address a", field, [bob])).toBe(`${start}, with info the sender.`);
    expect(told("address a", field, [alice])).toBe(`${start}, with info ${shorten(alice)}.`);
  });
});

describe("the rules of order", () => {
  it("put first what is required, and leave out what is optional or excluded", () => {
    const three = ["a", "b", "c"].map((path) => ({ path, label: `Of ${path}`, format: "raw" }));
    const call = { signature: functionOf("uint256 a,uint256 b,uint256 c"), args: [1n, 2n, 3n] };
    const say = (format: object) => tell({ ...call, format: { fields: three, ...format } });
    expect(say({})).toBe(`${start}, with of a 1, of b 2 and of c 3.`);
    expect(say({ required: ["#.c"] })).toBe(`${start}, with of c 3, of a 1 and of b 2.`);
    expect(say({ excluded: ["a"] })).toBe(`${start}, with of b 2 and of c 3.`);
    const optional = three.map((field, i) => (i === 0 ? { ...field, visible: "optional" } : field));
    expect(say({ fields: optional })).toBe(`${start}, with of b 2, of c 3 and of a 1.`);
  });

  it("put amounts before addresses, and constants last", () => {
    const fields = [
      { value: "$.metadata.constants.ticker", label: "Ticker", format: "raw" },
      { path: "n", label: "Number", format: "raw" },
      { path: "to", label: "To", format: "addressName" },
      { path: "a", label: "Amount", format: "tokenAmount", params: { token: checksum(usdc) } },
    ];
    const call = { signature: functionOf("uint256 n,address to,uint256 a"), args: [7n, bob, 5_000_000n] };
    expect(tell({ ...call, format: { fields } })).toBe(
      `${start}, with amount 5 USDC, to ${shorten(bob)}, number 7 and ticker vUSDC.`,
    );
  });

  it("leave out one field that cannot be told, and tell the others", () => {
    const fields = [
      { path: "m", label: "Mode", format: "raw" },
      { path: "n", label: "Number", format: "raw" },
    ];
    const call = { signature: functionOf("string m,uint256 n"), format: { fields } };
    expect(tell({ ...call, args: ["", 7n] })).toBe(`${start}, with number 7.`);
  });

  it("count the fields that there is no room for", () => {
    const words = Array.from({ length: 6 }, (_, i) => `bytes32 w${i}`);
    const fields = words.map((_, i) => ({ path: `w${i}`, label: `Word ${i}`, format: "raw" }));
    const args = words.map((_, i) => `0x${`a${i}`.repeat(32)}`);
    expect(tell({ signature: functionOf(words.join(",")), format: { fields }, args })).toMatch(/ and 2 more fields\.$/);
  });
});

describe("an interpolated intent", () => {
  const fields = [
    { path: "a", label: "Amount", format: "tokenAmount", params: { tokenPath: "t" } },
    { path: "to", label: "To", format: "addressName" },
    { path: "n", label: "Not Told", format: "raw" },
  ];
  const signature = functionOf("uint256 a,address t,address to,uint256 n");
  const say = (interpolatedIntent: unknown, args: unknown[] = [5_000_000n, usdc, bob, 9n]) =>
    tell({ signature, format: { fields, interpolatedIntent }, args });

  it("is told with its values instead of intent and fields", () => {
    expect(say("Send {a} to {#.to}.")).toBe(
      `${shorten(alice)} called ${shorten(toAddress(vault))} to send 5 USDC to ${shorten(bob)}, with not told 9.`,
    );
  });

  it("gives way to the intent when a value cannot be told", () => {
    expect(say("Send {a} to {to}", [0n, usdc, bob, 9n])).toBe(
      `${start}, with amount 0 USDC, to ${shorten(bob)} and not told 9.`,
    );
    for (const text of ["Send {gone}", "Send {{a}}", "{a} is sent", "Send <b>{a}</b>", 5])
      expect(say(text)).toBe(`${start}, with amount 5 USDC, to ${shorten(bob)} and not told 9.`);
  });
});

describe("an interpolated intent", () => {
  const call = (to: string, reverted: boolean) => {
    const fields = [{ path: "to", label: "To", format: "addressName" }];
    const format = { intent: "Do it", interpolatedIntent: "Do it for {to}", fields };
    return tell({ signature: functionOf("address to"), format, args: [to], reverted });
  };

  it("gives way to the plain one where a value is nothing, also when the call reverted", () => {
    const attempt = `${start.replace("called", "tried to call")}`;
    const why = "but the transaction reverted. The reason is not known.";
    expect(call(bob, false)).toBe(`${start} for ${shorten(bob)}.`);
    expect(call(zeroAddress, false)).toBe(`${start}, with to ${zeroAddress}.`);
    expect(call(bob, true)).toBe(`${attempt} for ${shorten(bob)}, ${why}`);
    expect(call(zeroAddress, true)).toBe(`${attempt}, with to ${zeroAddress}, ${why}`);
  });
});
