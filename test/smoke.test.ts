import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { startMain } from "./support/main-process.ts";
import { type ConnectMcp, mcpClients } from "./support/mcp-client.ts";
import { newDirectory, passSecret, payTo } from "./support/metered-server.ts";
import { root } from "./support/shared.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

// The one test of the quick tier that starts a process.
it("the product serves both servers with the shipped rules, says where, and stops", async () => {
  const { child, url, greeting } = await startMain();
  started.push(child);
  const [, place] = /MCP clients connect to (\S+)/.exec(greeting) ?? [];
  expect(place).toBe(`${url}/mcp`);
  const [body] = /\{"tx_hash":"0x[0-9a-f]{64}"\}/.exec(greeting) ?? [];
  const headers = { "content-type": "application/json" };
  const explained = await (await fetch(`${url}/explain`, { method: "POST", headers, body: String(body) })).text();
  for (const connect of Object.values<ConnectMcp>(mcpClients)) {
    const client = await connect(String(place));
    expect(await client.listTools()).toHaveLength(4);
    const answer = await client.call("explain_transaction", JSON.parse(String(body)));
    expect(JSON.stringify(answer.structuredContent)).toBe(explained);
    const { protocols } = JSON.parse(await client.readResource("txgloss://rules"));
    expect(protocols.length).toBeGreaterThan(20);
    await client.close();
  }
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
});

it("the product asks for a price when the free calls are used up", async () => {
  const { child, url } = await startMain({
    ...{ X402_PAY_TO: payTo, X402_FACILITATOR: "http", X402_FACILITATOR_URL: "http://127.0.0.1:9" },
    ...{
      PASS_SECRET: passSecret,
      DATA_DIR: newDirectory(),
      RECORDINGS_DIR: join(root, "test/transactions"),
      FREE_CALLS_PER_DAY: "1",
    },
  });
  started.push(child);
  const [recorded = ""] = readdirSync(join(root, "test/transactions"));
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ tx_hash: recorded.replace(".json", "") });
  const ask = () => fetch(`${url}/explain`, { method: "POST", headers, body });
  expect((await ask()).status).toBe(200);
  const asked = await ask();
  expect([asked.status, asked.headers.has("payment-required")]).toEqual([402, true]);
});
