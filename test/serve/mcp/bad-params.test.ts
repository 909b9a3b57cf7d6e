import { describe, expect, it } from "vitest";
import { callOf, modernHeaders, modernMeta, postMcp } from "../../support/mcp-message.ts";
import { hashOf } from "../../support/sample.ts";
import { openServer } from "../../support/server.ts";

const tool = { name: "explain_transaction" };
const bad: [string, unknown, string][] = [
  ["tools/call", undefined, "params"],
  ["tools/call", {}, "params.name"],
  ["tools/call", { name: 5 }, "params.name"],
  ["tools/call", { ...tool, arguments: "x" }, "params.arguments"],
  ["tools/call", { ...tool, arguments: [] }, "params.arguments"],
  ["resources/read", {}, "params.uri"],
  ["resources/read", { uri: 5 }, "params.uri"],
  ["tools/list", { cursor: 5 }, "params.cursor"],
  ["resources/list", { cursor: {} }, "params.cursor"],
  ["initialize", {}, "params.protocolVersion"],
];

describe("parameters that do not fit", () => {
  it.each(bad)(
    "of %s: %j are told by -32602 and one sentence, while others get their answers",
    async (method, params, place) => {
      const { app } = openServer();
      const message = { jsonrpc: "2.0", id: 7, method, ...(params === undefined ? {} : { params }) };
      const [attack, ...victims] = await Promise.all([
        postMcp(app, message),
        ...[1, 2].map(() => postMcp(app, callOf())),
      ]);
      expect(attack.json()).toEqual({
        ...{ jsonrpc: "2.0", id: 7 },
        error: {
          code: -32602,
          message: `The parameters of ${method} do not fit: ${place} is missing or has the wrong type.`,
        },
      });
      for (const { result } of victims.map((one) => one.json()))
        expect(result.structuredContent.tx_hash).toBe(hashOf(1));
    },
  );

  it("of the newest revision are told so too", async () => {
    const { app } = openServer();
    const message = { jsonrpc: "2.0", id: 7, method: "tools/list", params: { cursor: 5, _meta: modernMeta } };
    const { error } = (await postMcp(app, message, modernHeaders("", "tools/list"))).json();
    expect(error.code).toBe(-32602);
    expect(error.message).not.toContain("[");
  });

  it("are no excuse for other errors, which keep their words", async () => {
    const { app } = openServer();
    const { error } = (await postMcp(app, { jsonrpc: "2.0", id: 7, method: "tools/burn" })).json();
    expect(error).toMatchObject({ code: -32601 });
    expect((await postMcp(app, callOf({ name: "[1]" }))).json().error).toEqual({
      ...{ code: -32602, message: "Unknown tool: [1]" },
    });
  });
});
