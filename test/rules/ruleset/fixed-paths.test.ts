import { describe, expect, it } from "vitest";
import { zeroAddress } from "../../../src/kernel/address.ts";
import type { PathSource } from "../../../src/rules/ruleset/compile/paths/fixed-paths.ts";
import { compilePath, type PathScope } from "../../../src/rules/ruleset/compile/paths/path.ts";
import { bob, log, pool, scope, source } from "./path-scope.ts";

describe("a path of the transaction reads", () => {
  const flow = {
    ...{ recipients: [pool, bob], senders: [bob], minted: true, burned: false, wraps: true, complete: false },
    gives: [{ token: null, amount: 9n, tokenId: null }],
    gets: [{ token: pool, amount: 2n, tokenId: 8n }],
  };
  const asked: unknown[] = [];
  const rich = {
    ...(source as object),
    ...{ flow, targetFlow: () => ({ ...flow, gives: [], gets: flow.gives }), isBirth: (one: unknown) => one === log },
    mayCall: (...about: unknown[]) => asked.push(...about) > 0,
    logsBy: (address: unknown) => (address === null ? 0n : 4n),
    paysElsewhere: (one: unknown) => one === flow,
    move: { token: pool, tokenId: 6n, amount: 7n, from: pool, to: bob },
    domain: { verifyingContract: pool, name: "Name", version: "2" },
    ...{ caller: bob, to: pool, value: 12n },
  } as unknown as PathSource;
  const bare = {
    ...(rich as object),
    ...{ log: null, call: null, target: null, move: null, targetFlow: () => null },
    ...{ domain: { verifyingContract: null, name: null, version: null } },
    tx: { ...(source as { tx: object }).tx, to: null, creates: true, created: pool, depositMint: 5n, traced: false },
    flow: { ...flow, gives: [], gets: [], recipients: [], senders: [], complete: true, wraps: false },
    paysElsewhere: () => false,
  } as unknown as PathSource;

  it.each<[string, Partial<PathScope>, unknown, unknown]>([
    ["emitter.made", {}, true, false],
    ["emitter.called", {}, true, false],
    ["emitter.asked", {}, true, false],
    ["call.from", {}, bob, undefined],
    ["call.to", {}, pool, undefined],
    ["call.value", {}, 3n, undefined],
    ["call.data", {}, "0x010203040506", undefined],
    ["call.selector", {}, "0x01020304", undefined],
    ["call.create2", {}, undefined, undefined],
    ["call.create3", {}, undefined, undefined],
    ["call.logs", {}, 4n, 0n],
    ["tx.from", {}, bob, bob],
    ["tx.to", {}, pool, undefined],
    ["tx.value", {}, 1n, 1n],
    ["tx.type", {}, "eip1559", "eip1559"],
    ["tx.data", {}, "0xaa", "0xaa"],
    ["tx.mint", {}, 0n, 5n],
    ["tx.created", {}, undefined, pool],
    ["tx.creates", {}, false, true],
    ["tx.has_target", {}, true, true],
    ["tx.code_ran", {}, true, true],
    ["tx.traced", {}, true, false],
    ["tx.movements", {}, 0n, 0n],
    ["target", {}, pool, undefined],
    ["flow.senders", {}, 1n, 0n],
    ["flow.recipient", {}, pool, undefined],
    ["flow.sender", {}, bob, undefined],
    ["flow.gives", {}, 1n, 0n],
    ["flow.gets", {}, 1n, 0n],
    ["flow.given", {}, "native", undefined],
    ["flow.given_amount", {}, 9n, undefined],
    ["flow.given_id", {}, undefined, undefined],
    ["flow.gotten", {}, pool, undefined],
    ["flow.gotten_id", {}, 8n, undefined],
    ["flow.minted", {}, true, true],
    ["flow.burned", {}, false, false],
    ["flow.wraps", {}, true, false],
    ["flow.complete", {}, true, true],
    ["target_flow.gives", {}, 0n, undefined],
    ["target_flow.gets", {}, 1n, undefined],
    ["target_flow.gotten", {}, "native", undefined],
    ["target_flow.gotten_amount", {}, 9n, undefined],
    ["move.token", { anchor: "transfer" }, pool, undefined],
    ["move.from", { anchor: "transfer" }, pool, undefined],
    ["move.to", { anchor: "transfer" }, bob, undefined],
    ["move.amount", { anchor: "transfer" }, 7n, undefined],
    ["move.id", { anchor: "transfer" }, 6n, undefined],
    ["domain.verifyingContract", { anchor: "sign" }, pool, undefined],
    ["domain.name", { anchor: "sign" }, "Name", undefined],
    ["domain.version", { anchor: "sign" }, "2", undefined],
    ["subject", { anchor: "sign" }, bob, bob],
    ["native", { anchor: "sign" }, "native", "native"],
    ["contracts.pool", { anchor: "sign" }, pool, pool],
    ["args.amount", { anchor: "sign" }, 5n, 5n],
    ["call.from", { anchor: "unwrap" }, bob, bob],
    ["call.to", { anchor: "unwrap" }, pool, pool],
    ["call.value", { anchor: "unwrap" }, 12n, 12n],
    ["tx.from", { anchor: "unwrap" }, bob, bob],
  ])("%s %j: %s, else %s", (path, parts, there, missing) => {
    const compiled = compilePath(path, { ...scope, ...parts });
    expect([compiled.get(rich), compiled.get(bare)]).toEqual([there, missing]);
    if (path === "emitter.called") expect(asked.splice(0)).toEqual([bob, pool]);
    if (path === "emitter.asked") expect(asked.splice(0)).toEqual([bob, pool, true]);
  });

  it("where a called contract creates what its calldata asks for", () => {
    const made = compilePath("call.create2", scope);
    const called = (to: unknown) => ({ ...(rich as object), call: { to, input: `0x${"00".repeat(32)}00` } }) as never;
    expect(made.get(called(zeroAddress))).toBe("0x4d1a2e2bb4f88f0250f26ffff098b0b30b26bf38");
    const again = called(zeroAddress);
    expect(made.get(again)).toBe(made.get(again));
    expect(made.get(called(null))).toBeUndefined();
  });

  it("where a CREATE3 factory creates, by the salt and the sender", () => {
    const made = compilePath("call.create3", scope);
    const to = "0x9fbb3df7c40da2e5a0de984ffe2ccb7c47cd0abf";
    const from = "0x4fbcb0abb61a366d9742009bb986b9c0eba9fef9";
    const input = "0xcdcb760aa10aca8f6aca64e392afa5d7305e78c9bc1e1f97bfe87b2a99e00ec7b2c3b852";
    const called = (call: object) => made.get({ ...(rich as object), call } as never);
    expect(called({ to, from, input })).toBe("0x3e8b8b44cc9bf47e25def41acf8bb43e1f36adbe");
    expect(called({ to, from: to, input })).not.toBe("0x3e8b8b44cc9bf47e25def41acf8bb43e1f36adbe");
    expect(called({ to, from, input: input.slice(0, -2) })).toBeUndefined();
    expect(called({ to: null, from, input })).toBeUndefined();
  });

  it("whether all of the flow is seen", () => {
    const complete = compilePath("flow.complete", scope);
    expect(complete.get({ ...(rich as object), paysElsewhere: () => false } as never)).toBe(false);
  });
});
