import { readdirSync } from "node:fs";
import { join } from "node:path";
import { RESOURCE_MIME_TYPE, RESOURCE_URI_META_KEY } from "@modelcontextprotocol/ext-apps/server";
import type { FastifyInstance } from "fastify";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEngine } from "../../src/engine/engine.ts";
import { createServer } from "../../src/http/server.ts";
import { ServiceError } from "../../src/kernel/error.ts";
import type { Hash } from "../../src/kernel/hex.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { addMcpEndpoint } from "../../src/mcp/endpoint.ts";
import { drawingAttributes, drawingElements } from "../../src/mcp/picture-app/app-program.ts";
import { createPictureReader } from "../../src/mcp/picture-app/picture-resource.ts";
import { shortenExplanation } from "../../src/mcp/short-explanation.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import type { Decision } from "../../src/model/decision.ts";
import { narrowSize, pictureFile, wideSize } from "../../src/picture/picture.ts";
import { readCase } from "../../src/recordings/case-format.ts";
import { Service } from "../../src/service/service.ts";
import type { TransactionPage } from "../../src/web/transaction-page.ts";
import { serveAppHost } from "../support/app-host.ts";
import { openBrowser } from "../support/browser.ts";
import { explainerOver } from "../support/explainer.ts";
import { type McpClient, mcpClients } from "../support/mcp-client.ts";
import { callOf, postMcp } from "../support/mcp-message.ts";
import { hostilePage, hostileStrings, recordedDir, recordedPages } from "../support/recorded-pictures.ts";
import { root } from "../support/shared.ts";

const engine = openEngine({ rulesDir: join(root, "rules"), labelsDir: join(root, "labels") });
const recorded = readdirSync(recordedDir).map((name) => name.slice(0, -5) as Hash);
const named = (start: string) => recorded.find((hash) => hash.startsWith(start)) as Hash;
const [swap, approval, stranger] = [named("0x1dadb993"), named("0x17514223"), named("0x3e88cd74")];

/** As the engine decides; one transaction is told by a stranger alone. */
function decide(caseFile: CaseFile): Decision {
  const decision = engine.decide(caseFile);
  if (caseFile.tx_hash !== stranger) return decision;
  const { explanation, facts } = hostilePage({
    ...{ explanation: decision.explanation, facts: decision.pictureFacts() },
    ...{ evidence: decision.evidence(), view: null, source: "network" },
  });
  return { ...decision, explanation, pictureFacts: () => facts };
}

function openPictureServer(): FastifyInstance {
  const explainer = explainerOver({
    gather: (hash) =>
      readCase(join(recordedDir, `${hash}.json`)).catch(() => {
        throw new ServiceError("transaction_not_found");
      }),
    decide,
  });
  const log = createLogger("silent", () => {});
  const service = new Service({ explainer, access: null, log });
  const { actionTypes, catalog, ruleset } = engine;
  const shared = { service, version: "1.2.3", actionTypes, log };
  const app = createServer({ ...shared, ruleset, readHead: async () => null });
  const pictures = { explainer, decide };
  addMcpEndpoint(app, { ...shared, catalog, pictures, host: "127.0.0.1", hosts: [], origins: [] });
  return app;
}

const pictured = async (hash: Hash) => {
  const { explanation, pictureFacts } = decide(await readCase(join(recordedDir, `${hash}.json`)));
  return { explanation, facts: pictureFacts() };
};
const sha256 = async (text: string) =>
  Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toString("hex");

let app: FastifyInstance;
let url: string;
beforeAll(async () => {
  app = openPictureServer();
  url = `${await app.listen({ host: "127.0.0.1", port: 0 })}/mcp`;
});
afterAll(() => app.close());

describe.each(Object.entries(mcpClients))("pictures for %s", (_name, connect) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await connect(url);
  });
  afterAll(() => client.close());

  it("the tool names the page that draws its results, as the package does", async () => {
    const [explain, ...others] = await client.listTools();
    const uri = "ui://txgloss/transaction";
    expect(explain?._meta).toEqual({ ui: { resourceUri: uri }, [RESOURCE_URI_META_KEY]: uri });
    expect(others.map(({ _meta }) => _meta)).toEqual(others.map(() => undefined));
    const listed = (await client.listResources()).find((resource) => resource.uri === uri);
    const nothing = { connectDomains: [], resourceDomains: [] };
    const meta = { ui: { csp: nothing, prefersBorder: true } };
    expect(listed).toMatchObject({ mimeType: RESOURCE_MIME_TYPE, _meta: meta });
    expect(await client.readResource(uri)).toMatch(/^<!doctype html>/);
  });

  it("a picture is given to whoever has the answer, in either form, and to nobody else", async () => {
    for (const detail of ["full", "summary"]) {
      const answer = await client.call("explain_transaction", { tx_hash: approval, detail });
      const proof = await sha256(String(answer.content[1]?.text));
      expect(await client.readResource(`txgloss://picture/${approval}/${proof}`)).toBe(
        pictureFile(await pictured(approval), wideSize),
      );
    }
    const proof = await sha256("something else");
    const never = named("0xf62feb7a");
    const own = await sha256(JSON.stringify((await pictured(never)).explanation));
    for (const uri of [
      `txgloss://picture/${approval}/${proof}`,
      `txgloss://picture/${approval}/`,
      `txgloss://picture/${approval}`,
      "txgloss://picture/",
      `txgloss://picture/x/${proof}`,
      // Nobody asked for it yet, so there is nothing that could be drawn without work.
      `txgloss://picture/${never}/${own}`,
    ])
      await expect(client.readResource(uri)).rejects.toThrow(/not found/i);
  });
});

