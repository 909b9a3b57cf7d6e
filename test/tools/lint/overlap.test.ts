import { describe, expect, it } from "vitest";
import {
  evidenceKey,
  gatesMeet,
  hasHashOf,
  mayBothFit,
  namesOf,
  sameEvidence,
  whoOf,
} from "../../../src/tools/lint/checks/set/overlap.ts";

const [a, b, c] = ["a", "b", "c"].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
const set = (...addresses: string[]) => ({ kind: "set", addresses: new Set(addresses) });
const either = (...gates: object[]) => ({ kind: "either", gates });
const [any, moved] = [{ kind: "any" }, { kind: "moved" }];
const proof = (member: string) => ({ kind: "proof", member });
const inputs = { names: ["from", "to", "amount"] };
const event = (gate: object, companion: object | null = null, names = inputs) => {
  return { kind: "event", event: { hash: "0x1", topics: 2, inputs: names }, gate, companion };
};
const call = (gate: object) => ({ kind: "call", call: { hash: "0x2", inputs }, gate });
const beside = (gate: object, ...hashes: string[]) => ({ call: hashes.map((hash) => ({ hash })), gate });
const transfer = (from: object, to: object, ...standards: string[]) => ({ kind: "transfer", from, to, standards });
const none = { kind: "none" };

interface Given {
  anchor?: object;
  status?: string;
  flow?: object | null;
  entry?: object;
  attempt?: object | null;
}

function view({ anchor = event(set(a)), status = "success", flow = null, entry = {}, attempt = null }: Given = {}) {
  const scope = { contracts: new Map() };
  return { rule: { status, anchor, flow }, entry, attempt: attempt && { attempt }, file: { scope } } as never;
}

const meeting = (one: Given, other: Given) => [mayBothFit(view(one), view(other)), mayBothFit(view(other), view(one))];
const uint = (path: string, value: string) => ({ "==": [{ var: path }, value] });
const where = (...parts: unknown[]) => ({ entry: { where: parts } });
const who = (...paths: string[]) => ({ entry: { who: paths } });
const legs = (...list: object[]) => ({ entry: { legs: Object.fromEntries(list.map((leg, i) => [`leg_${i}`, leg])) } });
const side = (more: object = {}) => ({ kind: "any", min: 1, max: 9, others: true, ...more });
const gives = (more?: object) => ({ flow: { gives: side(more), gets: null } });
const gets = (more?: object) => ({ flow: { gives: null, gets: side(more) } });
const attempt = (own: object = {}) => ({ entry: { event: "E", who: ["args.from"] }, attempt: { call: "f", ...own } });
const anchored = (anchor: object, more: Given = {}) => ({ ...more, anchor });
const [up, down] = [{ var: "args.up" }, { var: "args.down" }];

