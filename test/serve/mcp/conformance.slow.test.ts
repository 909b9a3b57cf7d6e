import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openServer } from "../../support/server.ts";
import { root } from "../../support/shared.ts";
import { fixtureTools } from "./fixture-tools.ts";

const suite = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** The checks that this server must pass, by protocol revision. It is not enough that they are absent from a list of known failures. */
const wanted = {
  "2025-11-25": [
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "dns-rebinding-protection",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "json-schema-2020-12",
  ],
  "2026-07-28": [
    "tools-list",
    "resources-list",
    "sep-2164-resource-not-found",
    "dns-rebinding-protection",
    "http-header-validation",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "json-schema-2020-12",
  ],
};

let app: FastifyInstance;
let port: string;

beforeAll(async () => {
  app = openServer({ moreTools: fixtureTools }).app;
  port = new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port;
});
afterAll(() => app.close());

/** Runs the official suite against the server and gives what it printed, without colours. */
async function run(revision: string): Promise<{ code: number; output: string }> {
  const baseline = join(root, `test/serve/mcp/conformance-${revision}.yml`);
  const url = `http://localhost:${port}/mcp`;
  const child = spawn(
    process.execPath,
    [suite, "server", "--url", url, "--requirements", revision, "--expected-failures", baseline],
    { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, NO_COLOR: "1" } },
  );
  const closed = once(child, "close");
  const printed = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await closed;
  return { code, output: printed.join("\n").replace(/\u001b\[[0-9;]*m/g, "") };
}

describe.each(Object.entries(wanted))("the conformance suite of %s", (revision, scenarios) => {
  it("finds what it should, and fails only where the baseline says so", { timeout: 60_000 }, async () => {
    const { code, output } = await run(revision);
    expect(code, output.slice(output.indexOf("SUMMARY"))).toBe(0);
    const passed = [...output.matchAll(/^✓ (\S+): [1-9]\d* passed, 0 failed$/gm)].map(([, scenario]) => scenario);
    expect(passed).toEqual(expect.arrayContaining(scenarios));
    if (revision === "2026-07-28") {
      expect(output).toContain("server-stateless: 24 passed, 4 failed");
      expect(output).toContain("caching: 7 passed, 1 failed");
    }
  });

  it("is told a reason for every expected failure", () => {
    const lines = readFileSync(join(root, `test/serve/mcp/conformance-${revision}.yml`), "utf8").split("\n");
    const start = lines.indexOf("server:") + 1;
    expect(lines[start]).toMatch(/^ {2}# \S/);
    for (const scenario of scenarios) expect(lines).not.toContain(`  - ${scenario}`);
  });
});
