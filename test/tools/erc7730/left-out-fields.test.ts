import { describe, expect, it } from "vitest";
import { descriptorOf, importOne, reasonsOf, vault } from "./descriptor-folder.ts";
import { fine, first, type LeftOut, listedOf } from "./left-out.ts";
import { lintBeside } from "./lint-beside.ts";

describe("what no rule can say of a field", () => {
  it.each<LeftOut>([
    ["separator", { ...fine, separator: "{index}" }, {}, `${first}/separator: words between the elements of an array`],
    ["labelKey (draft 3)", { ...fine, labelKey: "a.b" }, {}, `${first}/labelKey: a key that has no meaning here`],
    ["a field without a label", { path: "a", format: "raw" }, {}, `${first}: a field without a label`],
    ["too many fields", fine, { fields: Array(25).fill(fine) }, "@/fields/24: more than 24 fields for one sentence"],
    [
      "a label of a group",
      { path: "#", label: "All", fields: [fine] },
      {},
      `${first}/label: a label for several fields`,
    ],
    ["iteration", { iteration: "bundled", fields: [fine] }, {}, `${first}/iteration: the order of arrays`],
    ["a slice of an array", { ...fine, path: "list.[0:2]" }, {}, `${first}: a part of an array`],
    ["an element far away", { ...fine, path: "list.[8]" }, {}, `${first}: an element beyond the 8 that an example has`],
    ["an open slice", { ...fine, path: "data.[4:]" }, {}, `${first}: a slice that is not one number or address`],
    ["an empty slice", { ...fine, path: "data.[-4:0]" }, {}, `${first}: a slice that is not one number or address`],
    ["behind a slice", { ...fine, path: "data.[:4].x" }, {}, `${first}: a path that goes on behind a slice`],
    [
      "an unknown rule of visibility",
      { ...fine, visible: "sometimes" },
      {},
      `${first}/visible: a rule of visibility that is none`,
    ],
    [
      "a rule on no plain value",
      { ...fine, visible: { ifNotIn: [null] } },
      {},
      `${first}/visible/ifNotIn/0: a constant that is no plain value`,
    ],
    [
      "a must on a slice",
      { ...fine, path: "data.[:4]", visible: { mustMatch: [1] } },
      {},
      `${first}/visible: a condition on a value that no example can choose`,
    ],
    ["required of nothing", fine, { required: ["to"] }, "@/required/0: a required field without a format"],
    ["screens (version 1)", fine, { screens: { stax: [] } }, "@/screens: the layout of a wallet's screens"],
    [
      "a value that is not told",
      fine,
      { interpolatedIntent: "Act on {list.[]}" },
      "@/interpolatedIntent: an interpolated value without a field",
    ],
  ])("%s", (_, field, more, expected) => {
    expect(listedOf(field, more)).toContain(expected);
  });
});

describe("what cannot be expressed of functions and fields", () => {
  it("is listed with its reason", () => {
    const field = (path: string, more: object) => ({ path, label: "Value", ...more });
    const made = importOne(
      descriptorOf({
        "f(uint256 a,address b,uint256[] c,bytes d,string e)": {
          intent: "Do",
          fields: [
            field("a", { format: "unit" }),
            field("a", { format: "tokenAmount" }),
            field("a", { format: "tokenAmount", params: { token: vault } }),
            field("a", { format: "date", params: { encoding: "blockheight" } }),
            field("c.[]", { format: "raw" }),
            field("c.[5]", { format: "raw" }),
            field("e", { format: "raw" }),
            field("nowhere", { format: "raw" }),
            field("$.metadata.owner", { format: "raw" }),
            field("a", { format: "raw", visible: "never" }),
            { label: "Fixed", value: "1", format: "raw" },
            { path: "a", label: "\u0007", format: "raw" },
            { $ref: "$.display.definitions.gone" },
            { $ref: "$.metadata.owner" },
            7,
            field("a", { format: "raw" }),
            field("b", { format: "addressName" }),
            field("c.[0]", { format: "raw" }),
          ],
        },
        "g(uint256 a)": { fields: [] },
        "h(": { intent: "Half" },
        "i(uint256 a, mystery b)": { intent: "Odd" },
        "j(uint256[900] a)": { intent: "Long" },
      }),
    );
    expect(reasonsOf(made)).toMatchInlineSnapshot(`
      [
        "/display/formats/f(uint256 a,address b,uint256[] c,bytes d,string e)/fields/12/$ref: a reference to a definition that is not there",
        "/display/formats/f(uint256 a,address b,uint256[] c,bytes d,string e)/fields/13/$ref: a reference to something else than a definition",
        "/display/formats/f(uint256 a,address b,uint256[] c,bytes d,string e)/fields/14: a field that is no object",
        "/display/formats/f(uint256 a,address b,uint256[] c,bytes d,string e)/fields/7: a path that the signature does not have",
        "/display/formats/f(uint256 a,address b,uint256[] c,bytes d,string e)/fields/11/label: a label that is not short, plain, printable ASCII text",
        "/display/formats/g(uint256 a): a function without an intent",
        "/display/formats/h(: a key that is neither a signature nor a selector",
        "/display/formats/i(uint256 a, mystery b): a signature that does not parse",
        "/display/formats/j(uint256[900] a): a signature with too many values for an example",
      ]
    `);
    expect(lintBeside(made)).toEqual([]);
  }, 60_000);
});
