import { describe, expect, it } from "vitest";
import { isFurther } from "../../../src/engine/match/candidate.ts";
import { indexOf, type RuleGroup, RuleIndex } from "../../../src/engine/match/rule-index.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Log } from "../../../src/model/transaction.ts";
import { bob, carol, token, vault } from "../../support/case-of.ts";

interface Parts {
  anchor?: object;
  status?: string;
  actsFor?: unknown;
  flow?: object | null;
  control?: boolean;
  exchanges?: boolean;
  kind?: (context: { tx: { type: string; creates: boolean } }) => boolean;
}

const rule = (id: string, parts: Parts = {}) => ({
  ...{ id, status: "success", anchor: { kind: "none" }, actsFor: null, flow: null, control: false, exchanges: false },
  ...{ specificity: { place: 0 }, tier: 0, kind: () => true, ...parts },
});
const set = (...addresses: Address[]) => ({ kind: "set", addresses: new Set(addresses) });
const any = { kind: "any" };
const event = (topics: number, gate: object = any, companions: string[] | null = null) => ({
  anchor: {
    ...{ kind: "event", event: { topics }, gate },
    companion: companions && { call: companions.map((hash) => ({ hash })) },
  },
});
const call = (gate: object = any) => ({ anchor: { kind: "call", gate } });

type Named = ReturnType<typeof rule>;
/** An index of rules by what they lie under. */
function indexed(parts: Record<string, unknown>, status = "success") {
  const empty = { byTopic: [], bySelector: [], byTarget: [], byParty: [], unanchored: [], authorized: [] };
  const { byTopic, bySelector, byTarget, byParty, ...lists } = { ...empty, ...parts } as Record<string, never[]>;
  const maps = { byTopic, bySelector, byTarget, byParty };
  const made = Object.fromEntries(Object.entries(maps).map(([name, entries]) => [name, new Map(entries as never)]));
  return new RuleIndex({ ...made, ...lists } as never, status as never);
}
const idsOf = (rules: Iterable<unknown>) => [...rules].map((one) => (one as Named).id);
const shown = ({ named, open, companions }: RuleGroup) => ({
  named: idsOf(named),
  open: idsOf(open),
  beside: [...companions].map(([selector, rules]) => [selector, idsOf(rules)]),
});

describe("rules about an event", () => {
  const index = indexed({
    byTopic: [
      [
        "0x1111",
        [
          ...[rule("open", event(2)), rule("vault", event(2, set(vault))), rule("other count", event(3))],
          ...[rule("both", event(2, set(vault, bob))), rule("reverted", { ...event(2), status: "reverted" })],
          rule("either", event(2, { kind: "either", gates: [set(carol), set(vault)] })),
          rule("either open", event(2, { kind: "either", gates: [set(carol), any] })),
        ],
      ],
      [
        "0x2222",
        [
          ...[
            rule("a", event(1, any, ["0xa", "0xb", "0xa"])),
            rule("b", event(1, any, ["0xb"])),
            rule("plain", event(1)),
          ],
        ],
      ],
      ["0x3333", [rule("named", event(1, set(vault)))]],
    ],
  });
  it.each<[string, string, number, Address, string[], string[]]>([
    [
      "of the contract first, then those of all",
      "0x1111",
      2,
      vault,
      ["vault", "both", "either"],
      ["open", "either open"],
    ],
    ["of another contract", "0x1111", 2, bob, ["both"], ["open", "either open"]],
    ["of one of several", "0x1111", 2, carol, ["either"], ["open", "either open"]],
    ["of all", "0x1111", 2, token, [], ["open", "either open"]],
    ["with as many topics", "0x1111", 3, vault, [], ["other count"]],
    ["with other topics", "0x1111", 1, vault, [], []],
    ["that nobody knows", "0x1112", 2, vault, [], []],
    ["that look like a known one", "0x11119", 2, vault, [], []],
    ["of a stranger", "0x3333", 1, bob, [], []],
  ])("are those %s", (_what, topic, topics, emitter, named, open) => {
    expect(shown(index.ofEvent(topic, topics, emitter))).toEqual({ named, open, beside: [] });
    const log = {
      topics: [topic, ...Array.from({ length: topics - 1 }, () => "0x")],
      address: emitter,
    } as unknown as Log;
    expect(index.knows(log)).toBe(named.length + open.length > 0);
  });

  it("lie under the calls that they ask for, each once", () => {
    const beside = [
      ["0xa", ["a"]],
      ["0xb", ["a", "b"]],
    ];
    expect(shown(index.ofEvent("0x2222", 1, vault))).toEqual({ named: [], open: ["plain"], beside });
  });

  it("may name a contract", () => {
    const named = (topics: string[], address: Address) => index.names({ topics, address } as unknown as Log);
    expect([named(["0x1111", "0x"], vault), named(["0x1111", "0x"], token)]).toEqual([true, false]);
    expect([named(["0x1111"], vault), named([], vault), named(["0x9999"], vault)]).toEqual([false, false, false]);
    expect(index.knows({ topics: [], address: vault } as unknown as Log)).toBe(false);
  });
});

