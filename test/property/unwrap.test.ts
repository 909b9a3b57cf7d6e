import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalize } from "../../src/engine/normalize/normalize.ts";
import { GateKeeper } from "../../src/engine/unwrap/gates.ts";
import { type Unwrapped, unwrap } from "../../src/engine/unwrap/unwrap.ts";
import type { Hex } from "../../src/kernel/hex.ts";
import { limits } from "../../src/kernel/limits.ts";
import { alice, calldata, caseOf, vault } from "../support/case-of.ts";
import { expectSound } from "./invariants.ts";
import { labels, ruleset } from "./world.ts";

const multicall = "function multicall(bytes[] data)";
const execute = "function execute(address target, uint256 value, bytes data)";
const executeBatch = "function executeBatch((address target, uint256 value, bytes data)[] calls)";

/** Wraps calls once more, in an envelope that the vault accepts from anyone. */
const wraps: readonly ((inner: readonly Hex[]) => Hex)[] = [
  (inner) => calldata(multicall, [inner]),
  (inner) => calldata(execute, [vault, 0n, inner[0] ?? "0x"]),
  (inner) => calldata(executeBatch, [inner.map((data) => ({ target: vault, value: 0n, data }))]),
];

function unwrapped(input: Hex): Unwrapped {
  const file = caseOf({ transaction: { from: alice, to: vault, input } });
  const tx = normalize(file, labels);
  return unwrap(tx, ruleset, new GateKeeper(tx, file));
}

function depthOf({ calls }: Unwrapped): number {
  const depths: number[] = [];
  for (const { parent } of calls) depths.push(parent < 0 ? 0 : (depths[parent] as number) + 1);
  return Math.max(...depths);
}

describe("unwrapping ends within its limits", () => {
  it("when calls hold calls, to any depth and width", () => {
    const level = fc.record({ wrap: fc.constantFrom(...wraps), copies: fc.integer({ min: 1, max: 4 }) });
    fc.assert(
      fc.property(fc.array(level, { maxLength: 24 }), (levels) => {
        let input: Hex = "0x12345678";
        let size = 1;
        for (const { wrap, copies } of levels) {
          // There are as many copies of copies as fit into a transaction of this chain (128 KB).
          const count = input.length * copies < 200_000 ? copies : 1;
          input = wrap(Array.from({ length: count }, () => input));
          size = size * count + 1;
        }
        const found = unwrapped(input);
        expect(found.calls.length).toBeLessThanOrEqual(limits.unwrappedCallsMax);
        expect(depthOf(found)).toBeLessThanOrEqual(limits.callDepthMax);
        if (levels.length > limits.callDepthMax) expect(found.truncated).not.toEqual([]);
        if (found.truncated.length > 0) {
          const answer = JSON.parse(expectSound(caseOf({ transaction: { to: vault, input } })));
          expect(answer.partial).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ["deep", nest(limits.callDepthMax + 1), "calls nested too deep"],
    [
      "many",
      calldata(multicall, [Array.from({ length: limits.unwrappedCallsMax }, () => "0x")]),
      "too many nested calls",
    ],
  ])("and says when calls are too %s", (_what, input, message) => {
    const found = unwrapped(input);
    expect(found.truncated).toEqual([message]);
    const answer = JSON.parse(expectSound(caseOf({ transaction: { to: vault, input } })));
    expect(answer).toMatchObject({ partial: true, summary: expect.stringContaining(message) });
  });

  it("but reads what is just within", () => {
    const deep = unwrapped(nest(limits.callDepthMax));
    expect([deep.truncated, deep.calls.length]).toEqual([[], limits.callDepthMax + 1]);
    const many = unwrapped(calldata(multicall, [Array.from({ length: limits.unwrappedCallsMax - 1 }, () => "0x")]));
    expect([many.truncated, many.calls.length]).toEqual([[], limits.unwrappedCallsMax]);
  });

  it("tells a cut once, however often it is made", () => {
    const inner = calldata(multicall, [Array.from({ length: 40 }, () => "0x")]);
    const found = unwrapped(calldata(multicall, [Array.from({ length: 40 }, () => inner)]));
    expect(found.truncated).toEqual(["too many nested calls"]);
  });

  it("where thousands of elements claim the same bytes: overlapping data is opaque, and is not copied out", () => {
    const count = 1_500;
    const shared = "ff".repeat(60_000);
    // Every offset leads to one element of 60,000 bytes: 90 MB when it is written out.
    const offset = word(count * 32);
    const body = word(32) + word(count) + offset.repeat(count) + word(shared.length / 2) + shared;
    const found = unwrapped(`0xac9650d8${body}`);
    expect(found.calls.map(({ state }) => state)).toHaveLength(1);
    const ops = `${word(64)}${word(0)}${word(count)}${offset.repeat(count)}${opOf(shared)}`;
    const entryPoint = "0x0000000071727de22e5e9d8baf0edac6f37da032";
    const file = caseOf({ transaction: { to: entryPoint, input: `0x765e827f${ops}` } });
    expect(JSON.parse(expectSound(file))).toMatchObject({ partial: true });
  });
});

/** So many multicalls around a call. */
function nest(levels: number): Hex {
  let input: Hex = "0x12345678";
  for (let level = 0; level < levels; level++) input = calldata(multicall, [[input]]);
  return input;
}

/** A packed user operation whose four byte strings are all the same bytes. */
function opOf(bytes: string): string {
  const at = word(9 * 32);
  return `${word(BigInt(alice))}${word(0)}${at}${at}${word(0)}${word(0)}${word(0)}${at}${at}${word(bytes.length / 2)}${bytes}`;
}

function word(value: number | bigint): string {
  return value.toString(16).padStart(64, "0");
}