it("a drawing never makes the service ask for a transaction again", async () => {
  let gathered = 0;
  const explainer = explainerOver({
    gather: (hash) => {
      gathered++;
      return readCase(join(recordedDir, `${hash}.json`));
    },
    decide,
  });
  const { body } = await explainer.explain(swap);
  const uri = `txgloss://picture/${swap}/${await sha256(body.toString())}`;
  expect(await createPictureReader({ explainer, decide })(uri)).toHaveLength(2);
  // As when more case files came since: they are forgotten before their answers.
  const forgetful = { ...explainer, examined: () => undefined };
  expect(await createPictureReader({ explainer: forgetful, decide })(uri)).toBeUndefined();
  expect(gathered).toBe(1);
});

it("what hosts without pages get does not change by a byte", async () => {
  const plain = await postMcp(app, callOf({ arguments: { tx_hash: swap } }));
  const { explanation } = await pictured(swap);
  const text = JSON.stringify(explanation);
  const content = [
    { type: "text", text: explanation.summary },
    { type: "text", text },
  ];
  expect(plain.body).toBe(
    `{"result":{"content":${JSON.stringify(content)},"structuredContent":${text}},"jsonrpc":"2.0","id":1}`,
  );
});

it("drawings are made of what the app takes, and of nothing that could run or load", () => {
  const [names, attributes] = [new Set<string>(), new Set<string>()];
  const pages = recordedPages();
  for (const page of [...pages.values(), hostilePage(pages.get(stranger) as TransactionPage)])
    for (const size of [wideSize, narrowSize])
      for (const [, name = "", rest = ""] of pictureFile(page, size).matchAll(/<([a-z]+)((?: [\w-]+="[^"]*")*)/gi)) {
        names.add(name);
        for (const [, attribute = ""] of rest.matchAll(/ ([\w-]+)=/g)) attributes.add(attribute);
      }
  names.delete("style");
  expect([...names].toSorted()).toEqual(drawingElements.toSorted());
  expect([...attributes].toSorted()).toEqual(drawingAttributes.toSorted());
  expect(drawingAttributes.filter((name) => /^(?:on|.*href|src|style)/i.test(name))).toEqual([]);
});

const browser = openBrowser();

describe.skipIf(typeof browser === "string")("in a host of MCP Apps, in Chromium", () => {
  let page: Page;
  let close: () => Promise<void> = async () => {};
  let host: Awaited<ReturnType<typeof serveAppHost>>;
  const requests: string[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    host = await serveAppHost();
    ({ page, close } = await (browser as Exclude<typeof browser, string>).newPage(host.url));
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => {
      // The host logs each message that it passes on.
      if (message.type() !== "debug") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  }, 60_000);
  afterAll(async () => {
    await close();
    await host?.stop();
  });

  // biome-ignore lint/suspicious/noExplicitAny: read by tests that know what to expect.
  const run = (program: string): Promise<any> => page.evaluate(program);
  const open = (options: object = {}) =>
    run(
      `openApp(${JSON.stringify({ url, mode: "auto", capabilities: { serverResources: {} }, width: 800, theme: "light", ...options })})`,
    );
  const call = (given: object) => run(`call(${JSON.stringify(given)})`);
  /** Something about the app, as soon as it holds. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const look = (ready: string, value = ready): Promise<any> =>
    page
      .frames()
      .at(-1)
      ?.evaluate(
        `new Promise((done) => { const look = () => { const found = ${ready}; if (found) done(${value}); else requestAnimationFrame(look); }; look(); })`,
      ) as Promise<unknown>;
  const at = (id: string) => `document.getElementById("${id}")`;
  const drawn = (id: string) => `document.querySelector("#${id} svg")`;
  /** Marks and texts of a drawing, wherever it stands. */
  const marks = (svg: string) =>
    `[...${svg}.querySelectorAll(":not(style)")].map((mark) => [mark.localName, mark.textContent, ...mark.getAttributeNames().map((name) => mark.getAttribute(name))].join("|")).join("\\n")`;
  const marksOf = (file: string) =>
    marks(`new DOMParser().parseFromString(${JSON.stringify(file)}, "image/svg+xml").documentElement`);

  it.each(["auto", "legacy"])("the app shows sentence, warnings and picture of an answer (%s)", async (mode) => {
    const opened = await open({ mode });
    expect(opened).toMatchObject({
      mimeType: RESOURCE_MIME_TYPE,
      app: { name: "txgloss", version: "1.2.3" },
      shown: { availableDisplayModes: ["inline"] },
    });
    const result = await call({ tx_hash: swap });
    await look(drawn("wide"));
    const told = await pictured(swap);
    for (const size of [wideSize, narrowSize])
      expect(await look("true", marks(drawn(size.id)))).toBe(await run(marksOf(pictureFile(told, size))));
    expect(await look(`${at("summary")}.textContent`)).toBe(result.structuredContent.summary);
    expect(await look("true", `[innerWidth, ${at("wide")}.clientHeight > 200, ${at("narrow")}.clientHeight]`)).toEqual([
      800,
      true,
      0,
    ]);
    expect(await run("sizes.at(-1) > 200")).toBe(true);
  });

  it("every warning is shown, and what was not checked", async () => {
    await open({ width: 360, theme: "dark" });
    const { structuredContent } = await call({ tx_hash: approval, detail: "summary" });
    await look(drawn("narrow"));
    const lines = (await look(`[...document.querySelectorAll("li")].map((item) => item.textContent)`)) as string[];
    for (const { flag, detail } of structuredContent.risk_flags)
      expect(lines).toContain(`${flag.replaceAll("_", " ")} ${detail}`);
    for (const [name, status] of Object.entries(structuredContent.checks))
      if (["partial", "unavailable", "inconclusive"].includes(String(status)))
        expect(lines).toContain(`not fully checked ${name.replaceAll("_", " ")}: ${status}`);
    if (structuredContent.checks.note !== null) expect(lines).toContain(`why ${structuredContent.checks.note}`);
    expect(lines.some((line) => line.startsWith("partial "))).toBe(structuredContent.partial);
    expect(lines.length).toBeGreaterThan(1);
    expect(await look("true", "getComputedStyle(document.documentElement).colorScheme")).toBe("dark");
    await run(`wear("light")`);
    await look(`getComputedStyle(document.documentElement).colorScheme === "light"`);
    expect(await look("true", "document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });

  it("text of strangers is text, and nothing of theirs runs", async () => {
    await open();
    const reply = await postMcp(app, callOf({ arguments: { tx_hash: stranger } }));
    await run(`give(${JSON.stringify(reply.json().result)})`);
    await look(drawn("wide"));
    expect(await look(`${at("summary")}.textContent`)).toContain(hostileStrings[0]);
    const found = await look(
      `[typeof window.pwned, document.scripts.length, document.images.length, document.querySelectorAll("svg").length, document.querySelectorAll("a, object, iframe, style").length]`,
    );
    expect(found).toEqual(["undefined", 1, 0, 2, 1]);
    expect(await run("typeof window.pwned")).toBe("undefined");
  });

  it("a drawing that is none of ours is not shown", async () => {
    const evil = '<svg xmlns="http://www.w3.org/2000/svg"><rect onclick="x()"/></svg>';
    for (const text of [
      evil,
      evil.replace("rect onclick", "a href"),
      evil.replace('rect onclick="x()"', "script"),
      "<svg",
    ]) {
      await open();
      await run(
        `bridge.onreadresource = () => Promise.resolve({ contents: [{ uri: "x#wide", text: ${JSON.stringify(text)} }] })`,
      );
      await call({ tx_hash: swap });
      await look(`${at("state")}.textContent.startsWith("There is no picture here.")`);
      expect(await look("true", `document.querySelectorAll("svg").length`)).toBe(0);
    }
  });

  it.each<[string, object, string]>([
    ["an error", { isError: true, content: [{ type: "text", text: "invalid_tx_hash: no." }] }, "invalid_tx_hash: no."],
    [
      "a challenge",
      { isError: true, content: [{ type: "text", text: "{}" }], structuredContent: { x402Version: 2 } },
      "A payment is asked for before this is answered.",
    ],
    ["nothing that it knows", { content: [] }, ""],
  ])("%s is told without a picture", async (_what, result, sentence) => {
    await open();
    await call({ tx_hash: swap });
    await look(drawn("wide"));
    await run(`give(${JSON.stringify(result)})`);
    await look(`${at("wide")}.childElementCount === 0`);
    expect(await look(`document.body.innerText.trim() || " "`)).toBe(sentence || " ");
  });

  it("where the host reads no resources, or the answer is not remembered, the app says so", async () => {
    await open({ capabilities: {} });
    await call({ tx_hash: swap });
    const says = `${at("state")}.textContent.startsWith("There is no picture here.")`;
    await look(says);
    await open();
    const short = shortenExplanation((await pictured(named("0x9f62d846"))).explanation);
    const forgotten = {
      content: [
        { type: "text", text: "x" },
        { type: "text", text: "{}" },
      ],
      structuredContent: short,
    };
    await run(`give(${JSON.stringify(forgotten)})`);
    await look(says);
    expect(await look(`${at("summary")}.textContent`)).toBe(short.summary);
  });

  it("nobody else was asked for anything, and no policy was broken", async () => {
    const own = [host.url, new URL("/", url).href, "data:", "about:"];
    expect(requests.length).toBeGreaterThan(10);
    expect(requests.filter((one) => !own.some((start) => one.startsWith(start)))).toEqual([]);
    expect(complaints.filter((text) => /Content.Security.Policy|refused|error/i.test(text))).toEqual([]);
  });
});
