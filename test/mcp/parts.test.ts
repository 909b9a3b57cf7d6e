import { describe, expect, it } from "vitest";
import { ServiceError } from "../../src/kernel/error.ts";
import { limits } from "../../src/kernel/limits.ts";
import { capabilitiesKey, clientKey, createEnvelopeMemory, envelopeOf } from "../../src/mcp/envelope-memory.ts";
import { readMessage } from "../../src/mcp/message.ts";
import { createOriginGuard } from "../../src/mcp/origin-guard.ts";
import { findProblem, idOf, limited, problemOf } from "../../src/mcp/problem.ts";
import { describeServer } from "../../src/mcp/server-card.ts";
import { legacyRevisions, modernRevision, readToolRequest } from "../../src/mcp/tool-request.ts";

describe("who may call", () => {
  const names = { host: "127.0.0.1", hosts: ["Svc.example", "[2001:db8::1]"], origins: ["https://App.example"] };
  const hostReason = "The Host header names another host.";
  const pageReason = "Pages of this origin may not call this server.";
  const verdictOf = (options: object, headers: object) => {
    const verdict = createOriginGuard({ ...names, ...options })(headers as never);
    return verdict.allowed ? (verdict.origin ?? "allowed") : verdict.reason;
  };

  it.each([
    ["localhost", "allowed"],
    ["LOCALHOST:8080", "allowed"],
    ["127.0.0.1:8080", "allowed"],
    ["127.255.0.9", "allowed"],
    ["[::1]:8080", "allowed"],
    ["svc.EXAMPLE:", "allowed"],
    ["[2001:db8::1]", "allowed"],
    ["[2001:db8::2]", hostReason],
    ["127.0.0.1.example", hostReason],
    ["127.0.0", hostReason],
    ["svc.example:8a", hostReason],
    ["other.example", hostReason],
    ["", hostReason],
    [undefined, hostReason],
  ])("by the name %s: %s", (host, verdict) => {
    expect(verdictOf({}, { host })).toBe(verdict);
    // Where the service listens on all addresses, anybody may reach it by any name.
    expect(verdictOf({ host: "0.0.0.0" }, { host })).toBe("allowed");
  });

  it("by its own name where that is one of this machine's", () => {
    for (const host of ["localhost", "::1", "127.0.0.2"]) {
      expect(verdictOf({ host, hosts: [] }, { host: "other.example" })).toBe(hostReason);
      expect(verdictOf({ host, hosts: [] }, { host: "localhost" })).toBe("allowed");
    }
  });

  it.each([
    ["https://app.example", true, true],
    ["HTTPS://APP.example", true, true],
    ["https://app.example:8443", false, false],
    ["https://other.example", false, false],
    ["http://localhost:3000", true, false],
    ["http://127.0.0.1", true, false],
    ["http://[::1]:1", true, false],
    ["null", false, false],
    ["localhost", false, false],
  ])("from pages of %s: on this machine %s, elsewhere %s", (origin, here, elsewhere) => {
    const host = "localhost";
    expect(verdictOf({}, { host, origin })).toBe(here ? origin : pageReason);
    expect(verdictOf({ host: "0.0.0.0" }, { host, origin })).toBe(elsewhere ? origin : pageReason);
    expect(verdictOf({ origins: ["*"] }, { host, origin })).toBe(origin);
  });

  it("by each name anew, whatever was good before", () => {
    const judge = createOriginGuard(names);
    expect(["localhost", "other.example", "localhost"].map((host) => judge({ host }).allowed)).toEqual([
      ...[true, false, true],
    ]);
  });
});

