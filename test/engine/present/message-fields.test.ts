import { describe, expect, it } from "vitest";
import { AssetNames } from "../../../src/engine/present/amounts/asset-names.ts";
import { tellCarried } from "../../../src/engine/present/message/carried-acts.ts";
import { listGrants } from "../../../src/engine/present/message/message.ts";
import { listSignedFields, tellFields } from "../../../src/engine/present/message/signed-fields.ts";
import { checksum } from "../../../src/kernel/address.ts";
import { limits } from "../../../src/kernel/limits.ts";
import type { MessageField } from "../../../src/rules/typed-data/fields.ts";
import { alice, bob, caseOf, metadata, token, usdc, vault, weth } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTeller } from "../../support/wording.ts";
import { right } from "./message-rights.ts";

const teller = shippedTeller();
const labels = shippedLabels();
const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>() };
const namesOf = () => new AssetNames(caseOf({ tokens: { [token]: metadata("ODD", 2) } }), labels, policy, teller);
const field = (type: string, value: unknown, path = "a"): MessageField => ({ path, type, value }) as MessageField;

describe("the fields of a message that no rule knows", () => {
  const writer = { address: (one: string) => (one === usdc ? "USDC" : teller.short(one as never)) } as never;
  const domain = { verifyingContract: vault } as never;
  const told = (fields: MessageField[], contentsType: string | null = "Order") =>
    tellFields({ contentsType, fields, signer: alice, account: alice, domain }, { teller, writer });
  const nothing = teller.words("message.nothing");

  it.each<[string, unknown, string]>([
    ["uint256", 1_500n, "1,500"],
    ["uint256", 10n ** 24n - 1n, "999,999,999,999,999,999,999,999"],
    ["uint256", 10n ** 24n, teller.say("message.number", { digits: "25" }).text],
    ["int256", -(10n ** 24n), teller.say("message.number", { digits: "25" }).text],
    ["int256", -5n, "-5"],
    ["bool", true, teller.words("value.yes")],
    ["bool", false, teller.words("value.no")],
    ["string", "hi", '"hi"'],
    ["string", "\u200b", nothing],
    ["string", "word ".repeat(20), `"${"word ".repeat(20).slice(0, 39)}…"`],
    ["address", bob, teller.short(bob)],
    ["bytes", "0x", nothing],
    ["bytes", "0x1234567890", "0x1234567890"],
    ["bytes", "0x123456789012", "0x1234…9012"],
    ["bool[]", [], nothing],
  ])("%s %s is told as %s", (type, value, text) => {
    const name = { text: '"a"', untrusted: true };
    const said = teller.say("message.field", {
      name,
      value: { text, untrusted: type === "string" && text !== nothing },
    });
    expect(told([field(type, value)])).toEqual({
      type: { text: '"Order"', untrusted: true },
      fields: { text: said.text, untrusted: true },
    });
    // Without a name only the value can be a stranger's word.
    expect(told([field(type, value, "")]).fields?.untrusted).toBe(type === "string" && text !== nothing);
  });

  it("are told up to four, and the others counted", () => {
    const five = Array.from({ length: 5 }, (_, i) => field("uint256", BigInt(i)));
    const one = (i: number) => `"a" ${i}`;
    const more = (count: number) => teller.say("message.more_fields", { count }).text;
    expect(told(five.slice(0, 4)).fields?.text).toBe(`${[0, 1, 2].map(one).join(", ")} and ${one(3)}`);
    expect(told(five).fields?.text).toBe(`${[0, 1, 2, 3].map(one).join(", ")} and ${more(1)}`);
    expect(told([], null)).toEqual({ type: { text: "", untrusted: false }, fields: null });
    const long = told([field("uint256", 1n, "b".repeat(33))], "c".repeat(33));
    expect([long.type.text, long.fields?.text]).toEqual([`"${"c".repeat(31)}…"`, `"${"b".repeat(31)}…" 1`]);
    expect(told([field("uint256", 1n, "\u200b")]).fields?.text).toBe(" 1");
  });

  it("are listed as data, cleaned and cut", () => {
    const values = [
      field("uint256", 5n),
      field("bool", true),
      field("address", usdc),
      field("string", " a\nb "),
      field("bool[]", []),
    ];
    expect(listSignedFields(values).map(({ value }) => value)).toEqual(["5", "true", checksum(usdc), "ab", "[]"]);
    const long = "x".repeat(81);
    expect(listSignedFields([field(long, "\u200b", long)])).toEqual([
      { path: `${"x".repeat(79)}…`, type: `${"x".repeat(79)}…`, value: "" },
    ]);
    expect(listSignedFields([field("string", "x".repeat(80))])[0]?.value).toBe("x".repeat(80));
    expect(listSignedFields([field("string", `${"\u200b".repeat(4_096)}a`)])[0]?.value).toBe("");
    expect(listSignedFields([field("string", `${"\u200b".repeat(4_095)}a`)])[0]?.value).toBe("a");
    expect(listSignedFields(Array(limits.signedFieldsMax + 1).fill(values[0]))).toHaveLength(limits.signedFieldsMax);
  });
});

