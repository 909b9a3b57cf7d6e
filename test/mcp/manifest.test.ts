import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { root } from "../support/shared.ts";

const read = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"));
const manifest = read("server.json");
const packageJson = read("package.json");

// The facts of the registry's format that concern this manifest (server.schema.json of 2025-12-11).
const text = (pattern: string) => ({ type: "string", pattern });
const input = { type: "object", required: ["name", "description"], properties: { name: text(".") } };
const isManifest = new Ajv2020().compile({
  type: "object",
  additionalProperties: false,
  required: ["$schema", "name", "description", "version"],
  properties: {
    $schema: { const: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json" },
    name: { ...text("^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$"), minLength: 3, maxLength: 200 },
    title: { type: "string", minLength: 1, maxLength: 100 },
    description: { type: "string", minLength: 1, maxLength: 100 },
    version: text("^\\d+\\.\\d+\\.\\d+$"),
    remotes: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["type", "url"],
        properties: {
          type: { const: "streamable-http" },
          url: text("^https://[^\\s]+/mcp$"),
          variables: { type: "object" },
          headers: { type: "array", items: input },
        },
      },
    },
  },
});

describe("server.json, for the MCP registry", () => {
  it("has the registry's form", () => {
    expect(isManifest(manifest), JSON.stringify(isManifest.errors)).toBe(true);
  });

  it("agrees with package.json about name and version, and lists no package before one is published", () => {
    expect([manifest.name, manifest.version]).toEqual([packageJson.mcpName, packageJson.version]);
    expect(manifest.packages).toBeUndefined();
  });

  it("explains every variable of its URLs", () => {
    for (const { url, variables } of manifest.remotes)
      for (const [, variable] of url.matchAll(/\{(\w+)\}/g)) expect(variables).toHaveProperty(variable);
  });
});
