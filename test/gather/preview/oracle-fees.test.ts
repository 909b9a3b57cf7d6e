import { describe, expect, it } from "vitest";
import { feeCalls, readFees } from "../../../src/gather/preview/runs/oracle-fees.ts";
import { fillIn } from "../../../src/gather/preview/unsigned-transaction.ts";
import { bob } from "../../support/case-of.ts";
import { chainState, sending, word } from "./unsigned-case.ts";

describe("fees of the oracle", () => {
  const answer = (value: bigint) => ({ ok: true, result: word(value) }) as never;
  const no = { ok: false, code: null, message: "" } as never;

  it.each([
    [[answer(5n), answer(2n), answer(9n)], { l1Fee: 5n, operator: { scalar: 7n, constant: 2n } }],
    [[answer(0n), answer(2n), answer(2n)], { l1Fee: 0n, operator: { scalar: 0n, constant: 2n } }],
    [[answer(5n), answer(3n), answer(2n)], { l1Fee: 5n, operator: null }],
    [[answer(5n), no, answer(2n)], { l1Fee: 5n, operator: null }],
    [[answer(5n), answer(2n), no], { l1Fee: 5n, operator: null }],
    [[no, answer(2n), answer(2n)], { l1Fee: null, operator: { scalar: 0n, constant: 2n } }],
    [[{ ok: true, result: "0x05" } as never], { l1Fee: null, operator: null }],
    [[], { l1Fee: null, operator: null }],
  ])("are read: %#", (answers, fees) => {
    expect(readFees(answers)).toEqual(fees);
  });

  it("are asked for at the block: for the data, for no gas, and for a million", () => {
    const calls = feeCalls(bob, fillIn(sending, chainState), 99n);
    expect(calls.map(({ method, params }) => [method, params[1]])).toEqual(Array(3).fill(["eth_call", "0x63"]));
    const asked = calls.map(({ params: [call] }) => call as { to: string; data: string });
    expect(asked.map(({ to }) => to)).toEqual([bob, bob, bob]);
    expect(asked.slice(1).map(({ data }) => BigInt(`0x${data.slice(10)}`))).toEqual([0n, 1_000_000n]);
  });
});
