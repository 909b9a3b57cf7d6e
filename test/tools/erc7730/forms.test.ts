import { describe, expect, it } from "vitest";
import { bob, usdc } from "../../support/case-of.ts";
import { write } from "./written-rules.ts";

describe("a form of a rule", () => {
  it("tells an interpolated intent where its values can be told, amounts and ether as they moved", () => {
    const formats = {
      "pay(uint256 sum,address to)": {
        intent: "Pay",
        interpolatedIntent: "Pay {sum}",
        fields: [
          { path: "sum", label: "Sum", format: "tokenAmount", params: { token: usdc } },
          { path: "to", label: "To", visible: { ifNotIn: [usdc, bob] } },
          { path: "@.value", label: "Ether", format: "amount" },
          { path: "#.sum", label: "Number", format: "raw" },
        ],
      },
    };
    const { document } = write(formats);
    const not = (one: string) => ({ "!": { "==": [{ var: "args.to" }, one] } });
    const sum = { amount: "args.sum", of: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" };
    const to = { label: "to", when: { and: [not(usdc), not(bob)] }, address: "args.to" };
    const [ether, number] = [
      { label: "ether", amount: "call.value", of: "native" },
      { label: "number", integer: "args.sum" },
    ];
    const where = [{ ">": [{ var: "args.sum" }, "0"] }];
    const [inside, plain] = [
      "call {contract} to pay {field_1}[, with {fields}]",
      "call {contract} to pay[, with {fields}]",
    ];
    const all = ["pay", "pay-giving", "pay-getting", "pay-exchanging"];
    expect(
      document.rules?.map(({ id, when: asked, values, before = [], say, tried }) => ({
        id,
        asked,
        values,
        before,
        say,
        tried: tried?.length,
      })),
    ).toEqual([
      {
        id: "pay-detailed",
        asked: where,
        values: { field_1: sum, fields: [to, number] },
        before: all,
        say: inside,
        tried: undefined,
      },
      {
        ...{ id: "pay", asked: undefined, values: { fields: [{ label: "sum", ...sum }, to, number] } },
        ...{ before: all.slice(1), say: plain, tried: 2 },
      },
      ...[", giving {gives}", ", receiving {gets}", ", giving {gives} and receiving {gets}"].map((ending, i) => ({
        ...{ id: all[i + 1], asked: undefined, values: { fields: [to, number] } },
        ...{ before: i === 2 ? [] : ["pay-exchanging"], say: `${plain}${ending}`, tried: undefined },
      })),
    ]);
    expect(document.rules?.[1]?.tried).toEqual([
      { call: "pay", when: where, values: { field_1: sum, fields: [ether, to, number] }, say: inside },
      { call: "pay", values: { fields: [{ label: "sum", ...sum }, ether, to, number] }, say: plain },
    ]);
  });

  it("tells no sentence of which a value is told as it moved", () => {
    const fields = [
      { path: "@.value", label: "Ether", format: "amount" },
      { path: "to", label: "To" },
    ];
    const format = { intent: "Pay", interpolatedIntent: "Pay {@.value} to {to}", fields };
    const { document } = write({ "pay(address to)": format });
    expect(document.rules?.map(({ id, say }) => `${id}: ${say}`)).toEqual([
      "pay: call {contract} to pay[, with {fields}]",
      "pay-giving: call {contract} to pay[, with {fields}], giving {gives}",
      "pay-getting: call {contract} to pay[, with {fields}], receiving {gets}",
      "pay-exchanging: call {contract} to pay[, with {fields}], giving {gives} and receiving {gets}",
    ]);
    expect((document.rules?.[0]?.tried as { say: string }[] | undefined)?.map(({ say }) => say)).toEqual([
      "call {contract} to pay {field_1} to {field_2}",
      "call {contract} to pay[, with {fields}]",
    ]);
  });

  it("tells the plain intent alone where no example has the values of the sentence", () => {
    const fields = [{ path: "n", label: "Num", format: "amount", visible: { mustMatch: [0] } }];
    const shown = { path: "#.n", label: "Also", format: "amount" };
    const format = { intent: "Act", interpolatedIntent: "Act on {n}", fields: [...fields, shown] };
    const { document, reported } = write({ "act(uint256 n)": format });
    expect(document.rules?.map(({ id, say }) => `${id}: ${say}`)[0]).toBe(
      "act: call {contract} to act[, with {fields}]",
    );
    expect(document.rules).toHaveLength(4);
    expect(new Set(reported)).toEqual(
      new Set(["/display/formats/act(uint256 n): fields whose conditions no example meets"]),
    );
  });

  it("tells no second form where the values are always there, or never missing", () => {
    const forms = (field: object) => {
      const format = {
        intent: "Act",
        interpolatedIntent: "Act on {n}",
        fields: [{ path: "n", label: "Num", ...field }],
      };
      return write({ "act(uint256 n)": format }).document.rules?.map(({ id }) => id);
    };
    expect(forms({})).toEqual(["act", "act-giving", "act-getting", "act-exchanging"]);
    expect(forms({ format: "amount" })?.[0]).toBe("act-detailed");
  });
});
