import batchRequest from "../../../../schemas/batch-request.schema.json" with { type: "json" };
import mcp from "../../../../schemas/mcp.json" with { type: "json" };
import previewRequest from "../../../../schemas/preview-request.schema.json" with { type: "json" };
import request from "../../../../schemas/request.schema.json" with { type: "json" };
import toolRequest from "../../../../schemas/tool-request.schema.json" with { type: "json" };
import viewRequest from "../../../../schemas/view-request.schema.json" with { type: "json" };

type Json = Record<string, unknown>;

export type ToolName = keyof typeof mcp.tools;

/** `info`: example call; `schema`: of `info`. */
export interface Discovery {
  info: { input: Json; output: Json };
  schema: Json;
}

interface SoldInput {
  /** undefined: the sentence of its product. */
  gives?: string;
  example: Json;
  input: Json;
}

const hash = "0x455761ce3e1076eb03a3af1a90b935b42a703336e08aacf218afe76102d8d171";
const account = "0x1111111111111111111111111111111111111111";
const preview = { from: account, to: account, value: "0x1", data: "0x" };
const view = "What one Base transaction did to one account, as JSON.";
const told = "What a Base transaction or a message would do, before it is signed, as JSON.";

const bodies: Readonly<Record<string, SoldInput>> = {
  "/explain": { example: { tx_hash: hash }, input: request },
  "/explain/batch": { example: { tx_hashes: [hash] }, input: batchRequest },
  "/view": { gives: view, example: { tx_hash: hash, account }, input: viewRequest },
  "/preview": { gives: told, example: preview, input: previewRequest },
  "/pass": { example: {}, input: { type: "object", properties: {} } },
};

const tools: Readonly<Record<string, SoldInput>> = {
  "/mcp#explain_transaction": { example: { tx_hash: hash }, input: toolRequest },
  "/mcp#view_transaction": { gives: view, example: { tx_hash: hash, account }, input: viewRequest },
  "/mcp#preview_transaction": { gives: told, example: preview, input: previewRequest },
  "/mcp#buy_pass": { example: {}, input: { type: "object", properties: {}, additionalProperties: false } },
};

/** A body that can be answered; undefined: the path takes none. */
export function exampleOf(path: string): Json | undefined {
  return bodies[path]?.example;
}

/** undefined: the sentence of its product. */
export function givenBy(resource: string): string | undefined {
  return (bodies[resource] ?? tools[resource])?.gives;
}

/** x402 version 2 `bazaar`; undefined for pages. Form of x402's package, compared by a test. No texts: it travels in a header. */
export function discoveryOf(resource: string): { bazaar: Discovery } | undefined {
  const body = bodies[resource];
  if (body !== undefined) return { bazaar: discoverBody(body) };
  const tool = tools[resource];
  return tool && { bazaar: discoverTool(resource.slice(resource.indexOf("#") + 1) as ToolName, tool) };
}

function discoverBody({ example, input }: SoldInput): Discovery {
  const properties = {
    type: { type: "string", const: "http" },
    method: { type: "string", enum: ["POST"] },
    bodyType: { type: "string", enum: ["json", "form-data", "text"] },
    body: withoutTexts(input),
  };
  const required = ["type", "method", "bodyType", "body"];
  return discover({ type: "http", method: "POST", bodyType: "json", body: example }, properties, required);
}

function discoverTool(toolName: ToolName, { example, input }: SoldInput): Discovery {
  const description = mcp.tools[toolName].description[0] as string;
  const transport = "streamable-http";
  const properties = {
    type: { type: "string", const: "mcp" },
    toolName: { type: "string" },
    description: { type: "string" },
    transport: { type: "string", enum: [transport] },
    inputSchema: { type: "object" },
    example: { type: "object" },
  };
  const told = { type: "mcp", toolName, description, transport, inputSchema: withoutTexts(input), example };
  return discover(told, properties, ["type", "toolName", "inputSchema"]);
}

function discover(input: Json, properties: Json, required: string[]): Discovery {
  return {
    info: { input, output: { type: "json" } },
    schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        input: { type: "object", properties, required, additionalProperties: false },
        output: {
          type: "object",
          properties: { type: { type: "string" }, example: { type: "object" } },
          required: ["type"],
        },
      },
      required: ["input"],
    },
  };
}

/** Without titles, descriptions, `$schema`, `$id`. */
function withoutTexts(schema: Json): Json {
  const bare = JSON.parse(JSON.stringify(schema), (key, value) =>
    textKeys.has(key) && typeof value === "string" ? undefined : value,
  );
  return bare as Json;
}

const textKeys = new Set(["$schema", "$id", "title", "description"]);
