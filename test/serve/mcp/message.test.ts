import { describe, expect, it } from "vitest";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import { readMessage } from "../../../src/serve/mcp/endpoint.ts";
import { batch, notJson, tooDeep } from "../../../src/serve/mcp/problem.ts";

describe("the depth of a message", () => {
  const max = serviceLimits.messageDepthMax;
  const few = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  /** This many brackets side by side, so that the whole message is scanned. */
  const wide = Array(max + 1)
    .fill("{}")
    .join();
  const ends = (body: string) => {
    const read = readMessage(body);
    return "problem" in read ? read.problem : read.message;
  };

  it.each<[string, string, boolean]>([
    ["at its limit by lists alone", `{"a":${few(max - 1)}}`, false],
    ["one beyond it by lists alone", `{"a":${few(max)}}`, true],
    ["beyond it by both kinds, half of each", `${'{"a":['.repeat(max / 2)}[${"]}".repeat(max / 2)}]`, true],
    ["at its limit beside many brackets", `{"w":[${wide}],"a":${few(max - 1)}}`, false],
    ["one beyond it beside many brackets", `{"w":[${wide}],"a":${few(max)}}`, true],
    ["one beyond it in the very first brackets", `${few(max + 1)}`, true],
    ["one beyond it at the end of a text that is cut", "[".repeat(max + 1), true],
    [
      "at its limit after a text with closing brackets",
      `{"t":"${"]".repeat(max)}","w":[${wide}],"a":${few(max)}}`,
      true,
    ],
    ["at its limit after a text with opening brackets", `{"t":"${"[{".repeat(max)}","a":${few(max - 1)}}`, false],
    ["at its limit after an escaped quote", `{"t":"\\"${"[".repeat(max + 1)}","a":${few(max - 1)}}`, false],
    ["beyond it after an escaped backslash", `{"t":"\\\\","a":${few(max)}}`, true],
  ])("%s", (_name, body, deep) => {
    if (deep) expect(ends(body)).toBe(tooDeep);
    else expect(ends(body)).toEqual(JSON.parse(body));
  });

  it.each<[string, string, unknown]>([
    ["a byte order mark alone", "\ufeff", notJson],
    ["one byte order mark", '\ufeff{"a":1}', { a: 1 }],
    ["two of them", "\ufeff\ufeff{}", notJson],
    ["an empty batch", "[]", batch],
    ["a batch of batches", "[[]]", batch],
    ["nothing", "", notJson],
    ["null", "null", null],
    ["a number", "5", 5],
    ["a text", '"[{"', "[{"],
  ])("is no matter for %s", (_name, body, told) => {
    expect(ends(body)).toEqual(told);
  });
});

describe("a message", () => {
  const max = serviceLimits.messageDepthMax;
  const nested = (depth: number, open = "[", close = "]") => open.repeat(depth) + close.repeat(depth);
  const problemIn = (body: string) => {
    const read = readMessage(body);
    return "problem" in read ? read.problem.message : "read";
  };
  const deep = `The message is nested deeper than ${max} levels.`;
  it.each([
    ["as deep as may be", `{"a":${nested(max - 1)}}`, "read"],
    ["deeper", `{"a":${nested(max)}}`, deep],
    ["deeper, by objects", nested(max + 1, '{"a":', "}").replace('"a":}', '"a":1}'), deep],
    ["with many brackets beside each other", `{"a":[${Array(max).fill("[{}]")}]}`, "read"],
    ["with many brackets in a text", `{"a":"${"[{".repeat(max)}"}`, "read"],
    ["with many brackets after an escaped quote", `{"a":"\\"${"[".repeat(max + 1)}"}`, "read"],
    ["with many brackets after a text that ends in a backslash", `{"a":"\\\\","b":${nested(max)}}`, deep],
    ["of several", "[{}]", "Batches are not served: send one message."],
    ["that is none", "{", "The body is not valid JSON."],
    ["after a byte order mark", "\ufeff{}", "read"],
  ])("%s", (_name, body, expected) => {
    expect(problemIn(body)).toBe(expected);
  });
});
