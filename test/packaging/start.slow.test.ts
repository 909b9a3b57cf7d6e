import { type ChildProcess, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { runMain, startMain } from "../support/main-process.ts";
import { hashOf } from "../support/sample.ts";
import { compileSchema } from "../support/schema.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

// biome-ignore lint/suspicious/noExplicitAny: answers are compared by their fields.
const readJson = (response: Response): Promise<any> => response.json();

async function start(env: Record<string, string> = {}) {
  const main = await startMain(env);
  started.push(main.child);
  return main;
}

describe("npm start", () => {
  it("prints a curl line that works without any network", async () => {
    const { greeting } = await start();
    expect(greeting).toContain("curl");
    const [, url, type, body] = /curl -s (\S+) -H '([^']+)' -d '([^']+)'/.exec(greeting) ?? [];
    const [name, value] = String(type).split(": ") as [string, string];
    const response = await fetch(String(url), { method: "POST", headers: { [name]: value }, body: String(body) });
    expect(response.status).toBe(200);
    const isExplanation = compileSchema("explanation");
    expect(isExplanation(await response.json()), JSON.stringify(isExplanation.errors)).toBe(true);
  });

  it("lists its actions, is healthy, and tells that no source answered", async () => {
    const { url } = await start({ RECORDINGS_DIR: "" });
    const document = await readJson(await fetch(`${url}/openapi.json`));
    expect(document.components.schemas.Explanation.properties.action_type.enum).toContain("swap");
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ tx_hash: hashOf(1) });
    const failed = await fetch(`${url}/explain`, { method: "POST", headers, body });
    expect([failed.status, (await readJson(failed)).error]).toEqual([503, "upstream_unavailable"]);
    expect(failed.headers.get("retry-after")).toMatch(/^\d+$/);
    const health = await readJson(await fetch(`${url}/healthz`));
    expect(compileSchema("health")(health)).toBe(true);
    expect(health).toMatchObject({ status: "degraded", ready: true, explanations: { upstream_unavailable: 1 } });
    expect(health.degraded).toMatchObject([{ part: "rpc", name: "127.0.0.1:9", reason: expect.any(String) }]);
  });

  it("prints an address that works when it listens on all of them", async () => {
    const { url, greeting } = await start({ RECORDINGS_DIR: "", HOST: "0.0.0.0" });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(greeting).toContain("every other address of this machine: HOST=0.0.0.0");
    expect(greeting).not.toContain("//0.0.0.0");
    expect((await fetch(url)).status).toBe(200);
  });

  it("starts by src/main.ts too, where harnesses outside look for the entry", async () => {
    const { child, url } = await startMain({}, "src/main.ts");
    started.push(child);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it("stops with 0 on SIGTERM", async () => {
    const { child } = await start({ RECORDINGS_DIR: "" });
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
  });
});

describe("a start that cannot be", () => {
  it("ends with 2 and lists every bad setting", async () => {
    const { code, stdout, stderr } = await runMain({ PORT: "x", LOG_LEVEL: "loud" });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/PORT.*\n.*LOG_LEVEL/);
    expect(stderr).not.toMatch(/\bat .*\.ts/);
  });

  it("ends with 2 when a variable is a mistyped setting", async () => {
    const { code, stdout, stderr } = await runMain({ RPC_URL: "https://rpc.example/key-1234" });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("RPC_URL: is no setting; did you mean RPC_URLS?");
    expect(stderr).not.toContain("key-1234");
  });

  it("ends with 2 and the place of a mistake in the rules", async () => {
    const rules = mkdtempSync(join(tmpdir(), "txgloss-rules-"));
    writeFileSync(join(rules, "broken.yaml"), "protocol: broken\nnonsense: 1\n");
    const { code, stderr } = await runMain({ RECORDINGS_DIR: "", RULES_DIR: rules });
    expect(code).toBe(2);
    expect(stderr).toMatch(/broken\.yaml:\d+:\d+ RL\d+/);
    rmSync(rules, { recursive: true });
  });

  it("ends with 1 when the port is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as { port: number };
    const { code, stderr } = await runMain({ RECORDINGS_DIR: "", PORT: String(port) });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Cannot listen on 127.0.0.1:${port}`)]);
    taken.close();
  });
});

it("runs on the Node that the package pins", () => {
  const { stdout } = spawnSync("node", ["--version"], { encoding: "utf8" });
  expect(Number(/^v(\d+)/.exec(stdout)?.[1])).toBeGreaterThanOrEqual(22);
});
