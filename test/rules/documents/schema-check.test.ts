import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { readDocument } from "../../../src/rules/documents/document.ts";
import { checkSchema } from "../../../src/rules/documents/schema-check.ts";
import type { DocumentPath } from "../../../src/rules/documents/source-document.ts";
import { ruleDocumentCodes } from "../../../src/rules/ruleset/document/rule-schemas.ts";
import { placeOf } from "../ruleset/rule-text.ts";

function check(text: string, definition: string | undefined, name = "rule") {
  const document = readDocument("x.yaml", text, ruleDocumentCodes);
  const diagnostics: Diagnostic[] = [...document.diagnostics];
  const schema = { name: `${name}.schema.json`, ...(definition !== undefined && { definition }) };
  const paths = checkSchema(schema, document, diagnostics);
  return { paths, told: diagnostics.map((one) => `${placeOf(one)}: ${one.message}`), diagnostics };
}

const nothing = { paths: [], told: [], diagnostics: [] };
const label = (text: string) => `schema: names/v1\nsources: { a: "https://a.b" }\nnames: ${text}\n`;
const compare = "Compare the key with its source: it may be cut off, or a letter may be wrong.";

describe("a value and its schema", () => {
  it("have nothing to say where they fit", () => {
    expect(check("one", "side")).toEqual(nothing);
    expect(check(label("[]"), "names_file", "label")).toEqual(nothing);
  });

  it.each<[string, string, DocumentPath[], string[], string?]>([
    ["5", "side", [[]], ["RL202 1:1-1:2: `5` stands here; text or a mapping was expected"]],
    ["[]", "format", [[]], ["RL202 1:1-1:3: a list stands here; a mapping was expected"], "values"],
    ["{ contract: 5 }", "format", [[]], ["RL203 1:3-1:11: `contract` is no known field"], "values"],
    // Each branch of the schema refuses the field: it is told once.
    [
      "{ foo: 1, foe: 2 }",
      "signedAsset",
      [[]],
      ["RL203 1:3-1:6 to: `foo` is no known field", "RL203 1:11-1:14 to: `foe` is no known field"],
      "messages",
    ],
    [
      "{ a/b: 1, c~d: 2 }",
      "side",
      [[]],
      ["RL203 1:3-1:6: `a/b` is no known field", "RL203 1:11-1:14: `c~d` is no known field"],
    ],
    // A mapping was right: only its inside is not.
    ["{ count: x }", "side", [[], ["count"]], ["RL202 1:10-1:11: `x` stands here; a whole number was expected"]],
    ["[{ x: 5 }]", "names", [[], [0]], ["RL202 1:2-1:10: a mapping stands here; text was expected"]],
  ])("%s as %s", (text, definition, paths, told, name) => {
    expect(check(text, definition, name)).toMatchObject({ paths, told });
  });

  const at = (text: string) => `RL202 4:10-${text}`;
  it.each<[string, string[]]>([
    ["{ event: a }", ["at", "owner", "token", "spender"].map((name) => at(`4:22: \`${name}\` is missing`))],
    ["{ call: a, owner: b }", [at("4:31: `spender` is missing")]],
    ["{ call: a, spendr: b }", ["RL203 4:21-4:27 spender: `spendr` is no known field"]],
  ])("are told of the form that is closest, where there are several: %s", (grant, told) => {
    const found = check(`protocol: market\nname: Market\nkind: protocol\nrights: [${grant}]\n`, undefined).told;
    expect(found).toEqual(told);
  });

  it("name keys with signs of their own, and positions of lists, in paths", () => {
    const head = "protocol: market\nname: Market\nkind: protocol\n";
    const keys = check(`${head}contracts: { a/b: {} }\n`, undefined);
    const one = "a lower-case name of letters, digits and _ was expected";
    expect(keys.told).toEqual([
      `RL202 4:14-4:17: \`a/b\` stands here; ${one}`,
      "RL202 4:19-4:21: nothing stands here; at least one entry was expected",
    ]);
    expect(keys.paths).toEqual([["contracts"], ["contracts", "a/b"]]);
    expect(check(`${head}contracts: { c~d/~1: {} }\n`, undefined).paths).toEqual([
      ["contracts"],
      ["contracts", "c~d/~1"],
    ]);
    const listed = check(
      label("[{ address: 5 }, { source: a, label: A, category: bridge, address: 5 }]"),
      ...(["names_file", "label"] as const),
    );
    expect(listed.paths).toEqual([
      ["names", 0],
      ["names", 0, "address"],
      ["names", 1, "address"],
    ]);
  });

  it("are told with what the schema says about each field that is missing", () => {
    const helps = (text: string) =>
      check(text, "signedRight", "messages").diagnostics.map((one) => [one.message, one.help]);
    const spender = ["`spender` is missing", "`spender`: Path of the account that gets the right."];
    expect(helps("{}")).toEqual([["`token` is missing", "`token`: Path of the token."], spender]);
    expect(helps("{ tokn: a }")).toEqual([["`tokn` is no known field", undefined], spender]);
  });

  it("are told with what the schema says about the value or the field", () => {
    const helps = (text: string, definition: string) =>
      check(text, definition, definition === "side" ? "rule" : "messages").diagnostics.map(({ help }) => help);
    expect(helps("5", "side")).toEqual([
      "One side of the flow: nothing, any, or one, two, some, several with fungible, native, erc20 or nft; or the long form.",
    ]);
    expect(helps("foo", "signedAsset")).toEqual([undefined]);
    expect(Object.hasOwn(check("foo", "signedAsset", "messages").diagnostics[0] ?? {}, "help")).toBe(false);
    const { diagnostics } = check(
      `schema: decimals/v1\nsources: {}\ndecimals: { 37: { source: a, tokens: [], foo: 1 }, 8: { sorce: a } }\n`,
      ...(["decimals_file", "label"] as const),
    );
    expect(diagnostics.map((one) => [placeOf(one), one.message, one.help])).toEqual([
      ["RL202 3:13-3:15", "`37` stands here; a number of decimals from 0 to 36 was expected", compare],
      ["RL203 3:57-3:62 source", "`sorce` is no known field", undefined],
      ["RL202 3:55-3:67", "`tokens` is missing", "`tokens`: Tokens with this number of decimals."],
      ["RL203 3:42-3:45", "`foo` is no known field", undefined],
    ]);
  });
});
