import { describe, expect, it } from "vitest";
import { checkComments } from "../../../src/tools/lint/checks/file-comment.ts";

const expected = "# yaml-language-server: $schema=../../schemas/rules.schema.json";
const check = (text: string, schema: string | null = "../../schemas/rules.schema.json", wanted = true) =>
  checkComments({
    rules: [{ file: "rules/a.yaml", text }],
    schemas: new Map(schema === null ? [] : [["rules/a.yaml", schema]]),
    wanted: new Set(wanted ? ["rules/a.yaml"] : []),
  } as never).map(({ code, level, range: { start, end }, message, suggest }) => [
    `${level} ${code} ${start.line}:${start.column}-${end.line}:${end.column}`,
    message,
    ...(suggest === undefined ? [] : [suggest]),
  ]);

describe("the first line of a rule file", () => {
  it.each([
    [`${expected}\nprotocol: a\n`],
    [`${expected}  \r\nprotocol: a\n`],
    [`\ufeff${expected}\n`],
    ["# yaml-language-server: $schema=https://unpkg.com/txgloss/schemas/rules.schema.json\n"],
    ["# yaml-language-server: $schema=https://unpkg.com/txgloss@^0.1.4/schemas/rules.schema.json \n"],
  ])("names the schema: %j", (text) => {
    expect(check(text)).toEqual([]);
  });

  it.each([
    ["protocol: a\n", "1:1-1:12", "the first line does not name the schema for editors"],
    ["", "1:1-1:1", "the first line does not name the schema for editors"],
    ["# yaml-language-server: $schema=x\n", "1:1-1:34", "the first line names another schema"],
    [` ${expected}`, "1:1-1:65", "the first line does not name the schema for editors"],
  ])("does not: %j", (text, place, message) => {
    expect(check(text)).toEqual([[`warning RL209 ${place}`, message, expected]]);
  });

  it("is asked of files in a folder of rules only, and of those that are checked", () => {
    expect(check("protocol: a\n", null)).toEqual([]);
    expect(check("protocol: a\n", "x", false)).toEqual([]);
  });
});

describe("what a draft left for a person", () => {
  it("is told at its comment", () => {
    const told = "nobody has looked at this line of the draft yet";
    expect(check(`${expected}\na: 1 # draft: look\n  #draft: x\nb: "a#draft: no"\n# draft\n`)).toEqual([
      ["note RL210 2:6-2:19", told],
      ["note RL210 3:3-3:12", told],
    ]);
  });
});
