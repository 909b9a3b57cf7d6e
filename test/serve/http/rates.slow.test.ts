import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ErrorCode, ServiceError } from "../../../src/kernel/error.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import { openVisitors } from "../../../src/serve/access/quota/visitors.ts";
import type { VisitorSettings } from "../../../src/serve/settings/visitor-settings.ts";
import { startMain } from "../../support/main-process.ts";
import { both, callOf } from "../../support/mcp-message.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { openServer } from "../../support/server.ts";
import { root } from "../../support/shared.ts";

/** An open server with limits, and a clock that stands still. */
function open(settings: Partial<VisitorSettings>, { gather }: { gather?: (hash: Hash) => Promise<never> } = {}) {
  const all = { rateLimitPerMinute: 0, openCallsPerMinute: 0, trustProxy: [], ...settings };
  const clock = { now: 1_700_000_000_000 };
  const settled = async (hash: Hash) => ({ ...caseFileOf(hash), block: { number: "0x1", timestamp: "0x1" } as const });
  const visitors = openVisitors(all, () => clock.now);
  const server = openServer({ visitors, gather: gather ?? settled });
  const explain = (number: number, headers: Record<string, string> = {}, remoteAddress = "203.0.113.7") =>
    server.app.inject({
      ...{ method: "POST", url: "/explain", remoteAddress, payload: JSON.stringify({ tx_hash: hashOf(number) }) },
      headers: { "content-type": "application/json", ...headers },
    });
  const say = (message: unknown, headers: Record<string, string> = {}) =>
    server.app.inject({
      ...{ method: "POST", url: "/mcp", remoteAddress: "203.0.113.7", headers: { ...both, ...headers } },
      payload: typeof message === "string" ? message : JSON.stringify(message),
    });
  return { ...server, clock, explain, say };
}

const statuses = async (count: number, ask: (number: number) => Promise<{ statusCode: number }>) => {
  const seen: number[] = [];
  for (let number = 1; number <= count; number++) seen.push((await ask(number)).statusCode);
  return seen;
};
const listTools = { jsonrpc: "2.0", id: 7, method: "tools/list" };
const callTool = (number: number) => callOf({ name: "explain_transaction", arguments: { tx_hash: hashOf(number) } });

describe("an open server with limits", () => {
  it("gathers a limited number of explanations for one client per minute; remembered answers are not limited", async () => {
    const { clock, explain, gathered } = open({ openCallsPerMinute: 3 });
    expect(await statuses(5, explain)).toEqual([200, 200, 200, 429, 429]);
    const refused = await explain(4);
    expect(refused.json()).toMatchObject({ error: "rate_limited", retryable: true });
    expect(refused.headers).toMatchObject({ "retry-after": "20", connection: "close" });
    expect((await explain(1)).statusCode).toBe(200);
    expect((await explain(4, {}, "203.0.113.8")).statusCode).toBe(200);
    clock.now += 20_000;
    expect(await statuses(2, (number) => explain(number + 4))).toEqual([200, 429]);
    expect(gathered).toHaveLength(5);
  });

  it("counts what had to be gathered, though the caller says that it has it", async () => {
    const { explain, gathered } = open({ openCallsPerMinute: 3 });
    const seen = await statuses(126, (number) => explain(number, { "if-none-match": "*" }));
    expect([seen.slice(0, 4), new Set(seen.slice(3))]).toEqual([[304, 304, 304, 429], new Set([429])]);
    expect(gathered).toHaveLength(3);
  });

  it("counts HTTP and MCP together", async () => {
    const { explain, gathered, say } = open({ openCallsPerMinute: 3 });
    expect(await statuses(2, explain)).toEqual([200, 200]);
    expect((await say(callTool(3))).json().result.isError).toBeUndefined();
    const refused = (await say(callTool(4))).json().result;
    expect(refused.isError).toBe(true);
    expect(refused.content[0].text).toMatch(/^rate_limited: /);
    expect((await explain(5)).statusCode).toBe(429);
    expect(gathered).toHaveLength(3);
  });

  it("believes X-Forwarded-For of its own proxies only", async () => {
    const from = (number: number) => ({ "x-forwarded-for": `198.51.100.${number}` });
    const alone = open({ openCallsPerMinute: 1 });
    expect(await statuses(3, (number) => alone.explain(number, from(number)))).toEqual([200, 429, 429]);
    const behind = open({ openCallsPerMinute: 1, trustProxy: ["203.0.113.0/24"] });
    expect(await statuses(3, (number) => behind.explain(number, from(number)))).toEqual([200, 200, 200]);
    expect((await behind.explain(4, from(1))).statusCode).toBe(429);
  });

  it("limits requests that end without an explanation, and forgives failures of its own at first", async () => {
    const failing = (code: ErrorCode) => ({ gather: async () => Promise.reject(new ServiceError(code)) });
    const unknown = open({ rateLimitPerMinute: 4 }, failing("transaction_not_found"));
    expect(await statuses(6, unknown.explain)).toEqual([404, 404, 404, 404, 429, 429]);
    const broken = open({ rateLimitPerMinute: 4 }, failing("upstream_unavailable"));
    expect(await statuses(7, broken.explain)).toEqual([503, 503, 503, 503, 503, 429, 429]);
    expect(broken.gathered).toHaveLength(5);
  });

  it("answers correct calls after any number of mistakes, over HTTP and MCP", async () => {
    const { explain, say } = open({ rateLimitPerMinute: 120 });
    const wrong = (number: number) => (number % 2 ? explain(1, { "content-encoding": "gzip" }) : say("{"));
    const seen = await statuses(130, wrong);
    expect(seen.filter((status) => status === 429)).toHaveLength(10);
    expect((await explain(1)).statusCode).toBe(200);
    expect((await say(callTool(2))).json().result.isError).toBeUndefined();
    expect((await say(listTools)).statusCode).toBe(200);
  });

  it("limits what is asked at other paths of the same client", async () => {
    const { app, explain } = open({ rateLimitPerMinute: 2 });
    const wrong = () => explain(1, { "content-encoding": "gzip" });
    expect(await statuses(4, wrong)).toEqual([415, 415, 429, 429]);
    const pass = await app.inject({ method: "POST", url: "/pass", remoteAddress: "203.0.113.7" });
    expect(pass.statusCode).toBe(429);
  });
});

