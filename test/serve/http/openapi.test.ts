import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../../src/gather/explain/viewer.ts";
import type { Previewer } from "../../../src/gather/preview/preview.ts";
import { type ErrorCode, errorTable } from "../../../src/kernel/error.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { buildOpenapi, listOperations } from "../../../src/serve/http/openapi.ts";
import { createServer } from "../../../src/serve/http/server.ts";
import { addMcpEndpoint } from "../../../src/serve/mcp/endpoint.ts";
import { Service } from "../../../src/serve/service/service.ts";
import { type Json, readSchema } from "../../support/schema.ts";
import { actionTypes, catalog, openServer } from "../../support/server.ts";

const document: Json = buildOpenapi({ version: "1.2.3", actionTypes });
const codes = Object.keys(errorTable) as ErrorCode[];

/** A service with all its optional parts. None of them is called here. */
function everyRoute() {
  const { explainer } = openServer();
  const log = createLogger("silent", () => {});
  const service = new Service({ explainer, previewer: {} as Previewer, access: null, log });
  const web = { explainer, decide: () => expect.unreachable(), protocols: [] };
  return { service, viewer: {} as Viewer, web, publicUrl: "https://txgloss.example" };
}

/**
 * The routes in the tree that the framework prints. Each line has the rest of a path, indented by four more characters than its beginning.
 */
function routesOf(tree: string): string[] {
  const trail: string[] = [];
  return [...tree.matchAll(/^(.*?)[├└]── (\S+)(?: \(([A-Z, ]+)\))?/gm)].flatMap(
    ([, indent = "", segment = "", methods = ""]) => {
      trail.splice(indent.length / 4, trail.length, segment);
      const path = trail.join("").replace(/:(\w+)/g, "{$1}");
      return methods === "" ? [] : methods.split(", ").map((method) => `${method} ${path}`);
    },
  );
}

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toMatchObject({ valid: true });
    expect(validator.version).toBe("3.1");
    expect(document).toMatchObject({ openapi: "3.1.0", info: { version: "1.2.3" } });
  });

  it("has no reference that leads nowhere", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((found) => String(found[1]));
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) {
      const path = reference.replace(/^#\//, "").split("/");
      expect(
        path.reduce((node: Json, key) => node?.[key], document),
        reference,
      ).toBeDefined();
    }
  });

  it("holds the schemas as the files have them, with the actions listed", () => {
    const bare = (name: Parameters<typeof readSchema>[0]) => {
      const { $schema: _dialect, $id: _id, ...schema } = readSchema(name);
      return schema;
    };
    const { ExplainRequest, Explanation, Error: failure, Health } = document.components.schemas;
    expect(ExplainRequest).toEqual(bare("request"));
    expect(failure).toEqual(bare("error"));
    expect(Health).toEqual(bare("health"));
    expect(Explanation.properties.action_type.enum).toEqual(actionTypes);
    delete Explanation.properties.action_type.enum;
    expect(Explanation).toEqual(bare("explanation"));
  });

  it("names for every operation what the server answers with, and nothing else", () => {
    const named = (path: string, method: string): Record<string, Json> => document.paths[path][method].responses;
    const examples = Object.entries(named("/explain", "post")).flatMap(([status, response]) =>
      Object.entries(response.content?.["application/json"]?.examples ?? {}).map(([code, example]) => {
        expect(String(errorTable[code as ErrorCode].status)).toBe(status);
        return (example as Json).value.error;
      }),
    );
    // These codes have no example here: those of batches, views and previews, one of the operator's paths, four that a request
    // to this operation cannot get, and four that only buying a pass can give.
    expect(codes.filter((code) => !examples.includes(code))).toEqual([
      "invalid_typed_data",
      "other_chain",
      "invalid_account",
      "invalid_preview",
      "invalid_batch",
      "unauthorized",
      "foreign_host",
      "line_not_paid",
      "not_found",
      "method_not_allowed",
      "not_acceptable",
      "pass_claimed_elsewhere",
      "payments_not_configured",
      "untrusted_forwarding",
      "pass_not_shown",
    ]);
    expect(Object.keys(named("/view", "post")[400]?.content["application/json"].examples)).toContain("invalid_account");
    expect(Object.keys(named("/explain/batch", "post")[400]?.content["application/json"].examples)).toContain(
      "invalid_batch",
    );
    expect(new Set(examples).size).toBe(examples.length);
    expect(Object.keys(named("/preview", "post"))).toEqual(expect.arrayContaining(["200", "400", "402", "413", "503"]));
    expect(Object.keys(named("/pass", "post"))).toEqual(expect.arrayContaining(["409", "501"]));
    expect(Object.keys(named("/metrics", "get"))).toEqual(["200", "401"]);
    expect(Object.keys(named("/readyz", "get"))).toEqual(["200", "503"]);
    expect(Object.keys(named("/healthz", "get"))).toEqual(["200", "406"]);
    expect(Object.keys(named("/openapi.json", "get"))).toEqual(["200", "304", "406"]);
  });

  it("says where Retry-After comes", () => {
    const { responses } = document.paths["/explain"].post;
    expect(Object.keys(responses).filter((status) => responses[status].headers?.["Retry-After"])).toEqual([
      "402",
      "404",
      "429",
      "503",
    ]);
  });

  it("describes every route, and nothing that is no route", async () => {
    const { service, ...shared } = {
      ...everyRoute(),
      version: "1.2.3",
      actionTypes,
      log: createLogger("silent", () => {}),
    };
    const app = createServer({ ...shared, service, readHead: async () => null, ruleset: "r1" });
    addMcpEndpoint(app, { ...shared, service, catalog, host: "127.0.0.1", hosts: [], origins: [] });
    await app.ready();
    const routes = routesOf(app.printRoutes({ commonPrefix: false }));
    // What pages are made of, and what HTTP itself has.
    const own = routes.filter((route) => !/^(?:HEAD|OPTIONS) |^GET \/assets\//.test(route));
    const operations = listOperations(document).map(({ method, path }) => `${method} ${path}`);
    expect([...new Set(own)].toSorted()).toEqual(operations.toSorted());
    await app.close();
  });

  it("is served, with a tag", async () => {
    const { app } = openServer();
    const first = await app.inject({ url: "/openapi.json" });
    expect(first.json()).toEqual(buildOpenapi({ version: "0.0.0-test", actionTypes }));
    const again = await app.inject({ url: "/openapi.json", headers: { "if-none-match": String(first.headers.etag) } });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });
});
