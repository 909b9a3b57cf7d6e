import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileRules } from "../../src/engine/compile-rules.ts";
import { openEngine } from "../../src/engine/engine.ts";
import { findSources } from "../../src/tools/lint/sources.ts";
import { alice } from "../engine/assess/scene.ts";
import { permitSingle } from "../rules/typed-data/sample.ts";
import { openBrowser } from "../support/browser.ts";
import { root } from "../support/shared.ts";
import { findWorkerd } from "../support/workerd.ts";

const recorded = join(root, "test/transactions");
const transactions = readdirSync(recorded)
  .filter((name) => name.endsWith(".json"))
  .map((name) => readFileSync(join(recorded, name), "utf8"));
/** What is to be signed is decided there too. */
const message = JSON.stringify({ from: alice, typed_data: permitSingle() });
const cases = [...transactions, message];

/** The program for every runtime. It gives the bytes of the answer and of its evidence for the text of a case file. */
const program = `
import { createEngine } from "${join(root, "src/tools/library/decide.ts")}";
import { createMessageEngine } from "${join(root, "src/tools/library/decide-message.ts")}";
export function open(compiled) {
  const engine = createEngine({ compiled });
  const messages = createMessageEngine({ compiled });
  return (text) => {
    const input = JSON.parse(text);
    if ("typed_data" in input) return JSON.stringify(messages.decideMessage(input));
    const { explanation, evidence } = engine.decide(input);
    return JSON.stringify([explanation, evidence()]);
  };
}
`;

const dir = mkdtempSync(join(tmpdir(), "txgloss-runtimes-"));
let expected: string[];
let code: string;
let rules: string;

beforeAll(async () => {
  const engine = openEngine({ rulesDir: join(root, "rules"), labelsDir: join(root, "labels") });
  expected = transactions.map((text) => {
    const { explanation, evidence } = engine.decide(JSON.parse(text));
    return JSON.stringify([explanation, evidence()]);
  });
  expected.push(JSON.stringify(engine.decideMessage(JSON.parse(message))));
  const sources = findSources(["rules", "labels"].map((name) => join(root, name)));
  rules = JSON.stringify(compileRules(sources));
  writeFileSync(join(dir, "program.js"), program);
  const bundle = await rolldown({ input: join(dir, "program.js"), cwd: root, platform: "browser" });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  code = output[0].code;
}, 120_000);

describe("the bytes of every recorded transaction are the same", { timeout: 180_000 }, () => {
  const browser = openBrowser();
  it.skipIf(typeof browser === "string")(`in Chromium${told(browser)}`, async () => {
    if (typeof browser === "string") return;
    const server = await serve({
      "/program.js": ["text/javascript", code],
      "/rules.json": ["application/json", rules],
      "/cases.json": ["application/json", JSON.stringify(cases)],
    });
    const { page, close } = await browser.newPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    // It is text, because the test runner rewrites the imports of functions.
    const answers = (await page.evaluate(`(async () => {
      const { open } = await import("/program.js");
      const read = async (path) => (await fetch(path)).json();
      return (await read("/cases.json")).map(open(await read("/rules.json")));
    })()`)) as string[];
    await close();
    server.close();
    expect(firstDifference(answers)).toBe("");
  });

  const workerd = findWorkerd();
  it.skipIf(workerd.path === null)(`in workerd${workerd.why}`, async () => {
    writeFileSync(join(dir, "open.js"), code);
    writeFileSync(join(dir, "rules.json"), rules);
    writeFileSync(join(dir, "worker.js"), worker);
    writeFileSync(join(dir, "config.capnp"), workerConfig);
    const child = spawn(workerd.path as string, ["serve", "config.capnp", "--control-fd=1"], { cwd: dir });
    const port = await listening(child.stdout);
    const answers: string[] = [];
    for (const text of cases) {
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: text });
      answers.push(await response.text());
    }
    child.kill();
    expect(firstDifference(answers)).toBe("");
  });
});

/** The place where the first different answer begins to differ, because whole answers are too long to read. */
function firstDifference(answers: readonly string[]): string {
  const i = expected.findIndex((text, at) => text !== answers[at]);
  if (i < 0) return "";
  const [wanted = "", got = ""] = [expected[i], answers[i]];
  const at = [...wanted].findIndex((char, place) => char !== got[place]);
  return `case ${i}: …${got.slice(Math.max(0, at - 60), at + 60)}… instead of …${wanted.slice(at, at + 60)}…`;
}

/** The reason why a runtime is left out is part of the test's name. */
function told(browser: unknown): string {
  return typeof browser === "string" ? ` (${browser})` : "";
}

const worker = `
import { open } from "./open.js";
import rules from "./rules.json";
let answer;
export default {
  async fetch(request) {
    answer ??= open(rules);
    const text = await request.text();
    try {
      return new Response(answer(text));
    } catch (error) {
      return new Response(error.stack);
    }
  },
};
`;

const workerConfig = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
  compatibilityDate = "2026-01-01",
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "open.js", esModule = embed "open.js"),
    (name = "rules.json", json = embed "rules.json"),
  ],
);
`;

/** The port that workerd tells on its control stream. */
async function listening(output: NodeJS.ReadableStream): Promise<number> {
  for await (const line of createInterface(output)) {
    const event = JSON.parse(line) as { event: string; port: number };
    if (event.event === "listen") return event.port;
  }
  throw new Error("workerd did not start");
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
});

async function serve(files: Record<string, [type: string, body: string]>): Promise<Server> {
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? ""] ?? ["text/html", "<!doctype html><title>runtimes</title>"];
    response.writeHead(200, { "content-type": type }).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
