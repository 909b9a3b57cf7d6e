import { RESOURCE_MIME_TYPE } from "@modelcontextprotocol/ext-apps/server";
import type { FastifyInstance } from "fastify";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shortenExplanation } from "../../../src/serve/mcp/short-explanation.ts";
import { narrowSize, pictureFile, wideSize } from "../../../src/serve/picture/picture.ts";
import { serveAppHost } from "../../support/app-host.ts";
import { openBrowser } from "../../support/browser.ts";
import { callOf, postMcp } from "../../support/mcp-message.ts";
import { hostileStrings } from "../../support/recorded-pictures.ts";
import { approval, named, pictured, startPictureServer, stranger, swap } from "./picture-server.ts";

let app: FastifyInstance;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startPictureServer());
});
afterAll(() => app.close());

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

  it("a drawing that is not ours is not shown", async () => {
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

  it("no other host got a request, and no policy was broken", async () => {
    const own = [host.url, new URL("/", url).href, "data:", "about:"];
    expect(requests.length).toBeGreaterThan(10);
    expect(requests.filter((one) => !own.some((start) => one.startsWith(start)))).toEqual([]);
    expect(complaints.filter((text) => /Content.Security.Policy|refused|error/i.test(text))).toEqual([]);
  });
});
