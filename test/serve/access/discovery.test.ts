import type { PaymentPayload, PaymentRequired, PaymentRequirements } from "@x402/core/types";
import {
  bazaarResourceServerExtension,
  type DiscoveryExtension,
  declareDiscoveryExtension,
  extractDiscoveryInfo,
  sanitizeResourceServiceMetadata,
  validateAndExtract,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from "@x402/extensions/bazaar";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import mcp from "../../../schemas/mcp.json" with { type: "json" };
import type { Viewer } from "../../../src/gather/explain/viewer.ts";
import type { Previewer } from "../../../src/gather/preview/preview.ts";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import { discoveryOf } from "../../../src/serve/access/payment/discovery.ts";
import type { ResourcePath } from "../../../src/serve/access/payment/offers.ts";
import {
  explainDefinition,
  passDefinition,
  previewDefinition,
  viewDefinition,
} from "../../../src/serve/mcp/definitions.ts";
import { type MeteredServer, openMeteredServer, publicUrl } from "../../support/metered-server.ts";
import { compileSchema, readSchema } from "../../support/schema.ts";

const bodies = ["/explain", "/explain/batch", "/view", "/preview", "/pass"] as const;
const tools = Object.keys(mcp.tools).map((name) => `/mcp#${name}`) as ResourcePath[];
const nowhere = "http://127.0.0.1:1";

let server: MeteredServer;
/** The same without a free call. */
let used: MeteredServer;
beforeAll(async () => {
  // Nobody gets further than the price here.
  const parts = { previewer: {} as Previewer, viewer: {} as Viewer };
  const options = { rpcUrl: nowhere, facilitator: { kind: "http", url: nowhere }, ...parts } as const;
  server = await openMeteredServer(options);
  used = await openMeteredServer({ ...options, settings: { freeCallsPerDay: 0 } });
});
afterAll(() => Promise.all([server.close(), used.close()]));

function productOf(resource: ResourcePath) {
  if (resource === "/explain/batch") return "batch";
  return resource === "/pass" || resource === "/mcp#buy_pass" ? "pass" : "explain";
}
const challenge = (resource: ResourcePath) =>
  server.parts.offers.challenge(productOf(resource), resource, ["payment_required"]);
const extensionIn = (required: PaymentRequired) => required.extensions?.bazaar as unknown as DiscoveryExtension;

describe.each([...bodies, ...tools])("the challenge of %s", (resource) => {
  it("carries a discovery extension that the package of x402 takes", () => {
    const { required } = challenge(resource);
    const bazaar = extensionIn(required);
    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
    expect(validateDiscoveryExtensionSpec(bazaar as unknown as Record<string, unknown>)).toMatchObject({ valid: true });
    expect(validateAndExtract(bazaar)).toMatchObject({ valid: true });
    expect(sanitizeResourceServiceMetadata(required.resource)).toEqual({
      serviceName: "txgloss",
      tags: required.resource?.tags,
    });
  });

  it("has the form of schemas/payment-required.schema.json, and fits into headers", () => {
    const { required, header } = challenge(resource);
    const isChallenge = compileSchema("payment-required");
    expect(isChallenge(JSON.parse(JSON.stringify(required))), JSON.stringify(isChallenge.errors)).toBe(true);
    // A client sends the extension back with its payment, so it must take less than 2 KB.
    const echoed = JSON.stringify({ resource: required.resource, extensions: required.extensions });
    expect((echoed.length + 2_000) * (4 / 3)).toBeLessThan(serviceLimits.paymentCharsMax);
    expect(header.length).toBeLessThan(6_000);
  });

  it("shows an example that the described input takes", () => {
    const { info, schema } = extensionIn(challenge(resource).required) as unknown as {
      // biome-ignore lint/suspicious/noExplicitAny: one of two forms.
      info: any;
      // biome-ignore lint/suspicious/noExplicitAny: one of two forms.
      schema: any;
    };
    const { type, body, example, inputSchema } = info.input;
    const described = type === "http" ? schema.properties.input.properties.body : inputSchema;
    const isInput = new Ajv2020({ strict: false }).compile(described);
    expect(isInput(type === "http" ? body : example), JSON.stringify(isInput.errors)).toBe(true);
    expect(JSON.stringify(schema)).not.toMatch(/"\$(?:id|ref)"/);
  });
});

it("a facilitator that keeps a catalog reads the resource and its input from a payment as we send it", () => {
  for (const resource of [...bodies, ...tools]) {
    const product = productOf(resource);
    const sold = server.parts.offers.soldAs(product, resource);
    const requirements: PaymentRequirements = server.parts.offers.requirements(product, 20_000n);
    const payment = { x402Version: 2, ...sold, accepted: requirements, payload: {} } as PaymentPayload;
    const found = extractDiscoveryInfo(payment, requirements);
    const [path, toolName] = resource.split("#");
    expect(found).toMatchObject({ resourceUrl: `${publicUrl}${path}`, x402Version: 2, serviceName: "txgloss" });
    expect(found).toMatchObject(toolName === undefined ? { method: "POST" } : { toolName });
  }
  expect(server.parts.offers.soldAs("explain", "/tx").extensions).toBeUndefined();
});

describe("the extension", () => {
  it("is the declaration of the package itself for a path", () => {
    const { bazaar } = discoveryOf("/explain") as { bazaar: DiscoveryExtension };
    const { properties, required } = readSchema("request") as { properties: object; required: string[] };
    const declared = declareDiscoveryExtension({
      bodyType: "json",
      input: (bazaar.info.input as { body: Record<string, unknown> }).body,
      inputSchema: {
        type: "object",
        additionalProperties: false,
        required,
        properties: {
          tx_hash: { type: "string", pattern: (properties as { tx_hash: { pattern: string } }).tx_hash.pattern },
        },
      },
      output: { example: {}, schema: {} },
    }).bazaar as DiscoveryExtension;
    const context = { method: "POST", adapter: { getPath: () => "/explain" } };
    const enriched = bazaarResourceServerExtension.enrichDeclaration?.(declared, context) as DiscoveryExtension;
    // The extension holds no example of an answer, because answers are long. /openapi.json describes them.
    const { example: _none, ...output } = enriched.info.output as { example: unknown };
    expect(bazaar).toEqual({ ...enriched, info: { ...enriched.info, output } });
  });

  it("is the declaration of the package itself for a tool, with the arguments that tools/list shows", () => {
    const definitions = [explainDefinition([]), viewDefinition([]), previewDefinition([]), passDefinition];
    for (const { name, inputSchema } of definitions) {
      const { bazaar } = discoveryOf(`/mcp#${name}`) as { bazaar: DiscoveryExtension };
      const { input } = bazaar.info as { input: Record<string, unknown> };
      const declared = declareDiscoveryExtension({
        toolName: name,
        transport: "streamable-http",
        description: String(input.description),
        inputSchema: input.inputSchema as Record<string, unknown>,
        example: input.example as Record<string, unknown>,
        output: { example: {}, schema: {} },
      }).bazaar as DiscoveryExtension;
      const { example: _none, ...output } = declared.info.output as { example: unknown };
      expect(bazaar).toEqual({ ...declared, info: { ...declared.info, output } });
      expect(input.inputSchema).toEqual(withoutTexts(inputSchema));
    }
  });
});

function withoutTexts(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    ["title", "description"].includes(key) && typeof value === "string" ? undefined : value,
  );
}

