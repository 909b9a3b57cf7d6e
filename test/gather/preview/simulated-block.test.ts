import { describe, expect, it } from "vitest";
import type { PreviewRequest } from "../../../src/gather/preview/preview-request.ts";
import { readSimulatedBlock } from "../../../src/gather/preview/runs/simulated-block.ts";
import { approvalTopic, transferTopic } from "../../../src/kernel/token-standards.ts";
import { alice, bob } from "../../support/case-of.ts";
import { hash, sending, word } from "./unsigned-case.ts";

describe("a simulated block", () => {
  const log = (address: string, topics: string[] = [], data = "0x") => ({ address, topics, data });
  const ether = `0x${"e".repeat(40)}`;
  const sent = (from: string, to: string, value: bigint) =>
    log(ether, [transferTopic, word(from), word(to)], word(value));
  const read = (call: object, more: Partial<PreviewRequest> = {}) =>
    readSimulatedBlock({ ok: true, result: [{ calls: [call] }] } as never, { ...sending, ...more }, 5n);
  const stood = { status: "0x1", gasUsed: "0x5208" };

  it("has logs and ether in order, without the envelope's own", () => {
    const logs = [sent(alice, bob, 26n), log(bob), sent(bob, alice, 26n), log(bob), log(alice), sent(alice, bob, 26n)];
    const told = (at: number, name: string) => ({ ...log(name), logIndex: `0x${at}` });
    expect(read({ ...stood, logs })).toEqual({
      kind: "ran",
      receipt: {
        ...{ status: "0x1", gasUsed: "0x5208", contractAddress: null },
        logs: [told(0, bob), told(1, bob), told(2, alice)],
      },
      trace: {
        ...{ source: "internal_transfers", provider: "eth_simulateV1" },
        internal_transfers: [
          { type: "call", from: bob, to: alice, value: "0x1a", success: true, logs_before: 2 },
          { type: "call", from: alice, to: bob, value: "0x1a", success: true, logs_before: 3 },
        ],
      },
    });
  });

  it.each<[string, object[], Partial<PreviewRequest>, number]>([
    ["its own", [sent(alice, bob, 26n)], {}, 0],
    ["another amount", [sent(alice, bob, 27n)], {}, 1],
    ["another sender", [sent(bob, alice, 26n)], {}, 1],
    ["nothing, which is not its own", [sent(alice, bob, 0n)], { value: 0n }, 1],
    ["what came after a log", [log(bob), sent(alice, bob, 26n)], {}, 1],
  ])("of ether first %s", (_case, logs, more, left) => {
    const { trace } = read({ ...stood, logs }, more) as unknown as { trace: { internal_transfers: object[] } };
    expect(trace.internal_transfers).toHaveLength(left);
  });

  it.each([
    ["another token", log(bob, [transferTopic, word(alice), word(bob)], word(1n))],
    ["another event", log(ether, [approvalTopic, word(alice), word(bob)], word(1n))],
    ["fewer topics", log(ether, [transferTopic, word(alice)], word(1n))],
    ["more topics", log(ether, [transferTopic, word(alice), word(bob), word(1n)], word(1n))],
    ["a sender that is none", log(ether, [transferTopic, hash, word(bob)], word(1n))],
    ["a receiver that is none", log(ether, [transferTopic, word(alice), hash], word(1n))],
    ["no amount", log(ether, [transferTopic, word(alice), word(bob)], "0x")],
  ])("takes no log for ether that is of %s", (_case, one) => {
    expect(read({ ...stood, logs: [one] })).toMatchObject({
      ...{ receipt: { logs: [one] }, trace: { internal_transfers: [] } },
    });
  });

  it.each<[object, Partial<PreviewRequest>, object]>([
    [{ error: { message: "execution reverted: no" } }, {}, { error: "execution reverted" }],
    [{ error: { message: "execution failed" } }, {}, { error: "execution reverted" }],
    [{}, {}, { error: "execution reverted" }],
    [{ error: { message: "out of gas", data: "0x12" } }, {}, { error: "out of gas", output: "0x12" }],
    [{ returnData: "0x34", error: { data: "0x12" } }, {}, { error: "execution reverted", output: "0x34" }],
    [{ returnData: "0x", error: { data: "0x12" } }, {}, { error: "execution reverted", output: "0x12" }],
    [{}, { to: null }, { type: "CREATE", to: undefined, error: "execution reverted" }],
  ])("that failed has its own frame, and no logs: %#", (call, more, frame) => {
    const own = { type: "CALL", from: alice, to: bob, value: "0x1a", input: "0x12" };
    expect(read({ status: "0x0", logs: [log(bob)], ...call }, more)).toEqual({
      kind: "ran",
      receipt: { status: "0x0", contractAddress: null, logs: [] },
      trace: { source: "eth_simulateV1", root: { ...own, ...frame } },
    });
  });

  it("names what it created, and is of no use without its logs", () => {
    expect(read({ ...stood, logs: [] }, { to: null })).toMatchObject({
      receipt: { contractAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) },
    });
    const failed = { kind: "failed" };
    expect([read(stood), read({ ...stood, logs: [{}] })]).toEqual([failed, failed]);
    expect(readSimulatedBlock({ ok: true, result: {} } as never, sending, 5n)).toEqual(failed);
    expect(readSimulatedBlock({ ok: true, result: [{ calls: {} }] } as never, sending, 5n)).toEqual(failed);
  });
});
