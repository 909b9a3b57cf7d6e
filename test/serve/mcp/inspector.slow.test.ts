import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { explanationOf, hashOf } from "../../support/sample.ts";
import { openServer } from "../../support/server.ts";
import { root } from "../../support/shared.ts";

const inspector = join(root, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");

let app: FastifyInstance;
let url: string;
let home: string;

beforeAll(async () => {
  app = openServer({ pictures: true }).app;
  url = await app.listen({ host: "127.0.0.1", port: 0 });
  home = mkdtempSync(join(tmpdir(), "txgloss-inspector-"));
});
afterAll(async () => {
  await app.close();
  rmSync(home, { recursive: true });
});

async function inspect(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [inspector, "--cli", `${url}/mcp`, "--transport", "http", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, HOME: home, NO_COLOR: "1" },
  });
  const closed = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await closed;
  return { code, stdout, stderr };
}

describe.each(["legacy", "modern"])("MCP Inspector's command line, %s era", (era) => {
  it("finds no error in the tools, strictly", { timeout: 60_000 }, async () => {
    const { code, stdout, stderr } = await inspect("--method", "tools/list", "--strict", "--protocol-era", era);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).tools.map((tool: { name: string }) => tool.name)).toEqual([
      "explain_transaction",
      "buy_pass",
    ]);
    expect(stderr).toMatch(/(?:^|\n)0 errors/);
  });

  it("explains a transaction", { timeout: 60_000 }, async () => {
    const call = ["--method", "tools/call", "--tool-name", "explain_transaction", "--protocol-era", era];
    const { code, stdout } = await inspect(...call, "--tool-arg", `tx_hash=${hashOf(1)}`);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).structuredContent).toEqual(explanationOf(hashOf(1)));
    expect((await inspect(...call, "--tool-arg", "tx_hash=0x12")).code).toBe(5);
  });
});

it("finds the page that draws results, and that it asks for nothing", { timeout: 60_000 }, async () => {
  const tool = ["--method", "tools/call", "--tool-name", "explain_transaction"];
  const { code, stdout, stderr } = await inspect(...tool, "--app-info", "--advertise-apps");
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ hasApp: true, toolName: "explain_transaction", resourceUri: "ui://txgloss/transaction" },
    ...{ csp: { connectDomains: [], resourceDomains: [] }, resourceMimeType: "text/html;profile=mcp-app" },
  });
  expect(JSON.parse(stdout).permissions ?? {}).toEqual({});
});
