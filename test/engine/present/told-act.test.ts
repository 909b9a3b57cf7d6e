import { describe, expect, it } from "vitest";
import { distinctActs } from "../../../src/engine/present/told-act.ts";
import { tierRank } from "../../../src/rules/ruleset/actions.ts";
import { alice, bob } from "../../support/case-of.ts";
import { teller } from "./named-world.ts";

const approvals = tierRank("approval");

describe("an action in words", () => {
  const asked: unknown[] = [];
  const writer = {
    write: (does: string, told: { form: string; also?: unknown }) => {
      asked.push({ does, form: told.form, also: told.also });
      if (does.startsWith("?")) return undefined;
      return { text: `${does} ${told.form}`, untrusted: does === "odd", amounts: [{ key: "native", amount: 1n }] };
    },
  };
  const types = new Map([
    ["claim", { does: "claim it" }],
    ["other", { does: "?" }],
  ]);
  const also = new Map([["call", { text: "x", untrusted: false }]]);
  const action = (does: string, more: object = {}, context: object = { subject: alice }) => ({
    rule: { does, action: "claim", status: "success", by: null, carries: null, protocol: null, ...more },
    context,
    logs: [],
  });
  const tell = (actions: object[], tools: object = {}) =>
    distinctActs(actions as never, { types, writer, teller, alsoOf: () => also, ...tools } as never);
  const one = (does: string, more: object = {}, tools: object = {}) => {
    const [act] = tell([action(does, more)], tools);
    return { ...act, rule: undefined, context: undefined };
  };
  const whole = {
    ...{ rule: undefined, context: undefined, logs: [], times: 1 },
    account: alice,
    subject: teller.short(alice),
    untrusted: false,
  };
  const amounts = [{ key: "native", amount: 1n }];

  it("joins unlimited allowances for one spender, but none whose words hold something else", () => {
    const allowance = (asset: string) =>
      action(`allowed bob to spend unlimited ${asset}`, { id: "approve", tier: approvals });
    const plain = { write: (does: string) => ({ text: does, untrusted: false, amounts: [] }) };
    const told = (assets: string[]) => tell(assets.map(allowance), { writer: plain }).map(({ text }) => text);
    expect(told(["WETH", '"A, B" (0x12…34)', "token 0x56…78"])).toEqual([
      'allowed bob to spend unlimited WETH, "A, B" (0x12…34), and token 0x56…78',
    ]);
    expect(told(["WETH", "DAI through Permit2"])).toEqual([
      "allowed bob to spend unlimited WETH",
      "allowed bob to spend unlimited DAI through Permit2",
    ]);
  });

  it("has the form of what it is: done, tried or asked for", () => {
    const said = (text: string) => ({ ...whole, predicate: text, text, amounts });
    expect(one("pay")).toEqual(said("pay past"));
    expect(one("pay", { status: "reverted" })).toEqual(said("pay attempt"));
    expect(one("pay", { status: "reverted" }, { request: true })).toEqual(said("pay request"));
    expect(one("odd")).toEqual({ ...said("odd past"), untrusted: true });
    expect(one("pay", { by: "The chain" })).toEqual({ ...said("pay past"), account: null, subject: "The chain" });
  });

  it("has the words of its type where its sentence cannot be told, else those of any", () => {
    const said = (text: string, told: object[] = amounts) => ({ ...whole, predicate: text, text, amounts: told });
    expect(one("?")).toEqual(said("claim it past"));
    expect(one("?", { protocol: "Hub" })).toEqual(
      said(teller.say("summary.on_protocol", { act: "claim it past", protocol: "Hub" }).text),
    );
    const some = teller.words("summary.some_act");
    expect(one("?", { action: "other" })).toEqual(said(some, []));
    expect(one("?", { action: "none", protocol: "Hub" })).toEqual(
      said(teller.say("summary.on_protocol", { act: some, protocol: "Hub" }).text, []),
    );
  });

  it("tells the call that it holds where its rule does", () => {
    asked.length = 0;
    one("pay");
    one("pay", { carries: {} });
    one("pay", { carries: {} }, { alsoOf: () => undefined });
    expect(asked).toEqual([
      { does: "pay", form: "past", also: undefined },
      { does: "pay", form: "past", also },
      { does: "pay", form: "past", also: undefined },
    ]);
  });

  it("is told once where two read the same of one subject", () => {
    const told = tell([action("pay"), action("pay"), action("pay", {}, { subject: bob }), action("get")]);
    expect(told.map(({ subject, text }) => [subject, text])).toEqual([
      [teller.short(alice), "pay past"],
      [teller.short(bob), "pay past"],
      [teller.short(alice), "get past"],
    ]);
    const count = (...does: string[]) => tell(does.map((one) => action(one))).length;
    expect([count(), count("pay"), count("pay", "pay"), count("pay", "get")]).toEqual([0, 1, 1, 2]);

    const [both] = tell([
      { ...action("pay"), logs: [1] },
      { ...action("pay"), logs: [2, 3] },
    ]);
    expect(both?.logs).toEqual([1, 2, 3]);
  });

  it("is told with its number where one rule tells equal amounts several times", () => {
    const { rule, context } = action("pay");
    const again = [1, 2, 3].map((log) => ({ rule, context, logs: [log] }));
    const [act] = tell(again);
    expect([act?.text, act?.amounts]).toEqual(["pay past, 3 times", [{ key: "native", amount: 3n }]]);
  });
});