/** The free calls that a response states, without the seconds to midnight, because those change. */
function callsLeft({ headers }: { headers: { get(name: string): string | null } }): string | undefined {
  return /;r=\d+/.exec(headers.get("ratelimit") ?? "")?.[0];
}

describe("a request without a body", () => {
  it.each(bodies)("gets the price at %s once no call is free, no matter what else it sends", async (path) => {
    const before = await used.explain("0x12" as never);
    for (const headers of [{}, { "content-type": "application/json" }, { accept: "*/*" }]) {
      const reply = await fetch(`${used.url}${path}`, { method: "POST", headers });
      expect(reply.status).toBe(402);
      expect(callsLeft(reply)).toBe(callsLeft(before));
      const header = JSON.parse(Buffer.from(String(reply.headers.get("payment-required")), "base64").toString());
      const body = (await reply.json()) as PaymentRequired;
      expect(header).toEqual(body);
      expect(body).toMatchObject({ error: "payment_required", resource: { url: `${publicUrl}${path}` } });
      const { required } = challenge(path);
      expect(body).toEqual({
        ...JSON.parse(JSON.stringify(required)),
        // The description tells how many calls are free: here it is none.
        resource: { ...required.resource, description: required.resource?.description?.replace("50 a day", "0 a day") },
      });
    }
    expect(used.gathered).toEqual([]);
  });
});
