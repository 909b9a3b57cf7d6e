import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import { createEnvelopeMemory } from "../../../src/serve/mcp/envelope-memory.ts";
import { readMessage } from "../../../src/serve/mcp/message.ts";
import { batch, notJson, tooDeep } from "../../../src/serve/mcp/problem.ts";
import { callOf, modernCallOf, modernMeta } from "../../support/mcp-message.ts";
import { hashOf } from "../../support/sample.ts";

const memory = createEnvelopeMemory();
memory.accept(modernMeta);
const usual = memory.usual() as NonNullable<ReturnType<typeof memory.usual>>;
const known = usual.text;

describe("readMessage with a usual _meta", () => {
  it("gives the parsed _meta itself, wherever it stands in the parameters", () => {
    const given = `"name":"explain_transaction","arguments":{"tx_hash":"${hashOf(1)}"}`;
    for (const params of [`{${given},${known}}`, `{${known},${given}}`, `{${known}}`]) {
      const read = readMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`, usual);
      expect((read as { message: { params: { _meta: unknown } } }).message.params._meta).toBe(usual.meta);
    }
  });

  it.each([
    ["in the arguments", `{"params":{"arguments":{${known}}}}`],
    ["in the arguments and in the parameters", `{"params":{"arguments":{${known}},${known}}}`],
    ["before another one", `{"params":{${known},"_meta":{"a":1}}}`],
    ["after another one", `{"params":{"_meta":{"a":1},${known}}}`],
    ["beside the parameters", `{${known},"params":{"_meta":0}}`],
    ["with one field more", `{"params":{${known.slice(0, -1)},"a":1}}}`],
    ["inside of a name", `{"params":{"x\\${known}}}`],
    ["inside of a text", `{"params":{"x":${JSON.stringify(known)}}}`],
    ["after a byte order mark", `\ufeff{"params":{${known}}}`],
    ["in a batch", `[{"params":{${known}}}]`],
    ["in no object", `null${known}`],
    ["with its end missing", `{"params":{${known}`],
    ["twice", `{"params":{${known}${known}}}`],
  ])("reads what JSON.parse would: %s", (_name, body) => {
    expect(readMessage(body, usual)).toEqual(readMessage(body));
  });

  it("reads the same as JSON.parse, no matter what is cut and joined", () => {
    const texts = [JSON.stringify(callOf()), JSON.stringify(modernCallOf()), known, "{", "}", ",", '"', "\\", "[", "0"];
    const piece = fc.tuple(fc.constantFrom(...texts), fc.nat(600), fc.nat(600));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
        const body = pieces.map(([text, from, end]) => text.slice(from % text.length, end)).join("");
        expect(readMessage(body, usual)).toEqual(readMessage(body));
      }),
      { numRuns: 2_000 },
    );
  });
});

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
