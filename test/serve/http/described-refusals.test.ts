import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { openVisitors } from "../../../src/serve/access/quota/visitors.ts";
import { buildOpenapi } from "../../../src/serve/http/openapi.ts";
import { postMcp } from "../../support/mcp-message.ts";
import { actionTypes, openServer } from "../../support/server.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is walked by hand here.
const document = buildOpenapi({ version: "0.0.0-test", actionTypes }) as any;
const ajv = new Ajv2020({ strict: false }).addSchema(document, "document");
const isRefusal = ajv.compile({ $ref: "document#/components/schemas/McpRefusal" });

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { examples?: object }> }>;
}
const operations = Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap(Object.values);
const codesOf = ({ responses }: Operation) =>
  Object.values(responses).flatMap(({ content = {} }) => Object.keys(content["application/json"]?.examples ?? {}));

describe("what is answered before a request is looked at", () => {
  it.each(
    operations
      .filter((operation) => codesOf(operation).includes("headers_too_large"))
      .map((operation) => [operation.operationId, operation] as const),
  )("is described for %s: too large headers, too many connections, a restart", (_name, operation) => {
    expect(codesOf(operation)).toEqual(expect.arrayContaining(["headers_too_large", "overloaded", "restarting"]));
  });

  it("is described for both transports", () => {
    const names = operations.filter((one) => codesOf(one).includes("restarting")).map((one) => one.operationId);
    expect(names).toEqual(expect.arrayContaining(["explain", "explainBatch", "view", "preview", "buyPass", "mcp"]));
  });
});

describe("a refusal of /mcp", () => {
  it("is described where a client sent too much", async () => {
    const visitors = openVisitors({ rateLimitPerMinute: 1, openCallsPerMinute: 0, trustProxy: [] }, () => 1_000);
    const { app } = openServer({ visitors });
    expect((await postMcp(app, "{")).statusCode).toBe(400);
    const refused = await postMcp(app, "{");
    const described = document.paths["/mcp"].post.responses[refused.statusCode];
    expect(refused.statusCode).toBe(429);
    expect(described.content["application/json"].schema.$ref).toBe("#/components/schemas/McpRefusal");
    expect(described.headers).toHaveProperty("Retry-After");
    expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
    expect(isRefusal(refused.json()), JSON.stringify(isRefusal.errors)).toBe(true);
  });

  it("gives back an id that no request may have", async () => {
    const { app } = openServer();
    const refused = await postMcp(app, { jsonrpc: "2.0", id: 1.5, method: "tools/list" });
    expect(refused.json()).toMatchObject({ id: 1.5, error: { code: -32_600 } });
    expect(isRefusal(refused.json()), JSON.stringify(isRefusal.errors)).toBe(true);
  });
});