describe("the rights of a message as data", () => {
  const listed = (...rights: object[]) => listGrants(rights as never, labels, namesOf());
  const whole = {
    ...{ token: "USDC", token_address: checksum(usdc), spender: checksum(bob), spender_label: null, amount: "5" },
    until: null,
  };

  it.each<[object, object]>([
    [{}, {}],
    [{ amount: null }, { amount: null }],
    [{ endless: true }, { amount: "unlimited" }],
    [{ amount: null, endless: true }, { amount: null }],
    [
      { id: 7n, amount: 1n, token: vault },
      { ...{ token: teller.short(vault), token_address: checksum(vault) }, amount: "1", token_id: "7" },
    ],
    [{ until: 1_772_366_400n }, { until: "2026-03-01T12:00:00Z" }],
    [{ until: 253_402_300_799n }, { until: "9999-12-31T23:59:59Z" }],
    [{ until: 253_402_300_800n }, { until: null }],
    [{ until: 0n }, { until: "1970-01-01T00:00:00Z" }],
    [{ spender: weth }, { spender: checksum(weth), spender_label: "WETH9" }],
    [{ spender: usdc }, { spender: checksum(usdc), spender_label: "USDC" }],
  ])("%#", (more, expected) => {
    expect(listed(right(more))).toEqual({ list: [{ ...whole, ...expected }], untrusted: [], cut: false });
  });

  it("have the address of a token whose symbol misleads", () => {
    const file = caseOf({ tokens: { [token]: metadata("ODD", 2), [vault]: metadata("<b>", 2) } });
    const names = new AssetNames(file, labels, { ...policy, wellKnown: new Set(["odd"]) }, teller);
    const { list, untrusted } = listGrants([right({ token }), right({ token: vault })] as never, labels, names);
    expect([list.map((one) => one.token), untrusted]).toEqual([[teller.short(token), teller.short(vault)], []]);
  });

  it("say whose symbol a stranger chose, and are fifty at most", () => {
    const own = { ...whole, token: "ODD", token_address: checksum(token), amount: "50000" };
    expect(listed(right(), right({ token }))).toEqual({ list: [whole, own], untrusted: [1], cut: false });
    const many = (count: number) => {
      const { list, cut } = listed(...Array.from({ length: count }, () => right()));
      return [list.length, cut];
    };
    expect([many(limits.signedGrantsMax), many(limits.signedGrantsMax + 1)]).toEqual([
      [limits.signedGrantsMax, false],
      [limits.signedGrantsMax, true],
    ]);
  });
});

