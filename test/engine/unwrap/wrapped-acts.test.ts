import { describe, expect, it } from "vitest";
import type { Address } from "../../../src/kernel/address.ts";
import { approvalTopic } from "../../../src/kernel/token-standards.ts";
import type { Transaction } from "../../../src/model/transaction.ts";
import { alice, bob, carol, caseOf, token, transferLog, usdc, vault } from "../../support/case-of.ts";
import { execute } from "../../support/envelopes.ts";
import { move } from "../../support/movements.ts";
import { decideBy } from "../../support/own-rules.ts";
import { ruleset } from "./shipped-wrappers.ts";
import { type Context, field, inner, unwrapped, type World, wrapper } from "./wrapper-world.ts";

describe("a wrapper's own event", () => {
  const event = {
    hash: "0x1111",
    read: (_topics: unknown, data: string) => (data === "0x" ? undefined : JSON.parse(data)),
  };
  const proof = { event, emitter: ({ to }: Context) => to, join: [{ argument: 0, get: field("name") }], ok: 1 };
  const log = (args: unknown, parts: object = {}) => ({
    topics: ["0x1111"],
    address: vault,
    data: args === undefined ? "0x" : JSON.stringify(args),
    ...parts,
  });
  const stateBy = (logs: object[], own: object = proof, tx: Partial<Transaction> = {}) =>
    unwrapped([wrapper([inner(carol, { name: "it" })], { proof: own })], { tx: { logs: logs as never, ...tx } })
      .calls[1]?.state;
  const loose = { ...proof, join: [], ok: null };
  it.each<[string, string, object[], object?, Partial<Transaction>?]>([
    ["confirms the call", "asserted", [log(["it", true])]],
    ["is missing", "failed", []],
    ["is of another call", "failed", [log(["other", true])]],
    ["says that it failed", "failed", [log(["it", false])]],
    ["is one of several", "asserted", [log(["other", true]), log(["it", true])]],
    ["is what a stranger says", "failed", [log(["it", true], { address: bob })]],
    ["is another event", "failed", [log(["it", true], { topics: ["0x2222"] })]],
    ["cannot be read", "failed", [log(undefined)]],
    ["cannot be read, and need not be", "asserted", [log(undefined)], loose],
    ["cannot be read, and tells of success", "failed", [log(undefined)], { ...loose, ok: 1 }],
    ["cannot be read, and tells which", "failed", [log(undefined)], { ...loose, join: proof.join }],
    ["tells which alone", "asserted", [log(["it", false])], { ...proof, ok: null }],
    ["is not there yet", "asserted", [], proof, { mode: "requested", status: "reverted" }],
  ])("%s: %s", (_what, expected, logs, own, tx) => expect(stateBy(logs, own, tx)).toBe(expected));
});

describe("whose act it is", () => {
  const names = (actor: unknown, parts: object = {}) => wrapper([inner()], { actor: () => actor, ...parts });
  const two = wrapper([inner(carol, { who: bob }), inner(carol, { who: token })], { actor: field("who") });
  const gave = [move(usdc, alice, carol, 1n)];
  /** An approval by alice. The word of its amount begins with these digits. */
  const allows = (digits: string) =>
    ({
      logs: [{ topics: [approvalTopic, `0x${digits}${alice.slice(2)}`, "0x"], address: usdc, data: "0x1" }],
    }) as never;
  const open = { gate: { kind: "any" } };
  it.each<[string, Address, Address[], object, World]>([
    ["the sender's", alice, [alice], wrapper([inner()]), {}],
    ["whom the wrapper names", bob, [bob], names(bob), {}],
    ["still the sender's, of several", alice, [bob, token], two, {}],
    ["whom a known wrapper names, though the sender gave something", bob, [bob], names(bob), { moves: gave }],
    ["the sender's who gave something, at any contract", alice, [alice], names(bob, open), { moves: gave }],
    [
      "the sender's who allowed something, at any contract",
      alice,
      [alice],
      names(bob, open),
      { tx: allows(`${"0".repeat(24)}`) },
    ],
    [
      "whom any contract names, where no account allowed anything",
      bob,
      [bob],
      names(bob, open),
      { tx: allows(`1${"0".repeat(23)}`) },
    ],
    ["whom any contract names, where the sender gave nothing", bob, [bob], names(bob, open), {}],
  ])("is %s", (_what, subject, actors, one, world) => {
    const found = unwrapped([one], world);
    expect([found.subject, found.actors]).toEqual([subject, actors]);
    expect([...found.principals]).toEqual(subject === alice ? [alice] : [alice, subject]);
  });

  it("is the account that an event names, and whose gas went to the collector", () => {
    const said = { event: { hash: "0x1111", read: () => [bob] }, gate: {}, argument: [0] };
    const logs = [{ topics: ["0x1111"], address: vault, data: "0x" }] as never;
    expect(unwrapped([], { subjects: [said], tx: { logs } })).toMatchObject({ subject: bob, actors: [bob] });
    const moves = [
      move(null, bob, vault, 7n),
      move(null, bob, carol, 7n),
      move(null, alice, vault, 7n),
      move(usdc, bob, vault, 7n),
    ];
    const { tx } = unwrapped([names(bob, { feesTo: () => vault })], { moves });
    expect(tx.movements.slice(0, 4).map(({ fee }) => fee)).toEqual([true, false, false, false]);
  });
});

describe("a stranger's envelope", () => {
  it("does not hide what its caller gave: the act stays the caller's", () => {
    // A contract with unknown code takes alice's tokens in a function that looks like one of an account.
    const input = execute(carol, 0n);
    const file = caseOf({ transaction: { to: vault, input }, receipt: { logs: [transferLog(token, alice, bob, 5n)] } });
    const { explanation, evidence } = decideBy(ruleset, file);
    expect(evidence().subject).toBe(alice);
    expect(explanation.summary).toMatch(/^0xA1A1…a1a1 called .*giving/i);
  });

  it("is an account's own when its caller gave nothing", () => {
    const input = execute(carol, 0n);
    const file = caseOf({ transaction: { to: vault, input }, receipt: { logs: [transferLog(token, vault, bob, 5n)] } });
    expect(decideBy(ruleset, file).evidence().subject).toBe(vault);
  });
});
