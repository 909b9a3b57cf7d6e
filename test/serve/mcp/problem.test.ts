import Fastify from "fastify";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import * as problems from "../../../src/serve/mcp/problem.ts";

const { batch, findProblem, foreign, idOf, internal, limited, notJson, problemOf, refuse, tooDeep } = problems;
const largest = `The body is longer than ${serviceLimits.messageBytesMax} bytes.`;
const wrongType =
  'The body must be application/json, not compressed. Send for example: Content-Type: application/json, {"jsonrpc":"2.0","id":1,"method":"tools/list"}';

describe("a problem", () => {
  it.each<[string, problems.Problem, number, number, string]>([
    ["of a body that is no JSON", notJson, 400, -32_700, "The body is not valid JSON."],
    ["of a batch", batch, 400, -32_600, "Batches are not served: send one message."],
    ["of depth", tooDeep, 400, -32_600, "The message is nested deeper than 128 levels."],
    ["of ours", internal, 500, -32_603, "Something went wrong on our side."],
    ["of a page", foreign("Not this page."), 403, -32_000, "Not this page."],
    ["of a body that is too long", problemOf(new ServiceError("body_too_large")), 413, -32_000, largest],
    ["of a type", problemOf(new ServiceError("unsupported_media_type")), 415, -32_000, wrongType],
    ["of JSON", problemOf(new ServiceError("invalid_json")), 400, -32_700, notJson.message],
    ["of another kind", problemOf(new ServiceError("overloaded")), 500, -32_603, internal.message],
  ])("%s has its status, its code and its words", (_name, problem, status, code, message) => {
    expect(problem).toEqual({ status, code, message });
  });

  it("of too many messages has no time where none is known", () => {
    expect(limited(new ServiceError("overloaded", "Full."))).toEqual({
      ...{ status: 503, code: -32_000, message: "overloaded: Full.", retryAfterSeconds: undefined },
    });
  });

  it.each<[string, problems.Problem, string | number | null | undefined, string | number | null, string | undefined]>([
    ["without an id", batch, undefined, null, undefined],
    ["with a number", batch, 0, 0, undefined],
    ["with a text", batch, "", "", undefined],
    ["with a time", { ...batch, retryAfterSeconds: 7 }, 1, 1, "7"],
    ["with no time left", { ...batch, retryAfterSeconds: 0 }, 1, 1, "0"],
  ])("is told %s", async (_name, problem, id, told, retryAfter) => {
    const app = Fastify();
    app.get("/", (_request, reply) => (id === undefined ? refuse(reply, problem) : refuse(reply, problem, id)));
    const { statusCode, headers, body } = await app.inject("/");
    const { code, message } = problem;
    expect([statusCode, headers["retry-after"], headers["cache-control"]]).toEqual([400, retryAfter, "no-store"]);
    expect(body).toBe(JSON.stringify({ jsonrpc: "2.0", id: told, error: { code, message } }));
  });
});

describe("what is wrong with a request", () => {
  const both = "application/json, text/event-stream";
  const good = { accept: both, "content-type": "application/json" };
  const wrongAccept = [406, -32_000, "Accept must allow both application/json and text/event-stream."];
  const refusedType = [415, -32_000, wrongType];
  const charset = (name: string) => ({ ...good, "content-type": `application/json; charset=${name}` });
  it.each<[string, object, unknown, unknown]>([
    ["nothing", good, "{}", undefined],
    ["nothing, in UTF-8", charset('"UTF-8"'), "{}", undefined],
    ["another charset", charset("latin1"), "{}", [415, -32_000, "The charset of a JSON body is UTF-8."]],
    [
      "nothing, in another order",
      { ...good, accept: "text/event-stream;q=0.5 ,APPLICATION/json ; a=b" },
      "{}",
      undefined,
    ],
    ["nothing, though it says so", { ...good, "content-encoding": "IDENTITY" }, "{}", undefined],
    ["nothing, without Accept", { ...good, accept: undefined }, "{}", undefined],
    ["JSON alone", { ...good, accept: "application/json" }, "{}", wrongAccept],
    ["a stream alone", { ...good, accept: "text/event-stream" }, "{}", wrongAccept],
    ["nothing, where anything is accepted", { ...good, accept: "*/*" }, "{}", undefined],
    ["no JSON", { ...good, accept: "*/*, application/json;q=0" }, "{}", wrongAccept],
    ["no type", { accept: both }, "{}", refusedType],
    ["packed", { ...good, "content-encoding": "gzip" }, "{}", refusedType],
    ["no body", good, undefined, [400, -32_700, "The body is not valid JSON."]],
  ])("%s", (_name, headers, body, expected) => {
    const problem = findProblem({ headers, body } as never);
    expect(problem && [problem.status, problem.code, problem.message]).toEqual(expected);
  });

  it.each<[unknown, number, number]>([
    [{ code: "FST_ERR_CTP_INVALID_MEDIA_TYPE" }, 415, -32_000],
    [{ code: "FST_ERR_CTP_BODY_TOO_LARGE" }, 413, -32_000],
    [{ code: "FST_ERR_CTP_INVALID_CONTENT_LENGTH" }, 400, -32_700],
    [new Error("x"), 500, -32_603],
  ])("behind %j", (thrown, status, code) => {
    expect(problemOf(thrown)).toMatchObject({ status, code });
    expect(problemOf(thrown).message).not.toContain("x is");
  });

  it("is that a client sends too much", () => {
    expect(limited(new ServiceError("rate_limited", "Wait.", { retryAfterSeconds: 7 }))).toEqual({
      ...{ status: 429, code: -32_000, message: "rate_limited: Wait.", retryAfterSeconds: 7 },
    });
  });

  it.each([
    [{ id: 1 }, 1],
    [{ id: 0 }, 0],
    [{ id: "" }, ""],
    [{ id: null }, null],
    [{ id: {} }, null],
    [{}, null],
    [null, null],
    [5, null],
  ])("is told to the id of %j: %s", (message, id) => {
    expect(idOf(message)).toBe(id);
  });
});