describe("the acts that a message carries", () => {
  const written = new Map<unknown, string>();
  const writer = {
    write: (does: unknown, { form, also }: { form: string; also?: ReadonlyMap<string, { text: string }> }) => {
      const text = written.get(does);
      if (text === undefined) return undefined;
      return {
        text: `${text}${also === undefined ? "" : ` so as to ${also.get("call")?.text}`} (${form})`,
        untrusted: text === "odd",
        amounts: [],
      };
    },
    address: (address: string) => (address === bob ? "Bob" : "somebody"),
  };
  const types = new Map([["claim", { does: "claim words" }]]);
  written.set("claim words", "claim rewards");
  const action = (does: string, more: object = {}) => {
    if (!does.startsWith("?")) written.set(does, does);
    return { rule: { does, action: "claim", protocol: null, ...more }, context: { does } };
  };
  const call = (id: number, more: object = {}) => ({ id, from: alice, to: bob, value: 0n, ...more });
  const tell = (parts: object, within?: object) =>
    tellCarried(
      [{ actions: [], calls: [], told: new Set(), opaque: false, ...parts }] as never,
      { actions: types } as never,
      { names: namesOf(), teller, writer, within } as never,
    );

  it("are told in base form, once each: acts first, then calls that no act tells", () => {
    expect(tell({ actions: [action("pay"), action("pay"), action("odd")] })).toEqual({
      ...{ text: "pay (request) and odd (request)", untrusted: true, cut: false },
    });
    const toBob = teller.say("preview.call", { to: "Bob" }).text;
    expect(tell({ actions: [action("pay")], calls: [call(1), call(2)], told: new Set([2]) }).text).toBe(
      `pay (request) and ${toBob}`,
    );
    const others = [call(1), call(2, { to: vault }), call(3, { to: vault, value: 5n })];
    expect(tell({ calls: others, told: new Set([2, 3]) }).text).toBe(toBob);
    const amount = { text: "1 ETH", untrusted: false };
    expect(tell({ calls: [call(1, { value: 10n ** 18n })] }).text).toBe(
      teller.say("preview.call_with", { to: "Bob", amount }).text,
    );
    expect(tell({ calls: [call(1, { to: alice, value: 5n })] }).text).toBe(teller.say("message.own_call", {}).text);
    expect(tell({ calls: [call(1, { to: null })] }).text).toBe(teller.say("preview.call", { to: "" }).text);
  });

  it("are told in the words of their action if the sentence cannot be told", () => {
    expect(tell({ actions: [action("?")] })).toEqual({ text: "claim rewards (request)", untrusted: false, cut: false });
    expect(tell({ actions: [action("?", { protocol: "Hub" })] }).text).toBe(
      teller.say("summary.on_protocol", { act: "claim rewards (request)", protocol: "Hub" }).text,
    );
    expect(tell({ actions: [action("?", { action: "other" })] }).text).toBe(teller.words("summary.some_act"));
  });

  it("are three at most, and the others counted", () => {
    const four = ["a", "b", "c", "d"].map((does) => action(does));
    expect(tell({ actions: four.slice(0, 3) })).toMatchObject({
      ...{ text: "a (request), b (request) and c (request)", cut: false },
    });
    const more = teller.say("message.acts_cut", { count: 1 }).text;
    expect(tell({ actions: four })).toMatchObject({
      ...{ text: `a (request), b (request), c (request) and ${more}`, cut: true },
    });
    expect(tell({ opaque: true })).toEqual({ text: "", untrusted: false, cut: true });
    const both = [true, false].map((opaque) => ({ actions: [], calls: [], told: new Set(), opaque }));
    const tools = { names: namesOf(), teller, writer };
    expect(tellCarried(both as never, { actions: types } as never, tools as never).cut).toBe(true);
  });

  it("tell also the calls inside their own calls", () => {
    const outer = action("run");
    const inner = { actions: [action("pay")], calls: [], told: new Set(), opaque: false };
    expect(tell({ actions: [outer] }, new Map([[outer.context, [inner]]])).text).toBe(
      "run so as to pay (request) (request)",
    );
    const none = { ...inner, actions: [] };
    expect(tell({ actions: [outer] }, new Map([[outer.context, [none]]])).text).toBe("run (request)");
  });
});
