import { describe, expect, it } from "vitest";
import { capabilitiesKey, clientKey } from "../../../src/serve/mcp/envelope-memory.ts";
import { legacyRevisions, modernRevision, readToolRequest } from "../../../src/serve/mcp/tool-request.ts";

describe("a plain call of a tool", () => {
  const legacy = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "t", arguments: { a: 1 } } };
  const prefix = "io.modelcontextprotocol/";
  const meta = { [`${prefix}protocolVersion`]: modernRevision, [capabilitiesKey]: {}, [clientKey]: { name: "c" } };
  const { [clientKey]: _client, ...bare } = meta;
  const modernHeaders = { "mcp-protocol-version": modernRevision, "mcp-method": "tools/call", "mcp-name": "t" };
  const withMeta = (own: unknown) => ({ ...legacy, params: { ...legacy.params, _meta: own } });
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
    ["nothing", null],
    ["a text", "tools/call"],
    ["another version", { ...legacy, jsonrpc: "1.0" }],
    ["another method", { ...legacy, method: "tools/list" }],
    ["no id", { ...legacy, id: undefined }],
    ["half an id", { ...legacy, id: 1.5 }],
    ["null for an id", { ...legacy, id: null }],
    ["an id beyond whole numbers", { ...legacy, id: 2 ** 53 }],
    ["true for an id", { ...legacy, id: true }],
    ["one field more", { ...legacy, more: 1 }],
    ["parameters that are a list", { ...legacy, params: [] }],
    ["no parameters but one field more", { jsonrpc: "2.0", id: 1, method: "tools/call", more: {} }],
    ["parameters that are null", { ...legacy, params: null }],
    ["parameters that are a text", { ...legacy, params: "" }],
    ["one parameter more", { ...legacy, params: { ...legacy.params, more: 1 } }],
    ["no name", { ...legacy, params: { arguments: {} } }],
    ["arguments that are a list", { ...legacy, params: { name: "t", arguments: [] } }],
    ["arguments that are a text", { ...legacy, params: { name: "t", arguments: "" } }],
    ["arguments that are null", { ...legacy, params: { name: "t", arguments: null } }],
    ["a list beside them", withMeta([])],
    ["a text beside them", withMeta("")],
    ["null beside them", withMeta(null)],
    ["a token that is none", withMeta({ progressToken: {} })],
    ["half a token", withMeta({ progressToken: 1.5 })],
  ])("is not one with %s", (_name, message) => {
    expect(eraOf(message)).toBeUndefined();
  });

  it.each<[string, unknown, object, boolean, string | undefined]>([
    ["without headers", legacy, {}, true, "legacy"],
    ["with a token that is a text", withMeta({ progressToken: "" }), {}, true, "legacy"],
    ["with a token that is a number", withMeta({ progressToken: 0 }), {}, true, "legacy"],
    ["with an id of no letters", { ...legacy, id: "" }, {}, true, "legacy"],
    ["with the least id", { ...legacy, id: -(2 ** 53) + 1 }, {}, true, "legacy"],
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
