import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { settings } from "../../src/config.ts";
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
    packages: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["registryType", "identifier", "version", "transport"],
        properties: {
          registryType: { const: "npm" },
          registryBaseUrl: { const: "https://registry.npmjs.org" },
          environmentVariables: { type: "array", items: input },
          packageArguments: { type: "array", items: { type: "object", required: ["type", "value"] } },
          transport: { type: "object", properties: { type: { const: "streamable-http" }, url: text("/mcp$") } },
        },
      },
    },
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

  it("agrees with the package: the registry compares the names, and a version that is not published is refused", () => {
    const [shipped] = manifest.packages;
    expect(manifest.name).toBe(packageJson.mcpName);
    expect([manifest.version, shipped.version, shipped.identifier]).toEqual([
      packageJson.version,
      packageJson.version,
      packageJson.name,
    ]);
    expect(packageJson.files).toContain("server.json");
  });

  it("names settings that exist, and every variable of its URLs", () => {
    const [shipped] = manifest.packages;
    const names: string[] = shipped.environmentVariables.map(({ name }: { name: string }) => name);
    expect(settings.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    for (const [, variable] of shipped.transport.url.matchAll(/\{(\w+)\}/g)) expect(names).toContain(variable);
    for (const { url, variables } of manifest.remotes) {
      for (const [, variable] of url.matchAll(/\{(\w+)\}/g)) expect(variables).toHaveProperty(variable);
    }
  });
});