describe("rules about calls, targets and parties", () => {
  const reverted = { status: "reverted" };
  const index = indexed({
    bySelector: [
      ["0xaaaa", [rule("vault", call(set(vault))), rule("open", call()), rule("failed", { ...call(), ...reverted })]],
      ["0xbbbb", [rule("other"), rule("relayed", { actsFor: "x" })]],
      ["0xcccc", [rule("failed", { ...reverted, actsFor: "x" })]],
    ],
    byTarget: [
      [vault, [rule("any call"), rule("failed", reverted)]],
      [bob, [rule("relayed", { actsFor: "x" })]],
    ],
    byParty: [[vault, [rule("moved"), rule("failed", reverted)]]],
    authorized: [rule("authorized"), rule("failed", reverted)],
  });
  it("are found by the selector, those of the contract first", () => {
    const found = (selector: string, target: Address) => shown(index.ofCall(selector, target));
    expect(found("0xaaaa", vault)).toEqual({ named: ["vault"], open: ["open"], beside: [] });
    expect(found("0xaaaa", bob)).toEqual({ named: [], open: ["open"], beside: [] });
    for (const selector of ["0xaaab", "0xaaaa11"])
      expect(found(selector, vault)).toEqual({ named: [], open: [], beside: [] });
  });

  it("are found by the contract, and by the accounts that gave or got something", () => {
    expect([idsOf(index.ofTarget(vault)), idsOf(index.ofTarget(token))]).toEqual([["any call"], []]);
    expect([idsOf(index.ofParty(vault)), idsOf(index.ofParty(token))]).toEqual([["moved"], []]);
    expect(idsOf(index.authorized)).toEqual(["authorized", "failed"]);
  });

  it("may be about others than the caller, if they say for whom they are", () => {
    const asked: [string, Address][] = [
      ["0xaaaa", vault],
      ["0xbbbb", vault],
      ["0xcccc", vault],
      ["0xaaaa", bob],
    ];
    expect(asked.map(([selector, target]) => index.mayRelay(selector, target))).toEqual([false, true, false, true]);
  });

  it("are those of one outcome, made once for a ruleset", () => {
    const ruleset = { byTopic: new Map(), bySelector: new Map(), byTarget: new Map(), byParty: new Map() };
    const whole = { ...ruleset, unanchored: [rule("done"), rule("failed", reverted)], authorized: [] } as never;
    expect(idsOf(indexOf(whole, "success").unanchored)).toEqual(["done"]);
    expect(idsOf(indexOf(whole, "reverted").unanchored)).toEqual(["failed"]);
    expect(indexOf(whole, "success")).toBe(indexOf(whole, "success"));
  });
});

describe("rules without an anchor", () => {
  const side = (min: number, max: number, parts: object = {}) => ({ min, max, kind: "any", unseen: false, ...parts });
  const foundBy = (parts: Parts) => {
    const index = indexed({ unanchored: [rule("it", parts)] });
    const sides = (gives: number, gets: number) =>
      index.ofFlow(
        { type: "eip1559", to: bob } as never,
        { gives: Array(gives).fill({}), gets: Array(gets).fill({}) } as never,
      ).length;
    return [sides(0, 0), sides(0, 2), sides(2, 0), sides(1, 1)].join("");
  };
  const flow = (gives: object | null, gets: object | null) => ({ flow: { gives, gets } });
  it.each<[string, Parts, string]>([
    ["may fit any flow where they ask for none", {}, "1111"],
    ["may fit where both sides are open", flow(null, null), "1111"],
    ["fit where something is given", flow(side(1, 1), null), "0011"],
    ["fit where something comes", flow(null, side(1, 1)), "0101"],
    ["fit where nothing is given", flow(side(0, 0), null), "1100"],
    ["may fit where nothing of a kind is given", flow(side(0, 0, { kind: "nft" }), null), "1111"],
    ["may fit where something may be given", flow(side(0, 1), null), "1111"],
    ["may fit where it may come unseen", flow(null, side(1, 1, { unseen: true })), "1111"],
    ["fit where one is given for another", flow(side(1, 1), side(1, 1)), "0001"],
    ["may fit any flow of a change of control", { ...flow(side(1, 1), null), control: true }, "1111"],
    ["may fit any flow of others", { ...flow(side(1, 1), null), actsFor: "x" }, "1111"],
    ["may fit what others leave of an exchange", { ...flow(side(1, 1), null), exchanges: true }, "1111"],
  ])("%s", (_what, parts, expected) => expect(foundBy(parts)).toBe(expected));

  it("are those for this kind of transaction, no matter what was asked before", () => {
    const deposit = rule("deposit", { kind: ({ tx }) => tx.type === "deposit" });
    const creation = rule("creation", { kind: ({ tx }) => tx.creates });
    const index = indexed({ unanchored: [deposit, creation, rule("any")] });
    const found = (type: string, to: unknown) =>
      idsOf(index.ofFlow({ type, to, creates: to === null } as never, { gives: [], gets: [] } as never));
    for (const _ of ["first", "again"])
      expect([found("eip1559", bob), found("eip1559", null), found("deposit", bob), found("deposit", null)]).toEqual([
        ...[["any"], ["creation", "any"]],
        ...[
          ["deposit", "any"],
          ["deposit", "creation", "any"],
        ],
      ]);
  });

  it.each<[string, boolean, object]>([
    ["an exchange without an anchor", true, { exchanges: true }],
    ["else without an anchor", false, { specificity: { place: 3 } }],
    ["of a known place", true, { ...call(), specificity: { place: 2 } }],
    ["of an own call of any place", true, { ...call(), specificity: { place: 1 }, exchanges: true }],
    ["an event of any place", false, event(1)],
    ["an event of any place with an own call", true, event(1, any, ["0xa"])],
  ])("may tell of what is left: %s: %s", (_what, expected, parts) => {
    expect(isFurther(rule("it", parts) as never)).toBe(expected);
  });
});
