import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { startMain } from "../support/main-process.ts";
import { type ConnectMcp, mcpClients } from "../support/mcp-client.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

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
