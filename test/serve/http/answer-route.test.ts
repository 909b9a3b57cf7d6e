import Fastify from "fastify";
import { describe, expect, it } from "vitest";
import { type AnswerRoute, addAnswerRoute } from "../../../src/serve/http/answer-route.ts";
import type { Sold } from "../../../src/serve/service/answer-kind.ts";
import { allowPages, anyOriginHeaders } from "../../../src/serve/service/cors.ts";
import type { Outcome } from "../../../src/serve/service/outcome.ts";
import type { AnswerRequest } from "../../../src/serve/service/service-request.ts";
import { body, failureOf, quota, quotaHeaders, tag } from "./told-answer.ts";

const origin = "https://app.example";
const answer: Sold = { body, etag: tag, source: "network" };
const usual = {
  "x-ruleset": "r1",
  "cache-control": "private, no-cache",
  etag: tag,
  "content-type": "application/json; charset=utf-8",
};
const receipt = { success: true, transaction: "0x1", network: "eip155:8453" } as never;

/** A server with one path and these answers. `asked` holds the questions to the service. */
function open(
  outcome: Outcome | Promise<Outcome>,
  { route = {}, pages = [] }: { route?: Partial<AnswerRoute<string, Sold>>; pages?: string[] } = {},
) {
  const asked: { answers: unknown; request: AnswerRequest<string, Sold> }[] = [];
  const failed: string[] = [];
  const service = {
    ask(answers: unknown, request: AnswerRequest<string, Sold>) {
      asked.push({ answers, request });
      return outcome;
    },
    async fail(error: Error) {
      failed.push(error.message);
      return outcome;
    },
  };
  const app = Fastify();
  addAnswerRoute(
    app,
    {
      ...({ method: "GET", path: "/a", resource: "/explain", answers: "usual" as never } as const),
      ...{ read: () => "what", asksInBody: false, ...route },
    },
    { service: service as never, ruleset: "r1", pages: allowPages(pages) },
  );
  const get = async (headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") => {
    const response = await app.inject({ method, url: "/a", headers });
    const { date: _date, connection: _open, "content-length": length, ...told } = response.headers;
    return { status: response.statusCode, body: response.body, length: Number(length), told };
  };
  return { get, asked, failed, app };
}

describe("an answer", () => {
  it.each<[string, Outcome, object]>([
    ["free", { kind: "answered", answer, quota: undefined }, {}],
    ["counted", { kind: "answered", answer, quota }, quotaHeaders],
    [
      "by a recording",
      { kind: "answered", answer: { ...answer, source: "recording" }, quota: undefined },
      { "x-txgloss-source": "recording" },
    ],
    ["from no source", { kind: "answered", answer: { body, etag: tag } as Sold, quota: undefined }, {}],
  ])("%s is sent, at once or later", async (_name, outcome, more) => {
    const expected = { status: 200, body: body.toString(), length: body.length, told: { ...usual, ...more } };
    expect(await open(outcome).get()).toEqual(expected);
    expect(await open(Promise.resolve(outcome)).get()).toEqual(expected);
    expect(await open(outcome).get({}, "HEAD")).toEqual({ ...expected, body: "" });
  });

  it("is not sent to a client that already has it", async () => {
    const { get, asked } = open({ kind: "answered", answer, quota });
    const other = '"other"';
    for (const held of [tag, `W/${tag}`, "*", " * ", `${other}, W/${tag}`, `${other} ,${tag}`]) {
      const { status, body: sent, told } = await get({ "if-none-match": held });
      const { "content-type": _type, ...kept } = usual;
      expect([status, sent, told]).toEqual([304, "", { ...kept, ...quotaHeaders }]);
      expect(asked.at(-1)?.request.isHeld(answer)).toBe(true);
    }
    for (const held of [other, tag.slice(1, -1), `${other}, *`, `X/${tag}`, ""]) {
      expect((await get({ "if-none-match": held })).status).toBe(200);
      expect(asked.at(-1)?.request.isHeld(answer)).toBe(false);
    }
    await get();
    expect(asked.at(-1)?.request.isHeld(answer)).toBe(false);
  });

  it("tells pages whether they may read it", async () => {
    const outcome: Outcome = { kind: "answered", answer, quota: undefined };
    const { "access-control-allow-origin": _any, ...named } = anyOriginHeaders;
    const one = { vary: "Origin", "access-control-allow-origin": origin, ...named };
    const told = async (pages: string[], headers: Record<string, string>) =>
      (await open(outcome, { pages }).get(headers)).told;
    expect(await told([], { origin })).toEqual(usual);
    expect(await told([origin], { origin })).toEqual({ ...usual, ...one });
    expect(await told([origin], {})).toEqual({ ...usual, vary: "Origin" });
    expect(await told([origin], { origin: "https://other.example" })).toEqual({ ...usual, vary: "Origin" });
    expect(await told(["*"], {})).toEqual({ ...usual, "access-control-allow-origin": "*" });
    expect(await told(["*"], { origin })).toEqual({ ...usual, ...anyOriginHeaders });
  });

  it("has the type and the headers of its path", async () => {
    const route = { contentType: "text/plain", headers: { "cache-control": "no-store", "x-own": "1" } };
    const { told } = await open({ kind: "answered", answer, quota: undefined }, { route }).get();
    expect(told).toEqual({ ...usual, ...route.headers, "content-type": "text/plain" });
  });
});

