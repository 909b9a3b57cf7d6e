import { describe, expect, it } from "vitest";
import { isLarge } from "../../src/engine/engine-thread.ts";
import { serviceLimits } from "../../src/kernel/limits.ts";
import type { RpcFrame } from "../../src/model/case-file.ts";
import { alice, bob, caseOf, frame, token, traced, transferLog } from "../support/case-of.ts";

type Parts = Parameters<typeof caseOf>[0];

const { hereLogsMax, hereFramesMax, hereBytesMax, hereAuthorizationsMax } = serviceLimits;
const log = transferLog(token, alice, bob, 1n);
const digits = (count: number): `0x${string}` => `0x${"0".repeat(count - 2)}`;
const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const inside = (calls: RpcFrame[], input = "0x") => ({ trace: traced(frame(alice, bob, { input, calls })) });
const calls = (count: number) => many(count, frame(bob, alice, { input: "" }));
const logs = (count: number, data = log.data) => ({ receipt: { logs: many(count, { ...log, data }) } });

/** One in the other, so many of them. */
function chainOf(count: number): RpcFrame {
  let last = frame(bob, alice, { input: "" });
  for (let i = 1; i < count; i++) last = frame(bob, alice, { input: "", calls: [last] });
  return last;
}

describe("a case is large", () => {
  it.each<[string, (count: number) => Parts, number]>([
    ["logs", (count) => logs(count, "0x"), hereLogsMax],
    [
      "authorizations",
      (count) => ({ transaction: { authorizationList: many(count, {}) as never } }),
      hereAuthorizationsMax,
    ],
    ["digits of the input", (count) => ({ transaction: { input: digits(count) } }), hereBytesMax * 2],
    [
      "digits of one log",
      (count) => ({ transaction: { input: "0x" }, ...logs(1, digits(count - 2)) }),
      hereBytesMax * 2,
    ],
    [
      "digits of logs and input together",
      (count) => ({ transaction: { input: digits(count - 20) }, ...logs(2, digits(10)) }),
      hereBytesMax * 2,
    ],
    ["calls beside each other", (count) => inside(calls(count - 1), ""), hereFramesMax],
    ["calls in each other", (count) => ({ trace: traced(chainOf(count)) }), hereFramesMax],
    [
      "calls in several calls",
      (count) => inside([...many(2, frame(bob, alice, { input: "", calls: calls(9) })), ...calls(count - 21)], ""),
      hereFramesMax,
    ],
    ["digits of the first call", (count) => inside([], digits(count)), hereBytesMax * 2],
    ["digits of an inner call", (count) => inside([frame(bob, alice, { input: digits(count) })], ""), hereBytesMax * 2],
    [
      "digits of all calls together",
      (count) => inside(many(2, frame(bob, alice, { input: digits(10) })), digits(count - 20)),
      hereBytesMax * 2,
    ],
  ])("above the limit of %s, and not at it", (_what, partsOf, limit) => {
    expect([isLarge(caseOf(partsOf(limit))), isLarge(caseOf(partsOf(limit + 1)))]).toEqual([false, true]);
  });

  it("never where nothing ran and nothing was said", () => {
    expect(isLarge(caseOf())).toBe(false);
    expect(isLarge(caseOf({ trace: traced({ type: "CALL", from: alice }) }))).toBe(false);
  });
});
