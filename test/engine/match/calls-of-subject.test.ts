import { describe, expect, it } from "vitest";
import { leavesOf, seesGifts, targetOf } from "../../../src/engine/match/own-calls.ts";
import type { Unwrapped } from "../../../src/engine/unwrap/unwrap.ts";
import { type Address, checksum } from "../../../src/kernel/address.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import { ruleset } from "../../property/world.ts";
import {
  alice,
  bob,
  calldata,
  carol,
  caseOf,
  logOf,
  token,
  transferLog,
  usdc,
  vault,
  zero,
} from "../../support/case-of.ts";
import { moved } from "../../support/movements.ts";
import { compileOwn, standing } from "../../support/own-rules.ts";

const call = (id: number, parts: Partial<ActorCall> = {}): ActorCall => ({
  ...{ id, parent: id - 1, via: null, step: null, from: alice, actor: alice, to: vault, value: 0n, input: "0x" },
  ...{ delegate: false, state: "asserted", frame: -1 },
  ...parts,
});
const unwrapped = (parts: Partial<Unwrapped>): Unwrapped => ({
  ...{ tx: moved([]), calls: [call(0)], subject: alice, actors: [alice], principals: new Set([alice]) },
  ...{ certain: new Set<number>(), truncated: [] },
  ...parts,
});

describe("the calls of the subject", () => {
  it("are the innermost of its own", () => {
    const calls = [
      call(0),
      call(1, { parent: 0, actor: bob }),
      call(2, { parent: 0 }),
      call(3, { parent: 1, actor: bob }),
    ];
    const ids = (subject: Address) => leavesOf(unwrapped({ calls, subject })).map(({ id }) => id);
    expect([ids(alice), ids(bob), ids(carol)]).toEqual([[2], [3], []]);
  });

  const approve = calldata("function approve(address spender, uint256 amount)", [bob, 5n]);
  it.each<[string, Partial<ActorCall>[], Address | null | undefined]>([
    ["the first", [{ to: vault }, { to: bob }], vault],
    ["the first beside itself", [{ to: alice }, { to: bob }, { to: vault }], bob],
    ["the first behind allowances", [{ to: usdc, input: approve }, { to: bob }, { to: vault }], bob],
    [
      "the first of all allowances",
      [
        { to: usdc, input: approve },
        { to: token, input: approve },
      ],
      usdc,
    ],
    ["what is made", [{ to: null }, { to: vault }], null],
    ["none where it called itself", [{ to: alice }, { to: alice, input: approve }], undefined],
    ["none where it called nothing", [], undefined],
  ])("lead to one contract: %s", (_what, calls, expected) => {
    const leaves = calls.map((parts, id) => call(id, parts));
    expect(targetOf(leaves, alice, ruleset.grants)).toBe(expected);
  });
});

describe("whose gifts of ether are all seen without a call tree", () => {
  const sees = (parts: Partial<Unwrapped>) => {
    const work = unwrapped(parts);
    return [alice, bob, carol].filter(seesGifts(work, leavesOf(work)));
  };
  const tx = moved([], { from: carol, to: vault });
  const outer = call(0, { from: carol, actor: carol, to: vault });
  const own = (parts: Partial<ActorCall> = {}) => call(1, { from: alice, actor: alice, to: bob, ...parts });

  it.each<[string, Partial<Unwrapped>, Address[]]>([
    ["the sender", { tx, calls: [outer], subject: bob }, [carol]],
    ["no sender that calls itself", { tx: { ...tx, to: carol }, calls: [{ ...outer, to: carol }], subject: bob }, []],
    ["a subject whose call is certain", { tx, calls: [outer, own()], certain: new Set([1]) }, [alice, carol]],
    ["no subject whose call is not", { tx, calls: [outer, own()], certain: new Set([0]) }, [carol]],
    ["no subject that delegates", { tx, calls: [outer, own({ delegate: true })], certain: new Set([1]) }, [carol]],
    ["no subject that calls itself", { tx, calls: [outer, own({ to: alice })], certain: new Set([1]) }, [carol]],
    ["no subject by others' calls", { tx, calls: [outer, own({ from: bob })], certain: new Set([1]) }, [carol]],
    [
      "no subject whose calls all failed",
      { tx, calls: [outer, own({ state: "failed" })], certain: new Set([1]) },
      [carol],
    ],
    [
      "a subject whose other calls failed",
      { tx, calls: [outer, own({ parent: 0 }), call(2, { parent: 0, state: "failed" })], certain: new Set([1]) },
      [alice, carol],
    ],
    [
      "no subject of whose calls one is not certain",
      { tx, calls: [outer, own({ parent: 0 }), call(2, { parent: 0 })], certain: new Set([1]) },
      [carol],
    ],
    [
      "a subject by the call that left it, whatever is inside",
      { tx, calls: [outer, own(), call(2, { from: bob })], certain: new Set([1]) },
      [alice, carol],
    ],
  ])("are: %s", (_what, parts, expected) => expect(sees(parts)).toEqual(expected));
});

describe("the account that a rule acts for", () => {
  const rules = (acts: string) =>
    compileOwn(`protocol: hub
kind: protocol
name: Hub
site: https://example.org
contracts:
  hub: { source: test, Hub hub: "${checksum(vault)}" }
abi:
  Did: "event Did(address who)"
rules:
  - { id: act, say: "act", action: bridge_in, anchor: { event: Did }, at: hub, ${acts} }`);
  const did = (who: string) => logOf(vault, "event Did(address who)", { who });
  const told = (acts: string, logs: RpcLog[], value = "0x0") =>
    standing(rules(acts), caseOf({ transaction: { to: vault, value }, receipt: { logs } }));

  it("is an account, and not the zero address", () => {
    const [byCarol, byAlice, byNobody] = [carol, alice, zero].map((who) => told("subject: { for: who }", [did(who)]));
    expect([byCarol, byAlice, byNobody]).toEqual([["hub/act"], ["hub/act"], []]);
  });

  it("is not an asset without a contract, and does not exist if a leg is missing", () => {
    const byToken = "subject: { for: paid.token }, money: { paid: { from: subject, optional: true } }";
    expect(told(byToken, [transferLog(usdc, alice, vault, 5n), did(carol)])).toEqual(["hub/act"]);
    expect(told(byToken, [did(carol)], "0x5")).toEqual([]);
    expect(told(byToken, [did(carol)])).toEqual([]);
  });
});
