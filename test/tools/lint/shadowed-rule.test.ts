import { describe, expect, it } from "vitest";
import { checkShadows } from "../../../src/tools/lint/checks/set/shadowed-rule.ts";

const [a, b, c] = ["a", "b", "c"].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
const set = (...addresses: string[]) => ({ kind: "set", addresses: new Set(addresses) });
const either = (...gates: object[]) => ({ kind: "either", gates });
const proof = (member: string) => ({ kind: "proof", member });
const any = { kind: "any" };
const inputs = { names: ["from", "to"] };
const event = (gate: object, companion: object | null = null) => {
  return { kind: "event", event: { hash: "0x1", topics: 1, inputs }, gate, companion };
};
const call = (gate: object) => ({ kind: "call", call: { hash: "0x2", inputs }, gate });
const beside = (gate: object, ...hashes: string[]) => ({ call: hashes.map((hash) => ({ hash })), gate });
const fileOf = (name: string) => ({
  source: { file: name, rangeOf: (path: unknown[]) => path.join("/") },
  scope: { contracts: new Map() },
});
const file = fileOf("a.yaml");

interface Given {
  anchor?: object;
  rule?: object;
  entry?: object;
  attempt?: object | null;
  file?: object;
}

function view(id: string, evidence: number, { anchor = event(set(a)), rule = {}, entry = {}, ...more }: Given) {
  const plain = {
    status: "success",
    yields: false,
    defers: false,
    tier: 2,
    controlRank: 0,
    rank: 0,
    flow: null,
    legs: [],
  };
  const specificity = { place: 3, evidence, legs: 0 };
  return {
    ...{ rule: { id, ...plain, anchor, specificity, ...rule }, entry: { ...entry } },
    at: ["rules", id],
    file,
    attempt: null,
    ...more,
  };
}

/** What is told of views of one evidence. */
function told(views: object[], key = "event") {
  const wanted = new Set(views.map((one) => (one as { file: object }).file));
  return [...checkShadows({ byEvidence: new Map([[key, views]]), wanted, overrides: () => false } as never)];
}

const shadows = (first: Given, second: Given) => {
  const [one, other] = [view("first", 3, first), view("second", 2, second)];
  return [told([one, other]).length, told([other, one]).length];
};
const anchored = (anchor: object, more: Given = {}): Given => ({ ...more, anchor });
const who = (...paths: string[]): Given => ({ entry: { who: paths } });
const where = (...parts: unknown[]): Given => ({ entry: { where: parts } });
const flow = (asked: object): Given => ({ entry: { flow: asked }, rule: { flow: {} } });
const attempt = { attempt: { attempt: { call: "f" } } };
const [up, down] = [{ var: "args.up" }, { var: "args.down" }];