describe("the product as it starts", () => {
  it("limits open clients by its settings, and tells them apart behind a proxy", async () => {
    const main = await startMain({ OPEN_CALLS_PER_MINUTE: "1", TRUST_PROXY: "loopback" });
    onTestFinished(() => void main.child.kill("SIGKILL"));
    const [first, second] = readdirSync(join(root, "test/transactions")).map((name) => name.replace(".json", ""));
    const explain = async (hash: string | undefined, client: string) => {
      const headers = { "content-type": "application/json", "x-forwarded-for": client };
      const body = JSON.stringify({ tx_hash: hash });
      return (await fetch(`${main.url}/explain`, { method: "POST", headers, body })).status;
    };
    expect(await explain(first, "198.51.100.1")).toBe(200);
    expect(await explain(second, "198.51.100.1")).toBe(429);
    expect(await explain(second, "198.51.100.2")).toBe(200);
    expect(await explain(second, "198.51.100.1")).toBe(200);
  });
});

describe("MCP messages that ask for no explanation", () => {
  const perRequest = 1 / serviceLimits.messageWeight;

  it.each([
    ["tools/list", listTools, 200],
    [
      "initialize",
      {
        ...listTools,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      },
      200,
    ],
    ["resources/read", { ...listTools, method: "resources/read", params: { uri: "txgloss://nothing" } }, 200],
    ["a method that there is not", { ...listTools, method: "nothing/at-all" }, 200],
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }, 202],
  ])("count a quarter of a request: %s", async (_what, message, answered) => {
    const { clock, say } = open({ rateLimitPerMinute: 2 });
    const seen = await statuses(2 * perRequest + 2, () => say(message));
    // Below one whole request the client has to wait.
    expect(seen.indexOf(429)).toBe(perRequest + 1);
    expect(new Set(seen.slice(0, perRequest + 1))).toEqual(new Set([answered]));
    const refused = await say(message);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "8"]);
    expect(refused.json()).toMatchObject({ id: "id" in message ? 7 : null, error: { code: -32_000 } });
    expect(refused.json().error.message).toMatch(/^rate_limited: /);
    clock.now += 8_000;
    expect((await say(message)).statusCode).toBe(answered);
  });

  it.each([
    ["no JSON", "{"],
    ["a batch", [listTools, listTools, listTools]],
  ])("count a whole one when they cannot be read: %s", async (_what, message) => {
    const { say } = open({ rateLimitPerMinute: 2 });
    expect(await statuses(4, () => say(message))).toEqual([400, 400, 429, 429]);
  });

  it("count for calls of no tool, and not for calls of one", async () => {
    const { gathered, say } = open({ rateLimitPerMinute: 2 });
    const outcomes: number[] = [];
    const unknown = { ...callTool(1), params: { name: "unknown", arguments: {} } };
    for (let call = 0; call < 9; call++) outcomes.push((await say(callTool(1))).statusCode);
    for (let call = 0; call < 9; call++) outcomes.push((await say(unknown)).statusCode);
    expect(new Set(outcomes.slice(0, 9))).toEqual(new Set([200]));
    expect(outcomes.at(-1)).toBe(429);
    expect(gathered).toEqual([hashOf(1)]);
  });
});