describe("what is wrong with a request", () => {
  const both = "application/json, text/event-stream";
  const good = { accept: both, "content-type": "application/json" };
  const wrongAccept = [406, -32_000, "Accept must list both application/json and text/event-stream."];
  const wrongType = [415, -32_000, "The body must be application/json, not compressed."];
  it.each<[string, object, unknown, unknown]>([
    ["nothing", good, "{}", undefined],
    [
      "nothing, in another order",
      { ...good, accept: "text/event-stream;q=0.5 ,APPLICATION/json ; a=b" },
      "{}",
      undefined,
    ],
    ["nothing, though it says so", { ...good, "content-encoding": "IDENTITY" }, "{}", undefined],
    ["no Accept", { ...good, accept: undefined }, "{}", wrongAccept],
    ["JSON alone", { ...good, accept: "application/json" }, "{}", wrongAccept],
    ["a stream alone", { ...good, accept: "text/event-stream" }, "{}", wrongAccept],
    ["anything", { ...good, accept: "*/*" }, "{}", wrongAccept],
    ["no type", { accept: both }, "{}", wrongType],
    ["packed", { ...good, "content-encoding": "gzip" }, "{}", wrongType],
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

describe("a message", () => {
  const max = limits.messageDepthMax;
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

describe("a plain call of a tool", () => {
  const legacy = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "t", arguments: { a: 1 } } };
  const prefix = "io.modelcontextprotocol/";
  const meta = { [`${prefix}protocolVersion`]: modernRevision, [capabilitiesKey]: {}, [clientKey]: { name: "c" } };
  const { [clientKey]: _client, ...bare } = meta;
  const modernHeaders = { "mcp-protocol-version": modernRevision, "mcp-method": "tools/call", "mcp-name": "t" };
  const withMeta = (own: object) => ({ ...legacy, params: { ...legacy.params, _meta: own } });
  const eraOf = (message: unknown, headers: object = {}, knows = true) =>
    readToolRequest(message, headers as never, () => knows)?.era;

  it("is read with its arguments and what is beside them", () => {
    expect(readToolRequest(legacy, {}, () => false)).toEqual({
      era: "legacy",
      id: 1,
      name: "t",
      arguments: { a: 1 },
      meta: {},
    });
    const read = readToolRequest(withMeta({ "svc/pass": "p", progressToken: 5 }), {}, () => false);
    expect(read?.meta).toEqual({ "svc/pass": "p", progressToken: 5 });
    expect(readToolRequest({ ...legacy, id: "x", params: { name: "t" } }, {}, () => false)).toMatchObject({
      id: "x",
      arguments: {},
    });
  });

  it.each<[string, unknown]>([
    ["no object", [legacy]],
    ["another version", { ...legacy, jsonrpc: "1.0" }],
    ["another method", { ...legacy, method: "tools/list" }],
    ["no id", { ...legacy, id: undefined }],
    ["half an id", { ...legacy, id: 1.5 }],
    ["null for an id", { ...legacy, id: null }],
    ["one field more", { ...legacy, more: 1 }],
    ["parameters that are a list", { ...legacy, params: [] }],
    ["one parameter more", { ...legacy, params: { ...legacy.params, more: 1 } }],
    ["no name", { ...legacy, params: { arguments: {} } }],
    ["arguments that are a list", { ...legacy, params: { name: "t", arguments: [] } }],
    ["a list beside them", withMeta([])],
    ["a token that is none", withMeta({ progressToken: {} })],
    ["half a token", withMeta({ progressToken: 1.5 })],
  ])("is not one with %s", (_name, message) => {
    expect(eraOf(message)).toBeUndefined();
  });

  it.each<[string, unknown, object, boolean, string | undefined]>([
    ["without headers", legacy, {}, true, "legacy"],
    ...[...legacyRevisions].map(
      (revision): [string, unknown, object, boolean, string] =>
        [...([`of ${revision}`, legacy, { "mcp-protocol-version": revision }, true, "legacy"] as const)] as [
          string,
          unknown,
          object,
          boolean,
          string,
        ],
    ),
    ["of a revision that is none", legacy, { "mcp-protocol-version": "2020-01-01" }, true, undefined],
    ["of the modern one without its fields", legacy, { "mcp-protocol-version": modernRevision }, true, undefined],
    ["with a header of the modern one", legacy, { "mcp-method": "tools/call" }, true, undefined],
    ["with the other one", legacy, { "mcp-name": "t" }, true, undefined],
    ["of the modern one", withMeta(meta), modernHeaders, true, "modern"],
    ["without a client", withMeta(bare), modernHeaders, true, "modern"],
    ["with more that is ours", withMeta({ ...meta, "svc/pass": "p" }), modernHeaders, true, "modern"],
    ["of a client that is not known", withMeta(meta), modernHeaders, false, undefined],
    ["with another reserved name", withMeta({ ...meta, [`${prefix}x`]: 1 }), modernHeaders, true, undefined],
    ["with a reserved name for the client", withMeta({ ...bare, [`${prefix}x`]: 1 }), modernHeaders, true, undefined],
    ["without capabilities", withMeta({ ...meta, [capabilitiesKey]: undefined }), modernHeaders, true, undefined],
    [
      "of another version in its fields",
      withMeta({ ...meta, [`${prefix}protocolVersion`]: "x" }),
      modernHeaders,
      true,
      undefined,
    ],
    [
      "of another version in its headers",
      withMeta(meta),
      { ...modernHeaders, "mcp-protocol-version": "2025-11-25" },
      true,
      undefined,
    ],
    ["of another method in its headers", withMeta(meta), { ...modernHeaders, "mcp-method": "x" }, true, undefined],
    ["of another tool in its headers", withMeta(meta), { ...modernHeaders, "mcp-name": "x" }, true, undefined],
    ["without its headers", withMeta(meta), {}, true, undefined],
  ])("is of an era: %s", (_name, message, headers, knows, era) => {
    expect(eraOf(message, headers, knows)).toBe(era);
  });
});

describe("the memory of envelopes", () => {
  const metaOf = (chars: number) => {
    const meta = { [capabilitiesKey]: {}, [clientKey]: { name: "" } };
    const rest = chars - envelopeOf(meta).length;
    return { ...meta, [clientKey]: { name: "x".repeat(rest) } };
  };

  it("holds what a client is and can, up to a length", () => {
    const memory = createEnvelopeMemory();
    const [fits, long] = [metaOf(2_000), metaOf(2_001)];
    memory.accept(long);
    expect([memory.knows(long), memory.usual()]).toEqual([false, undefined]);
    memory.accept(fits);
    expect(memory.knows({ ...fits, "svc/pass": "p" })).toBe(true);
    expect(memory.usual()).toEqual({ text: `"_meta":${JSON.stringify(fits)}`, meta: fits });
    expect(memory.knows({ [capabilitiesKey]: {} })).toBe(false);
    memory.accept({ [capabilitiesKey]: { a: 1 }, "svc/pass": "p" });
    expect(memory.usual()?.meta).toBe(fits);
    expect(memory.knows({ [capabilitiesKey]: { a: 1 } })).toBe(true);
  });

  it("tells clients apart by all that they say", () => {
    expect(envelopeOf({ [capabilitiesKey]: { a: 1 } })).toBe('[{"a":1}]');
    expect(envelopeOf({ [capabilitiesKey]: {}, [clientKey]: { name: "c" }, other: 1 })).toBe('[{},{"name":"c"}]');
  });
});

describe("the server card", () => {
  it("has the address of the instance, or a place for it", () => {
    const card = (publicUrl?: string) =>
      describeServer({ version: "1.2.3", publicUrl }) as { version: string; remotes: Record<string, unknown>[] };
    const revisions = [modernRevision, ...legacyRevisions];
    const [own] = card("https://x.example").remotes;
    expect(own).toMatchObject({ url: "https://x.example/mcp", supportedProtocolVersions: revisions });
    expect(own).not.toHaveProperty("variables");
    const [open] = card().remotes;
    expect(open?.url).toMatch(/\{\w+\}/);
    expect(open).toHaveProperty("variables");
    expect(card().version).toBe("1.2.3");
  });
});
