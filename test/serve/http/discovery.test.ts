import {
  type AuditWarning,
  checkEndpointSchema,
  checkL2ForOpenAPI,
  checkL4ForOpenAPI,
  discoverOriginSchema,
  getOpenAPI,
  getWarningsForL2,
  getWarningsForL3,
  getWarningsForL4,
  getWarningsForOpenAPI,
  type OpenApiSource,
  PaymentInfoSchema,
  validatePaymentRequiredDetailed,
} from "@agentcash/discovery";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Viewer } from "../../../src/gather/explain/viewer.ts";
import type { Previewer } from "../../../src/gather/preview/preview.ts";
import type { PaymentSettings } from "../../../src/serve/settings/payment-settings.ts";
import { type MeteredServer, openMeteredServer, publicUrl } from "../../support/metered-server.ts";
import { openServer } from "../../support/server.ts";

const nowhere = "http://127.0.0.1:1";
const sold = ["/explain", "/explain/batch", "/view", "/preview", "/pass"];

describe("where calls are charged", () => {
  let server: MeteredServer;
  /** The same without a free call. */
  let used: MeteredServer;
  const open = (settings: Partial<PaymentSettings> = {}) =>
    openMeteredServer({
      ...{ rpcUrl: nowhere, facilitator: { kind: "http", url: nowhere }, settings },
      ...{ previewer: {} as Previewer, viewer: {} as Viewer },
    });
  beforeAll(async () => {
    [server, used] = await Promise.all([open(), open({ freeCallsPerDay: 0 })]);
  });
  afterAll(() => Promise.all([server.close(), used.close()]));

  it("/openapi.json is valid, and catalogs read price and input of every paid operation in it", async () => {
    const source = (await getOpenAPI(server.url))._unsafeUnwrap() as OpenApiSource;
    expect(await new Validator().validate(structuredClone(source.raw))).toMatchObject({ valid: true });
    const found = checkL2ForOpenAPI(source);
    const serious = (warnings: AuditWarning[]) =>
      warnings.filter(({ severity }) => severity !== "info").map((one) => one.code);
    // The contact is the only part that only the operator of an instance can give.
    expect(serious(getWarningsForOpenAPI(source)).filter((code) => code !== "OPENAPI_CONTACT_MISSING")).toEqual([]);
    // The package checks for keys of one kind only; the operator's key is a bearer token.
    expect(serious(getWarningsForL2(found).filter(({ path }) => path !== "/metrics"))).toEqual([]);
    expect(serious(getWarningsForL4(checkL4ForOpenAPI(source)))).toEqual([]);
    const paid = found.routes.filter(({ authMode }) => authMode === "paid");
    expect(paid.map(({ method, path, price, protocols }) => [method, path, price, protocols])).toEqual([
      ["POST", "/explain", "0.02 USD", ["x402"]],
      ["POST", "/explain/batch", "0.02-2 USD", ["x402"]],
      ["POST", "/preview", "0.02 USD", ["x402"]],
      ["POST", "/preview/page", "0.02 USD", ["x402"]],
      ["POST", "/view", "0.02 USD", ["x402"]],
      ["GET", "/tx/{hash}/evidence", "0.02 USD", ["x402"]],
      ["GET", "/tx/{hash}", "0.02 USD", ["x402"]],
      ["GET", "/tx/{hash}.json", "0.02 USD", ["x402"]],
      ["GET", "/tx/{hash}.svg", "0.02 USD", ["x402"]],
      ["POST", "/pass", "9 USD", ["x402"]],
      ["POST", "/mcp", "0.02-9 USD", ["x402"]],
    ]);
    const { paths } = source.raw as { paths: Record<string, Record<string, Record<string, unknown>>> };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const told = operations.filter((operation) => operation["x-payment-info"] !== undefined);
    expect(told.length).toBe(paid.length);
    for (const operation of told) {
      expect(PaymentInfoSchema.safeParse(operation["x-payment-info"]).success).toBe(true);
      expect(operation.responses).toHaveProperty("402");
    }
    // Whatever asks for a payment says what it costs.
    expect(operations.filter(({ responses }) => "402" in (responses as object)).length).toBe(told.length);
  });

  it.each(sold)("a catalog without free calls that knocks at %s gets a challenge that it can list", async (path) => {
    const checked = await checkEndpointSchema({ url: `${used.url}${path}`, probe: true });
    if (!checked.found) expect.unreachable("nothing was found");
    const advisory = checked.advisories.find(({ method }) => method === "POST");
    expect(advisory).toMatchObject({ authMode: "paid", paymentOptions: [{ protocol: "x402", version: 2 }] });
    expect(getWarningsForL3(advisory ?? null).filter(({ severity }) => severity !== "info")).toEqual([]);
    const judged = validatePaymentRequiredDetailed(advisory?.paymentRequiredBody);
    expect(judged.issues).toEqual([]);
    expect(judged).toMatchObject({
      valid: true,
      version: 2,
      normalized: { hasInputSchema: true, hasOutputSchema: true },
    });
  });

  it("/.well-known/x402 lists what tells its price without a body once no call is free, and nothing else", async () => {
    const reply = await fetch(`${server.url}/.well-known/x402`);
    const { version, resources, instructions } = (await reply.json()) as Record<string, unknown>;
    expect([version, resources]).toEqual([1, sold.map((path) => `${publicUrl}${path}`)]);
    expect(instructions).toMatch(/50 calls a day are free, then one costs 0\.02 USDC; a pass costs 9 USDC\.$/);
    for (const path of sold) {
      const knock = async ({ url }: MeteredServer) => (await fetch(`${url}${path}`, { method: "POST" })).status;
      expect([path, await knock(server), await knock(used)]).toEqual([path, path === "/pass" ? 402 : 400, 402]);
    }
  });

  it("/llms.txt says what is called and what it costs, and every address in it answers", async () => {
    const reply = await fetch(`${server.url}/llms.txt`);
    expect(reply.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const text = await reply.text();
    expect(text).toMatch(/^# txgloss\n\n> /);
    expect(text).toContain("50 calls a day and client are free. Then one costs 0.02 USDC");
    for (const [, url] of text.matchAll(/\]\(([^)]+)\)/g)) {
      const found = await fetch(String(url).replace(publicUrl, server.url));
      expect([url, found.status]).toEqual([url, 200]);
    }
  });

  it("discovery by the origin alone finds the paid operations", async () => {
    expect(await discoverOriginSchema({ target: server.url })).toMatchObject({ found: true, source: "openapi" });
  });
});

describe("where nothing is charged", () => {
  it("no document says that anything is sold", async () => {
    const { app } = openServer();
    const get = (url: string) => app.inject({ url });
    expect((await get("/.well-known/x402")).json()).toMatchObject({ version: 1, resources: [] });
    const llms = (await get("/llms.txt")).body;
    expect(llms).toContain("Nothing is charged here: every call is free");
    expect(llms).not.toMatch(/402|USDC|undefined|\/view|\/preview|\/tx\//);
    const document = await get("/openapi.json");
    expect(document.body).not.toContain("x-payment-info");
    for (const path of ["/llms.txt", "/.well-known/x402"]) {
      const first = await get(path);
      expect(first.headers["access-control-allow-origin"]).toBe("*");
      const held = await app.inject({ url: path, headers: { "if-none-match": String(first.headers.etag) } });
      expect([held.statusCode, held.body]).toEqual([304, ""]);
      expect((await app.inject({ method: "POST", url: path })).statusCode).toBe(405);
    }
  });
});
