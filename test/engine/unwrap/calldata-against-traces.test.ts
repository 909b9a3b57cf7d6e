import fc from "fast-check";
import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import type { RpcFrame } from "../../../src/model/case-file.ts";
import { recordings } from "../../property/world.ts";
import { alice, bob, carol, caseOf, frame, traced, usdc, vault } from "../../support/case-of.ts";
import {
  encodedCalls,
  entryPoint,
  execTransaction,
  execute,
  executeBatch,
  executeByMode,
  executionSuccess,
  type InnerCall,
  multiSend,
  multiSendAddress,
  record,
  userOperation,
  userOperationEvent,
} from "../../support/envelopes.ts";
import { ether, flat, movementsOf, told } from "./told-ether.ts";

/** Envelopes with the call tree that belongs to them. */
const envelopes = [
  (calls: readonly InnerCall[]) => {
    const data = executeBatch(calls);
    const input = userOperation(bob, data);
    const root = frame(alice, entryPoint, {
      input,
      calls: [frame(entryPoint, bob, { input: data, calls: framesOf(bob, calls) })],
    });
    return { to: entryPoint, input, logs: [userOperationEvent(bob)], root };
  },
  (calls: readonly InnerCall[]) => {
    const data = multiSend(...calls.map(({ target, value, data: inner }) => record(target, value, inner)));
    const input = execTransaction(multiSendAddress, 0n, data, 1);
    const library = frame(vault, multiSendAddress, {
      type: "DELEGATECALL",
      input: data,
      calls: framesOf(vault, calls),
    });
    return {
      to: vault,
      input,
      logs: [executionSuccess(vault)],
      root: frame(alice, vault, { input, calls: [library] }),
    };
  },
  (calls: readonly InnerCall[]) => {
    const input = executeByMode("0x01", encodedCalls(calls));
    return { to: alice, input, logs: [], root: frame(alice, alice, { input, calls: framesOf(alice, calls) }) };
  },
];

function framesOf(from: string, calls: readonly InnerCall[]): RpcFrame[] {
  return calls.map(({ target, value, data }) => frame(from, target, { value: `0x${value.toString(16)}`, input: data }));
}

describe("ether that calldata tells", () => {
  it("is what a call tree shows, for any batch", () => {
    const party = fc.constantFrom(alice, bob, carol, vault, usdc);
    const call = fc.record({
      target: party,
      value: fc.bigInt({ min: 0n, max: 3n * ether }),
      data: fc.constantFrom<Hex[]>("0x", "0x12345678", execute(carol, 0n), executeBatch([])),
    });
    const envelope = fc.constantFrom(...envelopes);
    fc.assert(
      fc.property(fc.array(call, { maxLength: 8 }), envelope, (calls, wrap) => {
        const { to, input, logs, root } = wrap(calls);
        const plain = caseOf({ transaction: { to, input }, receipt: { logs } });
        const native = movementsOf({ ...plain, trace: traced(root) }).filter(
          ({ token, from, to: target }) => token === null && from !== target,
        );
        expect(told(plain).sort()).toEqual(native.map(flat).sort());
      }),
    );
  });

  it("is never more than the trace of a recorded transaction shows", () => {
    const known = recordings.filter(({ trace }) => trace.source !== "none");
    const compared = known.flatMap((file) => {
      const made = told({ ...file, trace: { source: "none", reason: "taken away" } });
      const shown = movementsOf(file).map(flat);
      expect(shown, file.tx_hash).toEqual(expect.arrayContaining(made));
      return made;
    });
    // One of them is a bundle that sends ether twice.
    expect(compared.length).toBeGreaterThanOrEqual(2);
  });
});
