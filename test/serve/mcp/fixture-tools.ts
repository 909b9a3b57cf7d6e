import type { Tool } from "../../../src/serve/mcp/tool.ts";
import type { Content, ToolResult } from "../../../src/serve/mcp/tool-response.ts";

/** The tools that the scenarios of the conformance suite call. They exist only in tests, on the product's own route. */
export const fixtureTools: readonly Tool[] = [
  fixture("test_simple_text", [text("A plain text.")]),
  fixture("test_image_content", [image()]),
  fixture("test_audio_content", [{ type: "audio", data: base64("RIFF"), mimeType: "audio/wav" }]),
  fixture("test_embedded_resource", [resource()]),
  fixture("test_multiple_content_types", [text("A text, an image and a resource."), image(), resource()]),
  fixture("test_error_handling", [text("It went wrong, as it was meant to.")], true),
  {
    ...fixture("json_schema_2020_12_tool", [text("Taken.")]),
    definition: {
      name: "json_schema_2020_12_tool",
      title: "Keywords",
      description: "Its schema uses keywords of JSON Schema 2020-12.",
      inputSchema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        $defs: {
          address: {
            $anchor: "addressDef",
            type: "object",
            properties: { street: { type: "string" }, city: { type: "string" } },
          },
        },
        properties: {
          name: { type: "string" },
          address: { $ref: "#/$defs/address" },
          contactMethod: { type: "string", enum: ["phone", "email"] },
          phone: { type: "string" },
          email: { type: "string" },
        },
        allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
        if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: { required: ["phone"] },
        else: { required: ["email"] },
        additionalProperties: false,
      },
    },
  },
];

function fixture(name: string, content: readonly Content[], isError = false): Tool {
  const result: ToolResult = isError ? { content, isError } : { content };
  return {
    definition: {
      name,
      title: name,
      description: "A tool of the tests.",
      inputSchema: { type: "object", properties: {} },
    },
    call: async () => ({ result }),
  };
}

function text(value: string): Content {
  return { type: "text", text: value };
}

/** One pixel. */
function image(): Content {
  const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";
  return { type: "image", data, mimeType: "image/png" };
}

function resource(): Content {
  return { type: "resource", resource: { uri: "test://resource", mimeType: "text/plain", text: "A resource." } };
}

function base64(value: string): string {
  return Buffer.from(value).toString("base64");
}