describe("a rule that another one always beats", () => {
  it("is told once, at its id, with the other", () => {
    const [first, second] = [view("first", 3, {}), view("second", 2, { file: fileOf("b.yaml") })];
    const related = [{ file: "a.yaml", range: "rules/first/id", message: "`first` is here" }];
    const message = "`second` can never stand: `first` fits whenever it does and goes first";
    expect(told([first, second])).toEqual([[second.file, "RL705", ["rules", "second", "id"], message, { related }]]);
    expect(told([second, first])).toHaveLength(1);
    expect(told([first, view("third", 4, {}), second])).toHaveLength(2);
    expect([told([first, second], "none"), told([first, second], "transfer")]).toEqual([[], []]);
    expect(told([first, { ...second, entry: first.entry }])).toEqual([]);
    expect(told([first, view("second", 3, {})])).toEqual([]);
  });

  it.each<[string, Given, Given]>([
    ["at one place", {}, {}],
    ["anywhere", anchored(event(any)), {}],
    ["at more places", anchored(event(set(a, b))), {}],
    ["at one of two kinds of places", anchored(event(either(set(b), set(a)))), {}],
    ["at places of two kinds", anchored(event(set(a, b))), anchored(event(either(set(a), set(b))))],
    ["at members", anchored(event(proof("m"))), anchored(event(proof("m")))],
    ["without a call", {}, anchored(event(set(a), beside(any, "0x3")))],
    ["beside more calls", anchored(event(any, beside(any, "0x3", "0x4"))), anchored(event(any, beside(set(a), "0x4")))],
    ["of a call", anchored(call(any)), anchored(call(set(a)))],
    ["of a call, both with money", { ...flow({}), anchor: call(any) }, { ...flow({}), anchor: call(any) }],
    ["of a call with a leg", anchored(call(any), { rule: { legs: [{}] } }), anchored(call(any))],
    ["of an event, the other with money", {}, flow({ gives: "some" })],
    ["of authorizations", anchored({ kind: "authorization" }), anchored({ kind: "authorization" })],
    ["of anybody", {}, who("args.from")],
    ["of more people", who("args.from", "args.to"), who("args.to")],
    ["with any flow", flow({ gives: "any", gets: "any" }), {}],
    ["with the same flow", flow({ gives: "some", gets: { min: 1 } }), flow({ gives: "some", gets: { min: 1 } })],
    ["with fewer conditions", where(up), where(down, up)],
    ["on one's behalf", { entry: { acts_for: "args.to" } }, { entry: { acts_for: "args.to" } }],
  ])("asks for no less: %s", (_what, first, second) => {
    expect(shadows(first, second)).toEqual([1, 1]);
  });

  it.each<[string, Given, Given]>([
    ["what reverted", { rule: { status: "reverted" } }, {}],
    ["what yields", { rule: { yields: true } }, { rule: { yields: true } }],
    ["an attempt", attempt, {}],
    ["another's attempt", {}, attempt],
    ["another place", anchored(event(set(b))), {}],
    ["any place", {}, anchored(event(any))],
    ["one of two places", {}, anchored(event(either(set(a), set(b))))],
    ["neither place", anchored(event(either(set(b), set(c)))), {}],
    ["other members", anchored(event(proof("m"))), anchored(event(proof("n")))],
    ["a member", {}, anchored(event(proof("m")))],
    ["a known place", anchored(event(proof("m"))), {}],
    ["a call", {}, anchored(call(set(a)))],
    ["an event", anchored(call(set(a))), {}],
    ["an authorization", {}, anchored({ kind: "authorization" })],
    ["no authorization", anchored({ kind: "authorization" }), {}],
    ["no call beside", anchored(event(any, beside(any, "0x3"))), anchored(event(any))],
    ["more calls", anchored(event(any, beside(any, "0x3"))), anchored(event(any, beside(any, "0x3", "0x4")))],
    ["calls elsewhere", anchored(event(any, beside(set(a), "0x3"))), anchored(event(any, beside(set(b), "0x3")))],
    ["a call elsewhere", anchored(call(set(a))), anchored(call(set(b)))],
    ["a call with money", anchored(call(any)), { ...flow({}), anchor: call(any) }],
    ["a call with a leg", anchored(call(any)), anchored(call(any), { rule: { legs: [{}] } })],
    ["anybody", who("args.from"), {}],
    ["more people", who("args.from"), who("args.from", "args.to")],
    ["others' behalf", { entry: { acts_for: "args.to" } }, {}],
    ["no leg", { entry: { legs: { paid: {} } } }, {}],
    ["no flow", flow({ gives: "some" }), {}],
    ["nothing given", flow({ gives: "some" }), flow({ gives: "nothing" })],
    ["nothing got", flow({ gets: "some" }), flow({ gives: "some" })],
    ["other conditions", where(up), where(down)],
    ["fewer conditions", where(up, down), where(up)],
    ["another file's conditions", where(up), { ...where(up), file: fileOf("b.yaml") }],
  ])("is none that asks for %s", (_what, first, second) => {
    expect(shadows(first, second)).toEqual([0, 0]);
  });
});
