import { describe, expect, it } from "vitest";
import { checksum } from "../../../src/kernel/address.ts";
import { usdc } from "../../support/case-of.ts";
import { fieldsOf, intentsOf } from "./read-intents.ts";

describe("the intents of a descriptor", () => {
  const named = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}()`, { intent: `Do it ${i}` }]));

  it("are one for each function, in its order", () => {
    const formats = {
      "b(uint256 x)": { intent: "Set IT." },
      "a()": { intent: "Do" },
      "b(uint256)": { intent: "Do more" },
      "c()": { intent: { label: "Do" } },
      "d()": 5,
      "e()": {},
      "g()": { intent: "" },
    };
    const asked: string[] = [];
    const { intents, reported } = intentsOf(formats, {}, (selector) => {
      asked.push(selector);
      return undefined;
    });
    expect(intents.map(({ item, words, text, part }) => [item.name, words, text, part.pointer])).toEqual([
      ["b", "set IT", "function b(uint256 x)", "/display/formats/b(uint256 x)"],
      ["a", "do", "function a()", "/display/formats/a()"],
    ]);
    expect(asked.slice(0, 2)).toEqual(intents.map(({ item }) => item.hash));
    expect(asked).toHaveLength(6);
    expect(reported).toEqual([
      "/display/formats/b(uint256): a function that is there twice",
      "/display/formats/c(): a function without an intent",
      "/display/formats/d(): a format that is no object",
      "/display/formats/e(): a function without an intent",
      "/display/formats/g(): an intent that is not short, plain, printable ASCII text",
    ]);
  });

  it("take the name of a function that has none in words, with the labels and values that stand for it", () => {
    const { intents, reported } = intentsOf({
      "withdrawERC20(uint256 a)": { fields: [] },
      "burn_for(uint256 a)": { intent: "burn_for_me" },
      "stake(uint256 a)": { intent: { "Native Staking": "Withdraw", Way: "<b>", "<b>": "Way", Rewards: 5 } },
    });
    expect(
      intents.map(({ words, details }) => [words, ...details.map(({ label, capture }) => [label, capture])]),
    ).toEqual([["withdraw ERC20"], ["burn for me"], ["stake", ["native staking", { const: "Withdraw" }]]]);
    const intent = "/display/formats/stake(uint256 a)/intent";
    expect(reported).toEqual([
      `${intent}/Way: a constant that is not short, plain, printable ASCII text`,
      `${intent}/<b>: a label that is not short, plain, printable ASCII text`,
      `${intent}/Rewards: a constant that is not short, plain, printable ASCII text`,
    ]);
  });

  it("have fields that take the name of their value where the label is missing or no plain text", () => {
    const fields = [
      { path: "amountIn" },
      { path: "order.min_out.[]", label: "<b>" },
      { path: "@.value" },
      { path: "a" },
    ];
    const { intents, reported } = intentsOf({
      "f(uint256 amountIn,(uint256[] min_out) order,uint256 a)": { intent: "Do", fields },
    });
    const place = "/display/formats/f(uint256 amountIn,(uint256[] min_out) order,uint256 a)/fields";
    expect(intents[0]?.details.map(({ label }) => label)).toEqual(["amount in", "min out", "value"]);
    expect(reported).toEqual([
      `${place}/1/label: a label that is not short, plain, printable ASCII text`,
      `${place}/3: a field without a label`,
    ]);
  });

  it("are not made where others tell the function", () => {
    const { intents, reported } = intentsOf({ "a()": { intent: "Do" } }, {}, () => "told already");
    expect([intents, reported]).toEqual([[], ["/display/formats/a(): told already"]]);
  });

  it("are those of 256 functions at most, and of an object", () => {
    expect(intentsOf(named(256)).reported).toEqual([]);
    expect(intentsOf(named(258)).reported).toEqual([
      "/display/formats/f256(): more than 256 functions",
      "/display/formats/f257(): more than 256 functions",
    ]);
    expect(intentsOf({}).reported).toEqual(["/display/formats: no functions"]);
    expect(() => intentsOf([])).toThrow("no formats: the descriptor is left out");
    expect(() => intentsOf(undefined)).toThrow("no formats: the descriptor is left out");
  });

  it("of messages are read by their types, of calls by the ABI", () => {
    const context = { eip712: {} };
    const { intents } = intentsOf({ "Act(bool a)": { intent: "Act" } }, { context });
    expect(intents.map(({ item, words }) => [item.kind, words])).toEqual([["message", "act"]]);
    const abi = [{ type: "function", name: "act", inputs: [{ type: "bool", name: "flag" }] }];
    const call = intentsOf({ "act(bool)": { intent: "Act" } }, { context: { contract: { abi } } });
    expect(call.intents[0]?.text).toBe("function act(bool flag)");
  });
});

describe("what is told of fields", () => {
  const field = (name: string, more: object = {}) => ({ path: name, label: `of ${name}`, ...more });
  const names = (count: number) => Array.from({ length: count }, (_, i) => `a${String(i).padStart(2, "0")}`);
  const parameters = (all: readonly string[]) => all.map((name) => `uint256 ${name}`).join(",");
  const labels = (types: string, fields: object[], metadata = {}) =>
    fieldsOf(types, fields, metadata).intent?.details.map(({ label }) => label);

  it("is ordered by weight, and by what the author wants", () => {
    const fields = [
      field("c", { value: "text" }),
      field("b"),
      field("n"),
      field("t", { format: "tokenTicker" }),
      field("to"),
      field("id", { format: "nftName", params: { collection: usdc } }),
      field("sum", { format: "amount" }),
      field("less", { format: "amount", visible: "optional" }),
    ];
    const types = "bytes b,uint256 n,address t,address to,uint256 id,uint256 sum,uint256 less";
    expect(labels(types, fields)).toEqual(["of id", "of sum", "of t", "of to", "of n", "of b", "of c", "of less"]);
    const optional = { visible: "optional" };
    expect(labels("bytes b,uint256 n,bytes c", [field("b", optional), field("n", optional), field("c")])).toEqual([
      "of c",
      "of n",
      "of b",
    ]);
  });

  it("has a label in plain words", () => {
    expect(labels("uint256 a", [{ path: "a", label: "Profile_ID_of" }])).toEqual(["profile ID of"]);
    expect(fieldsOf("uint256 a", [{ path: "a", label: 5 }]).reported).toEqual([
      "0/label: a label that is not short, plain, printable ASCII text",
    ]);
    expect(fieldsOf("uint256 a", [{ path: "a" }]).reported).toEqual(["0: a field without a label"]);
  });

  it("is 24 fields at most, and 8 that must have certain values", () => {
    const all = names(26);
    const read = (count: number, visible?: object) =>
      fieldsOf(
        parameters(all),
        all.slice(0, count).map((name) => field(name, visible && { visible })),
      );
    expect(read(24).reported).toEqual([]);
    const more = read(26);
    expect(more.intent?.details.map(({ label }) => label)).toEqual(all.slice(0, 24).map((name) => `of ${name}`));
    expect(more.reported).toEqual([24, 25].map((i) => `${i}: more than 24 fields for one sentence`));
    const must = { mustMatch: [1] };
    expect(read(8, must).intent?.musts).toHaveLength(8);
    expect(read(8, must).intent?.details).toEqual([]);
    const refused = read(9, must);
    expect(refused.intent).toBeUndefined();
    expect(refused.reported).toEqual([
      "/display/formats/act(".concat(parameters(all), "): more than 8 fields that must have certain values"),
    ]);
  });
});

describe("an interpolated intent", () => {
  const amount = { path: "a", label: "A one", format: "tokenAmount", params: { token: checksum(usdc) } };
  const fields = [
    amount,
    ...["b", "c", "d", "e"].map((path) => ({ path, label: `of ${path}` })),
    { path: "list.[]", label: "list" },
  ];
  const read = (interpolatedIntent: unknown) => {
    const types = "uint256 a,uint256 b,uint256 c,uint256 d,uint256 e,uint256[] list";
    const { intent, reported } = fieldsOf(types, fields, {}, { interpolatedIntent });
    const { text, told = [], others = [] } = intent?.sentence ?? {};
    const labels = (details: typeof told) => details.map(({ label }) => label).join(" ");
    return text === undefined ? reported : [text, labels(told), labels(others), ...reported];
  };
  const wrong = "interpolatedIntent: an interpolated intent that is not short, plain, printable ASCII text";

  it.each<[unknown, string[]]>([
    ["Send {a} Now.", ["send {field_1} now", "a one", "of b of c of d of e list"]],
    ["Send   {b} ,  then {#.a} !?", ["send {field_1} , then {field_2}", "of b a one", "of c of d of e list"]],
    ["Send {a} or {b}: {a}", ["send {field_1} or {field_2}: {field_1}", "a one of b", "of c of d of e list"]],
    ["Send {a}{b}{c}{d}", ["send {field_1}{field_2}{field_3}{field_4}", "a one of b of c of d", "of e list"]],
    ["Do it all.", ["do it all", "", "a one of b of c of d of e list"]],
    ["Send {a}{b}{c}{d}{e}", ["interpolatedIntent: more than 4 values for one sentence"]],
    ["Send {gone}", ["interpolatedIntent: an interpolated value without a field"]],
    ["Send {list.[]}", ["interpolatedIntent: an interpolated value that cannot be told"]],
    ["{a} is sent", [wrong]],
    ["Send <b>", [wrong]],
    ["", [wrong]],
    [5, ["interpolatedIntent: an interpolated intent that is no short text"]],
    [`Send ${"{a}".repeat(132)}`, ["interpolatedIntent: an interpolated intent that is no short text"]],
    [`Send it${" ".repeat(393)}`, ["send it", "", "a one of b of c of d of e list"]],
  ])("%j", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});
