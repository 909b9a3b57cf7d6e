import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { buildOpenapi } from "../../../src/serve/http/openapi.ts";
import { both, callOf, modernCallOf, modernHeaders, modernMeta, postMcp } from "../../support/mcp-message.ts";
import { openMeteredServer } from "../../support/metered-server.ts";
import { actionTypes, openServer } from "../../support/server.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is walked by hand here.
const document = buildOpenapi({ version: "0.0.0-test", actionTypes }) as any;
const described = document.paths["/mcp"].post;
const ajv = new Ajv2020({ strict: false }).addSchema(document, "document");

function expectDescribed(body: unknown, schema: string): void {
  const isValid = ajv.getSchema(`document#${schema}`) ?? ajv.compile({ $ref: `document#${schema}` });
  expect(isValid(body), JSON.stringify(isValid.errors)).toBe(true);
}

/** The schema of a JSON response with this status, which the document must name. */
function schemaOf(status: number): string {
  return described.responses[status].content["application/json"].schema.$ref.slice(1);
}

const requestSchema = described.requestBody.content["application/json"].schema.$ref.slice(1);
const list = { jsonrpc: "2.0", id: "a", method: "tools/list", params: {} };
const nothing = { jsonrpc: "2.0", id: 1, method: "nothing/here", params: {} };

it.each<[string, unknown, Record<string, string>, number]>([
  ["a call", callOf(), {}, 200],
  ["a call of the newest revision", modernCallOf(), modernHeaders(), 200],
  ["a call that fails", callOf({ arguments: {} }), {}, 200],
  ["a pass that is not sold", callOf({ name: "buy_pass", arguments: {} }), {}, 200],
  ["an unknown tool", callOf({ name: "nothing" }), {}, 200],
  ["an unknown method", nothing, {}, 200],
  ["a list", list, {}, 200],
  [
    "an unknown method of the newest revision",
    { ...nothing, params: { _meta: modernMeta } },
    modernHeaders("", "nothing/here"),
    404,
  ],
  ["a batch", [callOf()], {}, 400],
  ["a foreign page", callOf(), { origin: "https://app.example" }, 403],
  ["one form of answer only", callOf(), { accept: "application/json" }, 406],
  ["a form", callOf(), { "content-type": "application/x-www-form-urlencoded" }, 415],
  ["a message that is too long", callOf({ arguments: { tx_hash: "0".repeat(300_000) } }), {}, 413],
])("the OpenAPI document describes %s to /mcp and its answer", async (_name, message, headers, status) => {
  if (status === 200) expectDescribed(message, requestSchema);
  const reply = await postMcp(openServer().app, message, headers);
  expect(reply.statusCode).toBe(status);
  expectDescribed(reply.json(), schemaOf(status));
});

it("the OpenAPI document describes a notification, and that it has no answer", async () => {
  const message = { jsonrpc: "2.0", method: "notifications/initialized" };
  expectDescribed(message, requestSchema);
  const reply = await postMcp(openServer().app, message);
  expect([reply.statusCode, reply.body]).toEqual([202, ""]);
  expect(described.responses[202]).toEqual({ description: expect.any(String) });
});

it("the OpenAPI document describes how a payment is asked for, and where payments and passes go", async () => {
  const nowhere = "http://127.0.0.1:1";
  const facilitator = { kind: "http", url: nowhere } as const;
  const server = await openMeteredServer({ rpcUrl: nowhere, facilitator, settings: { freeCallsPerDay: 0 } });
  const post = (headers: object) =>
    fetch(`${server.url}/mcp`, { method: "POST", headers: { ...both, ...headers }, body: JSON.stringify(callOf()) });
  for (const [headers, status] of [[{}, 402] as const, [{ "mcp-protocol-version": "2025-11-25" }, 200] as const]) {
    const reply = await post(headers);
    expect(reply.status).toBe(status);
    expectDescribed(await reply.json(), schemaOf(status));
    for (const name of ["payment-required", "ratelimit", "ratelimit-policy"]) {
      expect(reply.headers.has(name)).toBe(true);
      const named = Object.keys(described.responses[status].headers).map((header) => header.toLowerCase());
      expect(named).toContain(name);
    }
  }
  const metaOf = (schema: string, part: string) =>
    Object.keys(document.components.schemas[schema].properties[part].properties._meta.properties);
  expect(metaOf("McpRequest", "params")).toEqual(expect.arrayContaining(["x402/payment", "svc/pass"]));
  expect(metaOf("McpResponse", "result")).toEqual(expect.arrayContaining(["x402/payment-response", "svc/pass"]));
  await server.close();
});
