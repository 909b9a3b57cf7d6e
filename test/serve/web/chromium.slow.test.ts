import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageStyles } from "../../../src/serve/http/routes/pages.ts";
import { drawPicture, narrowSize, wideSize } from "../../../src/serve/picture/picture.ts";
import { renderTransactionPage, type TransactionPage } from "../../../src/serve/web/transaction-page.ts";
import { openBrowser } from "../../support/browser.ts";
import { hostilePage, hostileStrings, recordedDir, recordedPages } from "../../support/recorded-pictures.ts";
import { openWebServer } from "../../support/web-server.ts";
import { findBarriers, findOverlaps, findPaleText } from "./page-checks.ts";

const browser = openBrowser();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pages = recordedPages();
const find = (start: string): [string, TransactionPage] =>
  [...pages].find(([hash]) => hash.startsWith(start)) as [string, TransactionPage];

/** Twelve kinds: swap, bridge, claim of 87 movements, mint, sale, loan, approval, revert, batch of operations, deployment, payment, transfer. */
const kinds = [
  ...["0x1dadb993", "0x3e88cd74", "0x6e52d9bc", "0x9f62d846", "0x14cdaa80", "0x90a83a26"],
  ...["0x17514223", "0xed2d1816", "0x13020b28", "0x031c3256", "0x2cd6b482", "0xf62feb7a"],
].map((start) => find(start)[0]);

let app: FastifyInstance;
let url: string;
let page: Page;
let close: () => Promise<void> = async () => {};
const requests: string[] = [];
const complaints: string[] = [];

describe.skipIf(typeof browser === "string")("in Chromium", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    app = openWebServer();
    url = await app.listen({ host: "127.0.0.1", port: 0 });
    ({ page, close } = await (browser as Exclude<typeof browser, string>).newPage(`${url}/`));
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  }, 60_000);
  afterAll(async () => {
    await close();
    await app?.close();
  });

  const look = async (width: number, scheme: "light" | "dark", media: "screen" | "print" = "screen") => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme, media });
  };

  /** Fills in the form of previews and sends it. */
  const paste = async (request: string, from: string, into = page) => {
    await into.goto(`${url}/preview`);
    const filled = Object.entries({ request, from }).map(
      ([id, value]) => `document.getElementById("${id}").value = ${JSON.stringify(value)}`,
    );
    const submit = `document.querySelector(".paste").submit()`;
    await Promise.all([into.waitForEvent("load"), into.evaluate([...filled, submit].join(";"))]);
  };

  it("shows 12 kinds at 360, 768 and 1280 px, light and dark, and printed, without overlaps", async () => {
    const found: string[] = [];
    for (const hash of kinds) {
      await page.goto(`${url}/tx/${hash}`);
      for (const [width, scheme, media] of looks) {
        await look(width, scheme, media);
        const bad = (await page.evaluate(findOverlaps)) as string[];
        found.push(...bad.map((one) => `${hash} ${width} ${scheme} ${media}: ${one}`));
      }
    }
    expect(found).toEqual([]);
  });

  it("has no barrier that axe-core finds, light and dark, on the phone too", async () => {
    const found: string[] = [];
    const paths = [
      ...kinds.map((hash) => `/tx/${hash}`),
      "/",
      "/protocols",
      "/protocols/morpho",
      "/preview",
      "/tx/foo",
      "/nothing/here",
    ];
    for (const path of paths) {
      await page.goto(`${url}${path}`);
      await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
      // The debugger runs it. The page's own policy does not apply to the debugger.
      await page.evaluate(`${axe}; undefined`);
      await look(1280, "light");
      const bad = (await page.evaluate(findBarriers)) as string[];
      await look(360, "dark");
      bad.push(...((await page.evaluate(findPaleText)) as string[]));
      found.push(...bad.map((one) => `${path}: ${one}`));
    }
    expect(found).toEqual([]);
  });

  it("asks no other host for anything, and breaks no policy of its own", () => {
    expect(requests.length).toBeGreaterThan(20);
    expect(requests.filter((one) => !one.startsWith(`${url}/`))).toEqual([]);
    expect(complaints.filter((text) => /Content.Security.Policy|^error:/i.test(text))).toEqual([]);
  });

  it("has no overlap in any recording, at both widths", async () => {
    const drawings = [...pages].map(
      ([hash, one]) => `<h2>${hash}</h2>${drawPicture(one, wideSize)}${drawPicture(one, narrowSize)}`,
    );
    const all = `<!doctype html><meta charset="utf-8"><style>${pageStyles}</style>${drawings.join("")}`;
    await page.goto("about:blank");
    await page.evaluate(`document.write(${JSON.stringify(all)}); document.close()`);
    for (const width of [1280, 360]) {
      await look(width, "light");
      expect(await page.evaluate(findOverlaps)).toEqual([]);
    }
    await page.evaluate(`document.querySelector("svg.narrow text:nth-of-type(2)").setAttribute("x", "90")`);
    await page.evaluate(
      `document.querySelectorAll("svg.narrow text").forEach((t) => t.setAttribute("font-size", "40"))`,
    );
    expect(await page.evaluate(findOverlaps)).not.toEqual([]);
  });

  it("runs nothing that strangers wrote, and lays their text out", async () => {
    const text = renderTransactionPage(hostilePage(find("0x1dadb993")[1]));
    const own = text
      .replace(/<link rel="(?:stylesheet|icon)"[^>]*>/g, "")
      .replace("</head>", `<style>${pageStyles}</style></head>`);
    await page.goto("about:blank");
    await page.evaluate(`document.write(${JSON.stringify(own)}); document.close()`);
    for (const [width, scheme] of looks) {
      await look(width, scheme);
      expect(await page.evaluate(findOverlaps)).toEqual([]);
    }
    expect(await page.evaluate("[typeof window.pwned, document.scripts.length, document.images.length]")).toEqual([
      "undefined",
      0,
      0,
    ]);
  });

  it("shows what is to be signed as it shows everything else", async () => {
    const found: string[] = [];
    requests.length = 0;
    for (const [name, request, from] of plannedForms()) {
      await paste(request, from);
      expect(await page.evaluate("location.pathname"), name).toBe("/preview/page");
      for (const [width, scheme, media] of looks) {
        await look(width, scheme, media);
        const bad = (await page.evaluate(findOverlaps)) as string[];
        found.push(...bad.map((one) => `${name} ${width} ${scheme} ${media}: ${one}`));
      }
      await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
      await page.evaluate(`${axe}; undefined`);
      await look(1280, "light");
      const bad = (await page.evaluate(findBarriers)) as string[];
      await look(360, "dark");
      bad.push(...((await page.evaluate(findPaleText)) as string[]));
      found.push(...bad.map((one) => `${name}: ${one}`));
      expect(await page.evaluate("[typeof window.pwned, document.scripts.length]"), name).toEqual(["undefined", 0]);
    }
    expect(found).toEqual([]);
    expect(requests.filter((one) => !one.startsWith(`${url}/`))).toEqual([]);
  });

  it("works without script: a pasted link leads to the page, and the form to its answer", async () => {
    const opened = await (browser as Exclude<typeof browser, string>).newPage(`${url}/`, { script: false });
    const [hash] = find("0x1dadb993");
    const pasted = encodeURIComponent(`  https://explorer.example/tx/${hash.toUpperCase().replace("0X", "0x")} `);
    await opened.page.goto(`${url}/tx?q=${pasted}`);
    expect(await opened.page.evaluate("[location.pathname, document.querySelectorAll('svg').length]")).toEqual([
      `/tx/${hash}`,
      2,
    ]);
    await paste(plannedForms()[0]?.[1] as string, "", opened.page);
    expect(await opened.page.evaluate("document.querySelectorAll('svg.plan').length")).toBe(2);
    await opened.close();
  });

  it("shows the reference of the API from this host alone", async () => {
    requests.length = 0;
    complaints.length = 0;
    await page.goto(`${url}/docs`);
    const shown = `new Promise((done) => { const look = () => document.querySelector(".opblock") ? done(document.querySelector("#reference").textContent) : requestAnimationFrame(look); look(); })`;
    expect(await page.evaluate(shown)).toContain("/explain");
    expect(requests.filter((one) => !one.startsWith(url) && !one.startsWith("data:"))).toEqual([]);
    expect(complaints.filter((text) => /Content.Security.Policy|^error:/i.test(text))).toEqual([]);
  });
});

