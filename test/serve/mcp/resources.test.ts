import { afterAll, describe, expect, it } from "vitest";
import mcp from "../../../schemas/mcp.json" with { type: "json" };
import { renderAppPage } from "../../../src/serve/mcp/definitions.ts";
import { modernCallOf, modernHeaders, modernMeta, postMcp } from "../../support/mcp-message.ts";
import { actionTypes, catalog, openServer } from "../../support/server.ts";

const [withPictures, without] = [true, false].map((pictures) => openServer({ pictures }).app);
afterAll(() => Promise.all([withPictures?.close(), without?.close()]));

const { rules, action_types, app } = mcp.resources;
const page = {
  ...app,
  _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } },
};
const modern = {
  ...{ resultType: "complete", ttlMs: 300_000, cacheScope: "public" },
  _meta: { "io.modelcontextprotocol/serverInfo": { name: "txgloss", title: "txgloss", version: "0.0.0-test" } },
};

/**
 * The answers of the old and the new protocol revisions to a message, with pictures or without. What only the newest one adds is left out.
 */
async function ask(method: string, params: { uri?: string } = {}, pictures = true) {
  const server = (pictures ? withPictures : without) as NonNullable<typeof without>;
  const message = { jsonrpc: "2.0", id: 1, method };
  const { result, error } = (await postMcp(server, { ...message, params })).json();
  const headers = { ...modernHeaders("", method), ...(params.uri === undefined ? {} : { "mcp-name": params.uri }) };
  const late = (await postMcp(server, { ...message, params: { ...params, _meta: modernMeta } }, headers)).json();
  if (result === undefined) expect(late.error).toEqual(error);
  else expect(late.result).toEqual({ ...result, ...modern });
  return result ?? error;
}

describe("resources", () => {
  it("are listed without their texts; the page that draws results where there are pictures", async () => {
    expect(await ask("resources/list")).toEqual({ resources: [rules, action_types, page] });
    expect(await ask("resources/list", {}, false)).toEqual({ resources: [rules, action_types] });
    expect(await ask("resources/templates/list")).toEqual({ resourceTemplates: [mcp.templates.picture] });
    expect(await ask("resources/templates/list", {}, false)).toEqual({ resourceTemplates: [] });
  });

  const json = { mimeType: "application/json" };
  const { protocols, actionTypes: types } = catalog;
  it.each<[string, object]>([
    [rules.uri, { ...json, text: JSON.stringify({ protocols }) }],
    [action_types.uri, { ...json, text: JSON.stringify({ action_types: types }) }],
    [page.uri, { mimeType: page.mimeType, text: renderAppPage("0.0.0-test", "txgloss://picture/"), _meta: page._meta }],
  ])("%s is read with what belongs to it", async (uri, content) => {
    expect(await ask("resources/read", { uri })).toEqual({ contents: [{ uri, ...content }] });
  });

  it.each([
    ["txgloss://none", true],
    ["txgloss://picture/0x1/2", true],
    ["txgloss://picture/0x1/2", false],
    [page.uri, false],
  ])("%s is not found (pictures: %s)", async (uri, pictures) => {
    const error = { code: -32_602, message: `Resource not found: ${uri}`, data: { uri } };
    expect(await ask("resources/read", { uri }, pictures)).toEqual(error);
  });
});

it("the tool of explanations names the page where there are pictures", async () => {
  const metaOf = async (pictures: boolean) => {
    const { tools } = await ask("tools/list", {}, pictures);
    return tools.map(({ name, _meta }: { name: string; _meta?: object }) => [name, _meta]);
  };
  const meta = { ui: { resourceUri: page.uri }, "ui/resourceUri": page.uri };
  expect(await metaOf(true)).toEqual([
    ["explain_transaction", meta],
    ["buy_pass", undefined],
  ]);
  expect(await metaOf(false)).toEqual([
    ["explain_transaction", undefined],
    ["buy_pass", undefined],
  ]);
  const [explain] = (await ask("tools/list", {}, false)).tools;
  const [whole, short, challenge] = explain.outputSchema.anyOf;
  expect([explain.outputSchema.type, explain.outputSchema.anyOf.length]).toEqual(["object", 3]);
  for (const schema of [whole, short]) expect(schema.properties.action_type.enum).toEqual(actionTypes);
  expect(challenge.properties).toHaveProperty("accepts");
});

it("a message that takes no name or method of another is refused by its headers", async () => {
  const server = without as NonNullable<typeof without>;
  for (const headers of [{ "mcp-method": "tools/list" }, { "mcp-name": "buy_pass" }]) {
    const reply = await postMcp(server, modernCallOf(), { ...modernHeaders(), ...headers });
    expect([reply.statusCode, reply.json().error.code]).toEqual([400, -32_020]);
  }
});
