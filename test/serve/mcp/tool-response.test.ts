import Fastify, { type FastifyReply } from "fastify";
import { describe, expect, it } from "vitest";
import { sendResponse, sendText } from "../../../src/serve/mcp/reply.ts";
import { createResponseWriter, createToolResponder, type ToolResponse } from "../../../src/serve/mcp/tool-response.ts";
import type { Sold } from "../../../src/serve/service/answer-kind.ts";
import type { Outcome } from "../../../src/serve/service/outcome.ts";

const text = (words: string) => ({ type: "text", text: words });
/** One character for each byte. */
const bytes = (words: string) => Buffer.from(words).toString("latin1");
const content = { a: "ü", b: 1 };
const body = Buffer.from('{"a":"ü", "b":1}');
const answer: Sold = { body, etag: '"t"', source: "network" };
const free = { limit: 50, remaining: 49, resetSeconds: 60 };
const pass = { status: "active", remaining: 3 };
const freeHeaders = ["ratelimit-policy", '"free";q=50;w=86400', "ratelimit", '"free";r=49;t=60'];
const receipt = { success: true, transaction: "0x1" };

function build(shorten?: (told: object) => object) {
  let made = 0;
  const contentOf = () => {
    made++;
    return content;
  };
  const respond = createToolResponder({ contentOf }, (told) => `It is ${(told as { b: number }).b}.`, shorten);
  return { respond: (outcome: object) => respond(outcome as Outcome<Sold>), made: () => made };
}

describe("the response of a tool", () => {
  const result = { content: [text("It is 1."), text(body.toString())], structuredContent: content };
  const fields = bytes(`"content":${JSON.stringify(result.content)},"structuredContent":${JSON.stringify(content)}`);

  it("is a sentence, the text of the answer, and the answer", () => {
    const { respond, made } = build();
    const first = respond({ kind: "answered", answer, quota: undefined });
    expect(first).toEqual({ result, fields, meta: undefined });
    // What is given often is made once.
    expect(respond({ kind: "answered", answer, quota: undefined })).toBe(first);
    expect(respond({ kind: "answered", answer, quota: { free } })).toEqual({
      ...{ result, fields, meta: undefined, headers: freeHeaders },
    });
    expect(made()).toBe(1);
    respond({ kind: "answered", answer: { ...answer }, quota: undefined });
    expect(made()).toBe(2);
  });

  it("says that it rests on a recording, and what is left of a pass", () => {
    const { respond } = build();
    const recorded = { ...answer, source: "recording" as const };
    const mark = { "txgloss/source": "recording" };
    const metaOf = (told: Sold, quota: object | undefined) => respond({ kind: "answered", answer: told, quota }).meta;
    expect(metaOf(recorded, undefined)).toEqual(mark);
    expect(metaOf(recorded, { free })).toEqual(mark);
    expect(metaOf(recorded, { free, pass })).toEqual({ ...mark, "svc/pass": pass });
    expect(metaOf(answer, { free, pass })).toEqual({ "svc/pass": pass });
  });

  it("is shorter where that is asked for, also of what was bought", () => {
    const { respond } = build(() => ({ b: 1 }));
    const short = { content: [text("It is 1."), text('{"b":1}')], structuredContent: { b: 1 } };
    expect(respond({ kind: "answered", answer, quota: undefined }).result).toEqual(short);
    const bought = { kind: "bought", body: body.toString(), content: () => content, receipt, quota: { free } };
    expect(respond(bought).result).toEqual(short);
    const paid = build().respond({ ...bought, source: "recording" });
    expect(paid).toEqual({
      result,
      meta: { "txgloss/source": "recording", "x402/payment-response": receipt },
      headers: [...freeHeaders, "payment-response", Buffer.from(JSON.stringify(receipt)).toString("base64")],
    });
    expect(build().respond(bought).meta).toEqual({ "x402/payment-response": receipt });
  });

  it("asks for a payment by an error with the offer", () => {
    const challenge = { header: "offer", body: Buffer.from('{"x":1}'), required: { x: 1 } };
    expect(build().respond({ kind: "challenged", challenge, quota: { free } })).toEqual({
      result: { content: [text('{"x":1}')], structuredContent: { x: 1 }, isError: true },
      challenge,
      headers: [...freeHeaders, "payment-required", "offer"],
    });
  });

  it.each([
    [true, "overloaded: Too much. The same call may succeed later."],
    [false, "overloaded: Too much."],
  ])("says why there is no answer: again later %s", (retryable, sentence) => {
    const failure = { status: 503, body: { error: "overloaded", message: "Too much.", retryable } };
    const failed = { content: [text(sentence), text(JSON.stringify(failure.body))], isError: true };
    const { respond } = build();
    expect(respond({ kind: "failed", failure, quota: undefined })).toEqual({ result: failed });
    expect(respond({ kind: "failed", failure, quota: { free, pass } })).toEqual({
      result: failed,
      headers: freeHeaders,
    });
  });
});

