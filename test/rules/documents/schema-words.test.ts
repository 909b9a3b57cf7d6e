import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { readDocument } from "../../../src/rules/documents/document.ts";
import { checkSchema } from "../../../src/rules/documents/schema-check.ts";
import { schemaText } from "../../../src/rules/documents/validator.ts";
import { ruleDocumentCodes } from "../../../src/rules/ruleset/document/rule-schemas.ts";

/** What is said of a text that is to be a part of a rule file, or one whole, beside what is missing. */
function told(text: string, definition?: string, name = "rule") {
  const diagnostics: Diagnostic[] = [];
  const schema = { name: `${name}.schema.json`, ...(definition !== undefined && { definition }) };
  checkSchema(schema, readDocument("x.yaml", text, ruleDocumentCodes), diagnostics);
  return diagnostics.map(({ message }) => message).filter((message) => !message.endsWith("is missing"));
}

const digits = (count: number) => "a1".repeat(30).slice(0, count);
const address = "an address of 0x and 40 hex digits was expected";
const kinds = "stands here; one of any, fungible, native, erc20, nft was expected";

describe("what a schema asks for, in words", () => {
  it.each<[string, string, string, string?]>([
    ["x", "say", "the text has 1 character; at least 3 were expected"],
    ["''", "say", "the text has 0 characters; at least 3 were expected"],
    ["x".repeat(401), "say", "the text has 401 characters; at most 400 were expected"],
    ["{ count: -1 }", "side", "`-1` stands here; a number of at least 0 was expected"],
    ["{ suffix: 0 }", "wrapper", "`0` stands here; a number of at least 1 was expected", "wrappers"],
    ["{ suffix: 65 }", "wrapper", "`65` stands here; a number of at most 64 was expected", "wrappers"],
    ["{}", "member", "nothing stands here; at least one entry was expected", "accounts"],
    ["[]", "value", "0 entries stand here; at least 2 were expected", "values"],
    ["[{ amount: x }]", "value", "1 entry stands here; at least 2 were expected", "values"],
    ["{ kind: 5 }", "side", `\`5\` ${kinds}`],
    ["{ kind: }", "side", `nothing ${kinds}`],
    ["{ kind: {} }", "side", `a mapping ${kinds}`],
    ["{ kind: [] }", "side", `a list ${kinds}`],
    [`{ kind: ${"x".repeat(40)} }`, "side", `\`${"x".repeat(40)}\` ${kinds}`],
    [`{ kind: ${"x".repeat(41)} }`, "side", `\`${"x".repeat(37)}…\` ${kinds}`],
  ])("%s as %s: %s", (text, definition, message, name) => {
    expect(told(text, definition, name)).toEqual([message]);
  });

  it.each<[string, string]>([
    [`0x${digits(41)}`, `\`0x${digits(35)}…\` has 41 hex digits; 0x and 40 were expected`],
    [`0x${digits(39)}`, `\`0x${digits(35)}…\` has 39 hex digits; 0x and 40 were expected`],
    [`0x${digits(20)}`, `\`0x${digits(20)}\` has 20 hex digits; 0x and 40 were expected`],
    [digits(40), `\`${digits(40)}\` has 40 hex digits and no 0x; 0x and 40 were expected`],
    [`0x${digits(19)}`, `\`0x${digits(19)}\` stands here; ${address}`],
    [`0x${digits(20)}x`, `\`0x${digits(20)}x\` stands here; ${address}`],
  ])("an address that is none: %s", (key, message) => {
    expect(told(`contracts: { pool: { Market pool: "${key}" } }`)).toEqual([message]);
  });

  it("a key that may be a number too is not counted", () => {
    const message = `\`0x${digits(35)}…\` stands here; a number, an address of 0x and 40 hex digits, or 0x and 64 hex digits was expected`;
    expect(told(`tables: { a: { "0x${digits(41)}": "0x${digits(40)}" } }`)).toEqual([message]);
  });

  it("a page without https, and an entry twice, are refused", () => {
    expect(told("site: http://a.b")).toEqual([
      "`http://a.b` stands here; an address that starts with https:// was expected",
    ]);
    expect(told("without: [a, a]")).toEqual([expect.stringMatching(/^a list must NOT have duplicate items/)]);
  });

  it.each([
    ...["rule", "values", "messages", "wrappers", "rights", "accounts", "examples", "action-type"],
    ...["label", "actions", "verbs", "wording"],
  ])("each pattern of the schema of %s files has words", (name) => {
    const wordless: unknown[] = [];
    JSON.parse(schemaText(`${name}.schema.json`), (_, node) => {
      if (typeof node?.pattern === "string" && !/\bexpected$/.test(node.patternErrorMessage ?? ""))
        wordless.push(node.pattern);
      return node;
    });
    expect(wordless).toEqual([]);
  });
});
