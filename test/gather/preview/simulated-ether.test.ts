import { describe, expect, it } from "vitest";
import type { PreviewRequest } from "../../../src/gather/preview/preview-request.ts";
import { readSimulatedBlock } from "../../../src/gather/preview/runs/simulated-block.ts";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import { transferTopic } from "../../../src/kernel/token-standards.ts";

const [alice, bob, carol] = ["a1", "b0", "c4"].map((digits) => toAddress(`0x${digits.repeat(20)}`)) as [
  ...[Address, Address, Address],
];
const word = (text: string) => `0x${text.replace("0x", "").padStart(64, "0")}`;
const log = (address: string) => ({ address, topics: [], data: "0x" });
const sent = (from: string, to: string, value: number, address = `0x${"e".repeat(40)}`) => ({
  ...{ address, topics: [transferTopic, word(from), word(to)], data: word(value.toString(16)) },
});

/** Sender, receiver, amount and place of the ether that moved inside a call in which alice gives bob `value`. */
function inside(logs: object[], value = 5n) {
  const call = { status: "0x1", gasUsed: "0x5208", logs };
  const request: PreviewRequest = {
    ...{ from: alice, to: bob, value, data: "0x", gas: null, nonce: null, authorizations: [] },
  };
  const run = readSimulatedBlock({ ok: true, result: [{ calls: [call] }] }, request, 5n);
  if (run.kind !== "ran" || run.trace.source !== "internal_transfers") throw new Error("it did not run");
  return run.trace.internal_transfers.map(({ from, to, value: much, logs_before }) => [from, to, much, logs_before]);
}

describe("ether of a simulated block", () => {
  it.each<[string, object[], unknown[]]>([
    ["the envelope's own alone", [sent(alice, bob, 5)], []],
    ["the envelope's own, after which the sender logs", [sent(alice, bob, 5), log(alice), log(bob)], []],
    ["as much once more", [sent(alice, bob, 5), sent(alice, bob, 5)], [[alice, bob, "0x5", 0]]],
    ["less than the envelope's", [sent(alice, bob, 4)], [[alice, bob, "0x4", 0]]],
    ["of somebody else", [sent(carol, bob, 5)], [[carol, bob, "0x5", 0]]],
    ["after a log", [log(bob), sent(alice, bob, 5)], [[alice, bob, "0x5", 1]]],
  ])("is without the envelope's own: %s", (_name, logs, expected) => {
    expect(inside(logs)).toEqual(expected);
  });

  it.each<[string, object[], number]>([
    ["where nothing is logged", [], 0],
    ["before what others log", [log(carol)], 0],
    ["after what its sender logs at once", [log(bob)], 1],
    ["after all that its sender logs at once", [log(bob), log(bob), log(carol), log(bob)], 2],
    ["after it in any case of letters", [log(bob.toUpperCase().replace("0X", "0x"))], 1],
  ])("stands %s", (_name, after, place) => {
    expect(inside([sent(bob, carol, 7), ...after], 0n)).toEqual([[bob, carol, "0x7", place]]);
    expect(inside([log(alice), sent(bob, carol, 7), ...after], 0n)).toEqual([[bob, carol, "0x7", place + 1]]);
  });

  it("may have the address of its logs in any case of letters", () => {
    expect(inside([sent(bob, carol, 7, `0x${"E".repeat(40)}`)], 0n)).toEqual([[bob, carol, "0x7", 0]]);
  });
});