describe("the JSON of a response", () => {
  const write = createResponseWriter({ name: "ü" });
  const server = '"io.modelcontextprotocol/serverInfo":{"name":"ü"}';
  const done: ToolResponse = { result: { content: [text("ü")], structuredContent: { a: 1 } } };
  const failed: ToolResponse = { result: { content: [], isError: true } };
  const meta = { "svc/pass": "é" };

  it.each<[string, Parameters<typeof write>[0], ToolResponse, string]>([
    [
      "of the earlier revisions",
      { era: "legacy", id: 1 },
      done,
      '{"result":{"content":[{"type":"text","text":"ü"}],"structuredContent":{"a":1}},"jsonrpc":"2.0","id":1}',
    ],
    [
      "of an error",
      { era: "legacy", id: 'a"ü' },
      failed,
      '{"result":{"content":[],"isError":true},"jsonrpc":"2.0","id":"a\\"ü"}',
    ],
    [
      "of the newest one",
      { era: "modern", id: 1 },
      failed,
      `{"result":{"content":[],"isError":true,"resultType":"complete","_meta":{${server}}},"jsonrpc":"2.0","id":1}`,
    ],
    [
      "with more beside it",
      { era: "legacy", id: 1 },
      { ...failed, meta },
      '{"result":{"_meta":{"svc/pass":"é"},"content":[],"isError":true},"jsonrpc":"2.0","id":1}',
    ],
    [
      "with more beside it, of the newest one",
      { era: "modern", id: 1 },
      { ...failed, meta },
      `{"result":{"_meta":{"svc/pass":"é",${server}},"content":[],"isError":true,"resultType":"complete"},"jsonrpc":"2.0","id":1}`,
    ],
    [
      "that was made before",
      { era: "legacy", id: 1 },
      { ...done, fields: '"x":1' },
      '{"result":{"x":1},"jsonrpc":"2.0","id":1}',
    ],
  ])("%s", (_name, call, response, json) => {
    expect(write(call, response)).toBe(bytes(json));
  });
});

describe("what is sent", () => {
  const sent = async (send: (reply: FastifyReply) => unknown) => {
    const app = Fastify();
    app.get("/", (_request, reply) => void send(reply));
    const { statusCode, headers, body: told } = await app.inject("/");
    const { "content-type": type, "content-length": length, "cache-control": cache, "x-a": own } = headers;
    return [statusCode, told, type, length, cache, own];
  };
  const json = "application/json; charset=utf-8";

  it("of a tool is its text with its headers", async () => {
    expect(await sent((reply) => sendText(reply, bytes('"ü"'), ["x-a", "1"]))).toEqual([
      ...[200, '"ü"', json, "4", "no-store", "1"],
    ]);
  });

  it("of a tool is taken from the framework before its first byte", () => {
    const done: unknown[] = [];
    const note =
      (name: string) =>
      (...given: unknown[]) =>
        void done.push([name, ...given]);
    const raw = { writeHead: note("head"), end: note("end") };
    sendText({ hijack: note("hijack"), raw } as never, "ab", ["x-a", "1"]);
    const fixed = ["content-type", json, "cache-control", "no-store", "content-length", "2", "x-a", "1"];
    expect(done).toEqual([["hijack"], ["head", 200, fixed], ["end", "ab", "latin1"]]);
  });

  it("of a tool is left alone by the framework from then on", async () => {
    const states: boolean[] = [];
    await sent((reply) => {
      states.push(reply.sent);
      sendText(reply, "1", []);
      states.push(reply.sent);
    });
    expect(states).toEqual([false, true]);
  });

  it.each<[string, Response, unknown[]]>([
    ["JSON", new Response("{}", { status: 404 }), [404, "{}", json, "2", "no-store", "1"]],
    ["nothing", new Response(null, { status: 202 }), [202, "", undefined, "0", "no-store", "1"]],
    [
      "a stream",
      new Response("data: 1\n\n", { headers: { "content-type": "text/event-stream; charset=utf-8" } }),
      [200, "data: 1\n\n", "text/event-stream; charset=utf-8", undefined, undefined, "1"],
    ],
  ])("by the SDK: %s", async (_name, response, told) => {
    expect(await sent((reply) => sendResponse(reply, response, ["x-a", "1"]))).toEqual(told);
  });
});
