import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { mcpClients } from "../../support/mcp-client.ts";
import { openServer } from "../../support/server.ts";
import { root } from "../../support/shared.ts";

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

// The facts of a server card (schema.json of modelcontextprotocol/experimental-ext-server-card at 8924e08).
const isCard = new Ajv2020({ formats: { uri: (value) => URL.canParse(value) } }).compile({
  type: "object",
  additionalProperties: false,
  required: ["$schema", "description", "name", "version"],
  properties: {
    $schema: { const: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json" },
    name: { ...text("^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$"), minLength: 3, maxLength: 200 },
    title: { type: "string", minLength: 1, maxLength: 100 },
    description: { type: "string", minLength: 1, maxLength: 100 },
    version: { type: "string", maxLength: 255 },
    websiteUrl: { type: "string", format: "uri" },
    remotes: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["type", "url"],
        properties: {
          type: { enum: ["sse", "streamable-http"] },
          url: text("^(https?://[^\\s]+|\\{[a-zA-Z_][a-zA-Z0-9_]*\\}[^\\s]*)$"),
          variables: { type: "object" },
          headers: { type: "array", items: { type: "object", required: ["name"] } },
          supportedProtocolVersions: { type: "array", items: { type: "string" } },
        },
      },
    },
  },
});

describe("the server card", () => {
  const publicUrl = "https://txgloss.example";

  it("has the form of the proposal, and names what clients then find", async () => {
    const { app } = openServer({ publicUrl });
    const reply = await app.inject({ url: "/mcp/server-card" });
    expect(reply.headers["content-type"]).toBe("application/mcp-server-card+json");
    expect(reply.headers["access-control-allow-origin"]).toBe("*");
    const card = reply.json();
    expect(isCard(card), JSON.stringify(isCard.errors)).toBe(true);
    expect(card.name).toBe(manifest.name);
    expect(card.remotes[0].url).toBe(`${publicUrl}/mcp`);
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    for (const connect of Object.values(mcpClients)) {
      const client = await connect(`${url}/mcp`);
      expect(card.remotes[0].supportedProtocolVersions).toContain(client.revision());
      await client.close();
    }
    await app.close();
  });

  it("is found by its catalog, and where earlier drafts had it", async () => {
    const { app } = openServer({ publicUrl });
    const card = (await app.inject({ url: "/mcp/server-card" })).body;
    expect((await app.inject({ url: "/.well-known/mcp/server-card.json" })).body).toBe(card);
    const reply = await app.inject({ url: "/.well-known/ai-catalog.json" });
    expect(reply.headers["content-type"]).toBe("application/ai-catalog+json");
    expect(reply.json()).toEqual({
      specVersion: "1.0",
      entries: [
        {
          identifier: "urn:air:txgloss.example:mcp:txgloss",
          type: "application/mcp-server-card+json",
          url: `${publicUrl}/mcp/server-card`,
        },
      ],
    });
  });

  it("leaves the address out if it is not known", async () => {
    const { app } = openServer();
    const card = (await app.inject({ url: "/mcp/server-card" })).json();
    expect(card.remotes[0]).toMatchObject({ url: "https://{host}/mcp", variables: { host: {} } });
    expect((await app.inject({ url: "/.well-known/ai-catalog.json" })).statusCode).toBe(404);
  });
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
