import { type Hex, numberToHex } from "viem";
import { describe, expect, it } from "vitest";
import { alice, bob, calldata, carol, caseOf, frame, traced, vault } from "../../support/case-of.ts";
import { multicall3, word } from "../../support/envelopes.ts";
import { decideBy } from "../../support/own-rules.ts";
import { inner, ruleset, unwrapped } from "./shipped-wrappers.ts";

describe("Multicall3", () => {
  const calls = [
    { target: bob, callData: "0x01020304" },
    { target: carol, callData: "0x05060708" },
  ];
  it.each<[string, Hex]>([
    ["aggregate", calldata("function aggregate((address target, bytes callData)[] calls)", [calls])],
    [
      "tryAggregate",
      calldata("function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls)", [false, calls]),
    ],
    [
      "aggregate3",
      calldata("function aggregate3((address target, bool allowFailure, bytes callData)[] calls)", [
        calls.map((call) => ({ ...call, allowFailure: true })),
      ]),
    ],
    [
      "aggregate3Value",
      calldata("function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)", [
        calls.map((call) => ({ ...call, allowFailure: true, value: 0n })),
      ]),
    ],
  ])("%s makes the calls itself, in its caller's name", (_name, input) => {
    const found = unwrapped(multicall3, input);
    expect(found.subject).toBe(alice);
    expect(found.calls.slice(1).map(({ from, to, actor, input: data }) => [from, to, actor, data])).toEqual([
      [multicall3, bob, alice, "0x01020304"],
      [multicall3, carol, alice, "0x05060708"],
    ]);
    expect(inner(vault, input)).toEqual([]);
  });

  it("did what the trace shows: inner calls that failed are failed", () => {
    const input = calldata("function aggregate((address target, bytes callData)[] calls)", [calls]);
    const trace = traced(
      frame(alice, multicall3, {
        input,
        calls: [
          frame(multicall3, bob, { input: "0x01020304" }),
          frame(multicall3, carol, { input: "0x05060708", error: "out of gas" }),
        ],
      }),
    );
    expect(unwrapped(multicall3, input, { trace }).calls.map(({ state }) => state)).toEqual([
      "executed",
      "executed",
      "failed",
    ]);
    const nothing = traced(frame(alice, multicall3, { input }));
    expect(unwrapped(multicall3, input, { trace: nothing }).calls.map(({ state }) => state)).toEqual([
      "executed",
      "failed",
      "failed",
    ]);
  });
});

describe("multicall(bytes[])", () => {
  const multicall = "function multicall(bytes[] data)";
  const two: Hex[] = ["0x01020304", "0x05060708aa"];

  it.each<[string, Hex]>([
    ["multicall(bytes[])", calldata(multicall, [two])],
    ["multicall(uint256,bytes[])", calldata("function multicall(uint256 deadline, bytes[] data)", [9n, two])],
    [
      "multicall(bytes32,bytes[])",
      calldata("function multicall(bytes32 previousBlockhash, bytes[] data)", [word, two]),
    ],
  ])("%s is the caller's own calls, all of them", (_name, input) => {
    expect(inner(vault, input)).toEqual(["alice → vault 0x01020304 asserted", "alice → vault 0x05060708aa asserted"]);
  });

  it("allows an ERC-8021 attribution after the calls, and nothing else", () => {
    const attribution = "8021".repeat(8);
    expect(inner(vault, `${calldata(multicall, [two])}62617365${attribution}`)).toHaveLength(2);
    expect(inner(vault, `${calldata(multicall, [two])}62617365`)).toHaveLength(0);
  });

  const encoded = calldata(multicall, [two]).slice(10);
  const words = encoded.match(/.{64}/g) as string[];
  const withWord = (at: number, text: string): Hex =>
    `0xac9650d8${words.map((word_, i) => (i === at ? text : word_)).join("")}`;
  it.each<[string, Hex]>([
    ["bytes after its end", `0xac9650d8${encoded}00`],
    ["a word after its end", `0xac9650d8${encoded}${"0".repeat(64)}`],
    ["two elements at one offset", withWord(3, words[2] as string)],
    ["an offset outside", withWord(2, "f".repeat(64))],
    ["an offset to a place of its own", withWord(0, numberToHex(64, { size: 32 }).slice(2))],
    ["a count beyond the data", withWord(1, numberToHex(3, { size: 32 }).slice(2))],
    ["fewer counted than there are", withWord(1, numberToHex(1, { size: 32 }).slice(2))],
    ["dirt in the padding", withWord(5, `${(words[5] as string).slice(0, -2)}01`)],
    ["half a word missing", `0xac9650d8${encoded.slice(0, -32)}`],
    ["nothing at all", "0xac9650d8"],
  ])("is not taken apart with %s", (_what, input) => {
    expect(inner(vault, input)).toEqual([]);
  });

  it("is opaque, and the answer partial, when a call inside a known envelope is not exact", () => {
    const input = calldata("function aggregate((address target, bytes callData)[] calls)", [
      [{ target: vault, callData: `0xac9650d8${encoded}00` }],
    ]);
    expect(inner(multicall3, input)).toEqual([expect.stringMatching(/opaque$/)]);
    expect(decideBy(ruleset, caseOf({ transaction: { to: multicall3, input } })).explanation.partial).toBe(true);
  });
});