describe("two rules that may both fit", () => {
  it.each<[string, Given, Given]>([
    ["at one place", {}, {}],
    ["at places that share a contract", anchored(event(set(a, b))), anchored(event(set(b, c)))],
    ["beside a call and without", anchored(event(set(a), beside(set(a), "0x3"))), {}],
    [
      "beside calls that share one",
      anchored(event(any, beside(any, "0x3", "0x4"))),
      anchored(event(any, beside(set(a), "0x4", "0x5"))),
    ],
    ["of one call", anchored(call(set(a))), anchored(call(any))],
    ["of any standard", anchored(transfer(any, any)), anchored(transfer(set(a), set(b), "erc20"))],
    ["of shared standards", anchored(transfer(any, any, "erc20", "nft")), anchored(transfer(any, any, "nft", "x"))],
    ["of authorizations", anchored({ kind: "authorization" }), anchored({ kind: "authorization" })],
    ["of people in common", who("args.from", "args.to"), who("args.to")],
    ["of nobody named", who("args.from"), {}],
    ["of attempts, whoever is named", attempt(), who("args.to")],
    ["without an anchor", anchored(none), anchored(none)],
    ["without an anchor, one asking for more", anchored(none, where(up)), anchored(none, where(up, down))],
    ["with legs in another order", anchored(none, legs({ x: 1 }, { y: 2 })), anchored(none, legs({ y: 2 }, { x: 1 }))],
    ["with conditions on different things", where(uint("args.amount", "1")), where(uint("args.from", "2"))],
    ["with a flow and without", gives({ max: 0, min: 0 }), {}],
    ["with flows of different sides", gives({ max: 0, min: 0 }), gets()],
    ["with a flow that need not be", gives({ max: 0, min: 0 }), gives({ min: 0 })],
    ["with nothing of one kind", gives({ kind: "erc20", max: 0, min: 0 }), gives({ kind: "native" })],
    ["with nothing fungible", gives({ kind: "fungible", max: 0, min: 0 }), gives({ kind: "nft" })],
    ["with others beside", gives({ kind: "native" }), gives({ kind: "nft" })],
    [
      "with one of the same kind",
      gives({ kind: "erc20", max: 1, others: false }),
      gives({ kind: "erc20", max: 1, others: false }),
    ],
    ["with some of any kind", gives({ kind: "native", others: false }), gives()],
    ["with some that is fungible", gives({ kind: "fungible", others: false }), gives({ kind: "native" })],
    ["with numbers that meet", gives({ max: 2 }), gives({ min: 2 })],
    ["with numbers of different kinds", gives({ kind: "native", max: 1 }), gives({ kind: "erc20", min: 2 })],
    ["with one leg", legs({ token: "T", from: "x" }), legs({ token: "T", from: "x" })],
    ["with legs of different tokens", legs({ token: "T", from: "x" }), legs({ token: "U", from: "y" })],
    [
      "with a leg that may be missing",
      legs({ token: "T", from: "x", optional: true }),
      legs({ token: "T", from: "y" }),
    ],
    ["with legs of which one says more", legs({ from: "x" }), legs({ token: "T", from: "y" })],
    ["with legs from anybody", legs({ token: "T" }), legs({ token: "T", from: "y" })],
    [
      "with legs of shared standards",
      legs({ token: "T", standards: ["erc20", "nft"] }),
      legs({ token: "T", standards: ["nft"] }),
    ],
    ["with legs of one standard and of any", legs({ token: "T", standards: ["erc20"] }), legs({ token: "T" })],
    ["with a mint and what others get", legs({ token: "T", from: "zero" }), legs({ token: "U", to: "x" })],
    ["with a burn and what others give", legs({ token: "T", to: "zero" }), legs({ token: "U", from: "x" })],
    ["with two mints", legs({ token: "T", from: "zero" }), legs({ token: "U", from: "zero" })],
  ])("%s", (_what, one, other) => {
    expect(meeting(one, other)).toEqual([true, true]);
  });

  it.each<[string, Given, Given]>([
    ["went through and reverted", {}, { status: "reverted" }],
    ["at other places", {}, anchored(event(set(b)))],
    ["beside other calls", anchored(event(any, beside(any, "0x3"))), anchored(event(any, beside(any, "0x4")))],
    [
      "beside calls elsewhere",
      anchored(event(any, beside(set(a), "0x3"))),
      anchored(event(any, beside(set(b), "0x3"))),
    ],
    ["of calls elsewhere", anchored(call(set(a))), anchored(call(set(b)))],
    ["of other standards", anchored(transfer(any, any, "erc20")), anchored(transfer(any, any, "nft"))],
    ["from others", anchored(transfer(set(a), any)), anchored(transfer(set(b), any))],
    ["to others", anchored(transfer(any, set(a))), anchored(transfer(any, set(b)))],
    ["of other people", who("args.from"), who("args.to")],
    [
      "of attempts with other conditions",
      attempt({ where: uint("args.amount", "1") }),
      where(uint("args.amount", "2")),
    ],
    ["without an anchor, asking for other things", anchored(none, where(up)), anchored(none, where(down))],
    ["without an anchor, with other legs", anchored(none, legs({ x: 1 })), anchored(none, legs({ x: 2 }))],
    ["with conditions that clash", where(uint("args.amount", "1")), where(uint("args.amount", "2"))],
    [
      "with arguments that are named otherwise",
      where(uint("args.amount", "1")),
      { ...where(uint("args.value", "2")), anchor: event(set(a), null, { names: ["x", "y", "value"] }) },
    ],
    [
      "with one address on different sides",
      where({ "==": [{ var: "args.from" }, a] }),
      where({ "==": [{ var: "args.to" }, a] }),
    ],
    ["with something and nothing", gives({ max: 0, min: 0 }), gives()],
    ["with something and nothing to get", gets({ max: 0, min: 0 }), gets()],
    ["with nothing fungible and a token", gives({ kind: "fungible", max: 0, min: 0 }), gives({ kind: "erc20" })],
    ["with nothing fungible and ether", gives({ kind: "fungible", max: 0, min: 0 }), gives({ kind: "native" })],
    ["with an NFT and none", gives({ kind: "nft", max: 0, min: 0 }), gives({ kind: "nft" })],
    ["with nothing else", gives({ kind: "native", others: false }), gives({ kind: "nft" })],
    ["with other numbers", gives({ max: 1 }), gives({ min: 2 })],
    ["with legs from others", legs({ token: "T", from: "x" }), legs({ token: "T", from: "y" })],
    ["with legs to others", legs({ amount: "A", to: "x" }), legs({ amount: "A", to: "y" })],
    ["with legs of one id", legs({ token: "T", id: "I", to: "x" }), legs({ token: "U", id: "I", to: "y" })],
    ["with legs that say no more", legs({ from: "x" }), legs({ from: "y" })],
    [
      "with one of several legs",
      legs({ token: "U" }, { token: "T", to: "x" }),
      legs({ token: "V" }, { token: "T", to: "y" }),
    ],
    [
      "with legs of other standards",
      legs({ token: "T", standards: ["erc20"] }),
      legs({ token: "T", standards: ["nft"] }),
    ],
    ["with a mint and a burn", legs({ token: "T", from: "zero" }), legs({ token: "U", to: "zero" })],
  ])("are none %s", (_what, one, other) => {
    expect(meeting(one, other)).toEqual([false, false]);
  });
});