/** A simulated transaction, one that was not simulated, a known message, and one that a stranger wrote. */
function plannedForms(): [name: string, request: string, from: string][] {
  const me = `0x${"1".repeat(40)}`;
  const domain = { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: usdc };
  const uints = ["value", "nonce", "deadline"].map((name) => ({ name, type: "uint256" }));
  const addresses = ["owner", "spender"].map((name) => ({ name, type: "address" }));
  const spender = `0x${"2".repeat(40)}`;
  const permit = {
    types: { EIP712Domain: domainType, Permit: [...addresses, ...uints] },
    ...{ primaryType: "Permit", domain },
    message: { owner: me, spender, value: String(2n ** 256n - 1n), nonce: 0, deadline: 1_900_000_000 },
  };
  const strange = {
    types: { EIP712Domain: domainType, Note: hostileStrings.map((_, i) => ({ name: `note${i}`, type: "string" })) },
    ...{ primaryType: "Note", domain: { ...domain, name: hostileStrings[0] } },
    message: Object.fromEntries(hostileStrings.map((text, i) => [`note${i}`, text.toWellFormed()])),
  };
  const write = (start: string, more: object) => {
    const { transaction } = JSON.parse(readFileSync(join(recordedDir, `${find(start)[0]}.json`), "utf8"));
    const { from, to, value, input } = transaction;
    return JSON.stringify({ from, to, value, input, ...more }, null, 2);
  };
  return [
    ["swap", write("0x1dadb993", {}), ""],
    ["approval by its calldata", write("0x17514223", { nonce: 1 }), ""],
    ["permit", JSON.stringify(permit, null, 2), me],
    ["strange message", JSON.stringify(strange), me],
    ["no JSON", hostileStrings.join("\n"), me],
  ];
}

const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const domainType = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
];

const looks = [
  [360, "light", "screen"],
  [360, "dark", "screen"],
  [768, "light", "screen"],
  [768, "dark", "screen"],
  [1280, "light", "screen"],
  [1280, "dark", "screen"],
  [1280, "light", "print"],
] as const;

describe("Chromium", () => {
  it.runIf(typeof browser === "string")("is not here", (context) => context.skip(String(browser)));
});