describe("what was bought", () => {
  const bought = (more: object): Outcome => ({
    ...{ kind: "bought", body: body.toString(), content: () => ({}), fresh: true, receipt, quota },
    ...more,
  });
  const paid = { ...quotaHeaders, "payment-response": Buffer.from(JSON.stringify(receipt)).toString("base64") };

  it("is sent with its receipt, and with the ruleset only where it is of now", async () => {
    const route = { headers: { "x-own": "1", "cache-control": "no-store" } };
    const { "x-ruleset": _ruleset, ...old } = usual;
    const fresh = await open(bought({ source: "recording" }), { route, pages: [origin] }).get({ origin });
    expect(fresh).toMatchObject({ status: 200, body: body.toString(), length: body.length });
    expect(fresh.told).toEqual({
      ...{ ...usual, ...paid, "x-own": "1", "x-txgloss-source": "recording", vary: "Origin" },
      "access-control-allow-origin": origin,
      "access-control-expose-headers": anyOriginHeaders["access-control-expose-headers"],
    });
    expect((await open(bought({ fresh: false })).get()).told).toEqual({ ...old, ...paid });
  });
});

describe("what is no answer", () => {
  it("is a failure with its status, and the ruleset", async () => {
    const { get } = open({ kind: "failed", failure: failureOf("restarting", 7), quota }, { pages: [origin] });
    const { status, body: sent, told } = await get({ origin });
    expect([status, sent]).toEqual([503, '{"error":"restarting","message":"M.","retryable":true}']);
    expect(told).toMatchObject({ ...quotaHeaders, "x-ruleset": "r1", "retry-after": "7", "cache-control": "no-store" });
    expect(told).toMatchObject({ "content-type": usual["content-type"], "access-control-allow-origin": origin });
  });

  it("is a price", async () => {
    const challenge = { header: "offer", body: Buffer.from('{"x402Version":2}'), required: {} } as never;
    const { status, body: sent, told } = await open({ kind: "challenged", challenge, quota }).get();
    expect([status, sent]).toEqual([402, '{"x402Version":2}']);
    expect(told).toEqual({
      ...quotaHeaders,
      ...{ "payment-required": "offer", "cache-control": "no-store", "content-type": usual["content-type"] },
    });
  });

  it("is sent as its path sends it, also where reading failed", async () => {
    const { get, failed } = open(
      { kind: "failed", failure: failureOf("internal"), quota: undefined },
      {
        route: {
          sendChallengeOrFailure: (reply) => reply.code(418).send("own"),
          otherAnswers: () => {
            throw new Error("unreadable");
          },
        },
      },
    );
    const { status, body: sent, told } = await get();
    expect([status, sent, told["x-ruleset"], failed]).toEqual([418, "own", "r1", ["unreadable"]]);
  });
});

describe("what the service is asked", () => {
  const outcome: Outcome = { kind: "answered", answer, quota: undefined };
  const askedBy = async (route: Partial<AnswerRoute<string, Sold>>, headers: Record<string, string> = {}) => {
    const { get, asked } = open(outcome, { route });
    await get(headers);
    const [first] = asked as [(typeof asked)[number]];
    return first;
  };

  it("is the kind of the path, or another one for this request", async () => {
    expect((await askedBy({})).answers).toBe("usual");
    expect((await askedBy({ otherAnswers: () => undefined })).answers).toBe("usual");
    expect((await askedBy({ otherAnswers: () => "other" as never })).answers).toBe("other");
  });

  it("is what was read, with a tender where calls are metered, or the price", async () => {
    const { request } = await askedBy({});
    expect([request.transport, request.product, request.resource]).toEqual(["http", "explain", "/explain"]);
    const none = { passToken: undefined, payment: undefined };
    expect([request.read(false), request.read(true)]).toEqual([{ asked: "what" }, { asked: "what", tender: none }]);
    const priced = (await askedBy({ asksInBody: true })).request;
    expect(priced.read(false)).toEqual({ asked: "what" });
    expect(priced.read(true)).toMatchObject({ refusal: { code: "invalid_json", message: "The body is empty." } });
    const passing = (await askedBy({ asksInBody: true }, { "x-svc-pass": "p" })).request;
    expect(passing.read(true)).toEqual({ asked: "what", tender: { ...none, passToken: "p" } });
  });

  it("is JSON for every caller, and nothing where the caller does not take another kind", async () => {
    expect((await askedBy({}, { accept: "text/html" })).request.read(false)).toEqual({ asked: "what" });
    const accepts = (header: string | undefined) => header === "text/html";
    expect((await askedBy({ accepts }, { accept: "text/html" })).request.read(false)).toEqual({ asked: "what" });
    const { request } = await askedBy({ accepts }, { accept: "application/json" });
    expect(() => request.read(false)).toThrow(expect.objectContaining({ code: "not_acceptable" }));
  });
});