describe("gates", () => {
  it.each<[object, object, boolean]>([
    [any, set(a), true],
    [any, proof("m"), true],
    [set(a, b), set(b, c), true],
    [set(a), set(b), false],
    [either(set(a), set(b)), set(b), true],
    [either(set(a), set(b)), set(c), false],
    [either(set(a), proof("m")), either(proof("m"), set(c)), true],
    [proof("m"), proof("m"), true],
    [proof("m"), proof("n"), false],
    [proof("m"), set(a), false],
    [moved, moved, true],
    [moved, set(a), false],
    [moved, any, true],
  ])("%j and %j meet: %s", (one, other, meet) => {
    expect([gatesMeet(one as never, other as never), gatesMeet(other as never, one as never)]).toEqual([meet, meet]);
  });

  it("are beside functions of one hash", () => {
    const list = [{ hash: "0x1" }, { hash: "0x2" }] as never;
    expect([hasHashOf({ hash: "0x2" } as never, list), hasHashOf({ hash: "0x3" } as never, list)]).toEqual([
      true,
      false,
    ]);
  });
});

describe("evidence", () => {
  it.each<[object, string]>([
    [event(any), "event 0x1 2"],
    [call(any), "call 0x2"],
    [{ ...call(any), call: null }, "any call"],
    [{ kind: "authorization", clears: true, signed: false }, "authorization true false"],
    [transfer(any, any), "transfer"],
    [none, "none"],
  ])("of %j is %j", (anchor, key) => {
    expect(evidenceKey({ anchor } as never)).toBe(key);
  });

  it("is the same whatever it means", () => {
    const same = (one: Given, other: Given) => sameEvidence(view(one), view(other));
    const entry = { event: "E", at: "desk" };
    const meaning = {
      id: "x",
      action: "y",
      does: "z",
      capture: {},
      attempts: "f",
      overrides: [],
      defers: true,
      survives: {},
    };
    expect(same({ entry }, { entry: { ...entry, ...meaning } })).toBe(true);
    expect(same({ entry }, { entry: { ...entry, at: "other" } })).toBe(false);
    const tried = (own: object = {}, anchor: object = call(any)) => ({ ...attempt(own), anchor });
    expect(same(tried(), tried())).toBe(true);
    expect(same(tried(), tried({ where: up }))).toBe(false);
    expect(same(tried(), tried({}, { ...call(any), call: { hash: "0x9", inputs } }))).toBe(false);
    expect(same(tried(), { entry })).toBe(false);
  });

  it("is named by the position of its arguments", () => {
    const key = (path: string, anchor: object = event(any)) => namesOf(view({ anchor })).key(path);
    expect(["args.from", "args.amount.deep.er", "args.none", "args", "tx.from"].map((path) => key(path))).toEqual([
      ...["args.0", "args.2.deep.er", "args.none", "args", "tx.from"],
    ]);
    expect([key("args.to", call(any)), key("args.to", { ...call(any), call: null }), key("args.to", none)]).toEqual([
      ...["args.1", "args.to", "args.to"],
    ]);
    expect(whoOf(view({ entry: { who: ["args.from", "emitter"] } }))).toEqual(["args.0", "emitter"]);
    expect(whoOf(view())).toEqual([]);
  });
});
