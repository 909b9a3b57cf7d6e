import { describe, expect, it } from "vitest";
import { FrameIndex } from "../../../src/engine/unwrap/frame-index.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import { alice, bob, carol, vault } from "../../support/case-of.ts";
import { call, txOf } from "./made-transaction.ts";

describe("frames of a call tree", () => {
  const frames = (...parts: object[]) =>
    new FrameIndex(
      txOf({
        traced: true,
        calls: [{}, ...parts].map((one, index) => ({ index, from: alice, to: vault, input: "0x", ...one })),
      }),
    );
  const take = (index: FrameIndex, parts: Partial<ActorCall> = {}, batch: Address = carol) =>
    index.take(call(1, parts), batch)?.index;

  it("are taken once each, in order, and never the transaction's own", () => {
    const both = frames({}, {});
    expect([take(both), take(both), take(both)]).toEqual([1, 2, undefined]);
    expect(take(frames())).toBeUndefined();
    expect(
      take(new FrameIndex(txOf({ calls: [{}, { index: 1, from: alice, to: vault, input: "0x" }] }))),
    ).toBeUndefined();
  });

  it("are of the caller, of the batch contract, of the contract itself, or with the signer behind the calldata", () => {
    expect(take(frames({ input: "0x12" }))).toBeUndefined();
    expect(take(frames({ to: bob }))).toBeUndefined();
    expect(take(frames({ from: carol }))).toBe(1);
    expect(take(frames({ from: carol }), {}, bob)).toBeUndefined();
    expect(take(frames({ from: vault }))).toBe(1);
    expect(take(frames({ input: `0x12${bob.slice(2)}` }), { input: "0x12", actor: bob })).toBe(1);
    const each = frames({ input: `0x${alice.slice(2)}` }, { from: vault }, { from: carol }, {});
    expect([take(each), take(each), take(each), take(each), take(each)]).toEqual([4, 3, 2, 1, undefined]);
  });
});
