import Fastify, { type FastifyReply } from "fastify";
import { describe, expect, it } from "vitest";
import { sendResponse } from "../../../src/serve/mcp/endpoint.ts";
import { createToolResponder } from "../../../src/serve/mcp/tool-response.ts";
import type { Sold } from "../../../src/serve/service/answer-kind.ts";
import type { Outcome } from "../../../src/serve/service/outcome.ts";

const text = (words: string) => ({ type: "text", text: words });
const content = { a: "ü", b: 1 };
const body = Buffer.from('{"a":"ü", "b":1}');
const answer: Sold = { body, etag: '"t"', source: "network" };
const free = { limit: 50, remaining: 49, resetSeconds: 60 };
const pass = { status: "active", remaining: 3 };
const freeHeaders = { "ratelimit-policy": '"free";q=50;w=86400', ratelimit: '"free";r=49;t=60' };
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

  it("is a sentence, the text of the answer, and the answer", () => {
    const { respond, made } = build();
    const first = respond({ kind: "answered", answer, quota: undefined });
    expect(first).toEqual({ result, meta: undefined });
    // What is given often is made once.
    expect(respond({ kind: "answered", answer, quota: undefined })).toBe(first);
    expect(respond({ kind: "answered", answer, quota: { free } })).toEqual({
      ...{ result, meta: undefined, headers: freeHeaders },
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
      headers: { ...freeHeaders, "payment-response": Buffer.from(JSON.stringify(receipt)).toString("base64") },
    });
    expect(build().respond(bought).meta).toEqual({ "x402/payment-response": receipt });
  });

  it("asks for a payment by an error with the offer", () => {
    const challenge = { header: "offer", body: Buffer.from('{"x":1}'), required: { x: 1 } };
    expect(build().respond({ kind: "challenged", challenge, quota: { free } })).toEqual({
      result: { content: [text('{"x":1}')], structuredContent: { x: 1 }, isError: true },
      challenge,
      headers: { ...freeHeaders, "payment-required": "offer" },
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

describe("what is sent", () => {
  const sent = async (send: (reply: FastifyReply) => unknown) => {
    const app = Fastify();
    app.get("/", (_request, reply) => void send(reply));
    const { statusCode, headers, body: told } = await app.inject("/");
    const { "content-type": type, "content-length": length, "cache-control": cache, "x-a": own } = headers;
    return [statusCode, told, type, length, cache, own];
  };
  const json = "application/json; charset=utf-8";

  it.each<[string, Response, unknown[]]>([
    ["JSON", new Response("{}", { status: 404 }), [404, "{}", json, "2", "no-store", "1"]],
    ["nothing", new Response(null, { status: 202 }), [202, "", undefined, "0", "no-store", "1"]],
    [
      "a stream",
      new Response("data: 1\n\n", { headers: { "content-type": "text/event-stream; charset=utf-8" } }),
      [200, "data: 1\n\n", "text/event-stream; charset=utf-8", undefined, undefined, "1"],
    ],
  ])("by the SDK: %s", async (_name, response, told) => {
    expect(await sent((reply) => sendResponse(reply, response, { "x-a": "1" }))).toEqual(told);
  });
});
