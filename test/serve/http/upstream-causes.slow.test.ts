import type { ChildProcess } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { reasonOfError, reasonOfStatus } from "../../../src/gather/network/health/fault-reason.ts";
import { startMain } from "../../support/main-process.ts";
import { hashOf } from "../../support/sample.ts";
import { compileSchema } from "../../support/schema.ts";

const isHealth = compileSchema("health");
const key = "v2/key-1234?token=key-5678";

/** How the endpoint of each path answers a batch. */
const manners: Record<string, (response: ServerResponse, calls: { id: number }[]) => void> = {
  wrong: (response, calls) =>
    send(
      response,
      200,
      calls.map(({ id }) => ({ jsonrpc: "2.0", id, result: "0x1" })),
    ),
  unauthorized: (response) =>
    send(response, 401, { jsonrpc: "2.0", id: null, error: { code: -32_000, message: "bad key" } }),
  busy: (response) => send(response, 429, { error: "slow down" }),
  broken: (response) => send(response, 502, "<html>"),
  garbage: (response) => send(response, 200, "<html>"),
  hang: () => {},
};

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

let server: ReturnType<typeof createServer>;
let host: string;
const started: ChildProcess[] = [];

beforeEach(async () => {
  server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    manners[String(request.url).split("/")[1] as string]?.(response, JSON.parse(text));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  server.closeAllConnections();
  server.close();
});

describe("why an endpoint gives nothing", { timeout: 60_000 }, () => {
  it.each([
    ["of another chain", () => `http://${host}/wrong/${key}`, "wrong_chain"],
    ["that refuses the key", () => `http://${host}/unauthorized/${key}`, "unauthorized"],
    ["that asks for a pause", () => `http://${host}/busy/${key}`, "busy"],
    ["that breaks", () => `http://${host}/broken/${key}`, "server_error"],
    ["that answers nonsense", () => `http://${host}/garbage/${key}`, "garbage"],
    ["that does not answer", () => `http://${host}/hang/${key}`, "timeout"],
    ["whose name nobody knows", () => `http://nobody.invalid/${key}`, "dns"],
    ["that speaks no TLS", () => `https://${host}/${key}`, "tls"],
    ["behind a closed port", () => `http://127.0.0.1:4/${key}`, "unreachable"],
  ])("one %s: in the log, in /healthz and in the error, without the key", async (_name, urlOf, reason) => {
    const url = urlOf();
    const name = new URL(url).host;
    // Long enough for a busy machine that starts a process, where no timeout is wanted.
    const timeout = reason === "timeout" ? "300" : "7000";
    const settings = { RPC_URLS: url, RPC_TIMEOUT_MS: timeout, RECORDINGS_DIR: "", LOG_LEVEL: "warn" };
    const main = await startMain(settings);
    started.push(main.child);
    const lines: Record<string, unknown>[] = [];
    const output = createInterface(main.child.stderr as NodeJS.ReadableStream);
    output.on("line", (line) => lines.push(JSON.parse(line)));

    const response = await fetch(`${main.url}/explain`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ tx_hash: hashOf(1) }),
    });
    const failure = (await response.json()) as { error: string; message: string };
    expect([response.status, failure.error]).toEqual([503, "upstream_unavailable"]);
    expect(failure.message).toBe(`No chain source answered: ${name}: ${reason}.`);

    const health = (await (await fetch(`${main.url}/healthz`)).json()) as { degraded: object[] };
    expect(isHealth(health), JSON.stringify(isHealth.errors)).toBe(true);
    expect(health.degraded).toEqual([{ part: "rpc", name, reason, since: expect.any(String) }]);

    const find = (event: string, outcome: string) =>
      lines.find((line) => line.event === event && line.outcome === outcome);
    while (find("refused", failure.error) === undefined) await new Promise((resolve) => setImmediate(resolve));
    expect(find("endpoint", reason)).toMatchObject({ level: "warn", kind: "rpc", name });
    expect(find("refused", failure.error)).toMatchObject({ level: "warn", tx_hash: hashOf(1), cause: failure.message });
    expect(JSON.stringify([lines, health, failure])).not.toMatch(/key-/);
  });
});

describe("what fetch tells", () => {
  const failed = (code: string) => new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code }) });
  it.each([
    ["ENOTFOUND", "dns"],
    ["EAI_AGAIN", "dns"],
    ["CERT_HAS_EXPIRED", "tls"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "tls"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
    ["ETIMEDOUT", "timeout"],
    ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
    ["ECONNREFUSED", "unreachable"],
    ["UND_ERR_SOCKET", "unreachable"],
    ["ESTRANGE", "failing"],
  ])("%s is %s", (code, reason) => {
    expect(reasonOfError(failed(code))).toBe(reason);
  });

  it("several addresses of one name count as the first; a caller that gave up is no fault", () => {
    const each = Object.assign(new Error("x"), { code: "ECONNREFUSED" });
    expect(reasonOfError(new TypeError("fetch failed", { cause: new AggregateError([each]) }))).toBe("unreachable");
    expect(reasonOfError(new DOMException("x", "AbortError"))).toBeUndefined();
    expect(reasonOfError(new DOMException("x", "TimeoutError"))).toBe("timeout");
    expect(reasonOfError("x")).toBe("failing");
  });

  it.each([
    [401, "unauthorized"],
    [403, "unauthorized"],
    [429, "busy"],
    [500, "server_error"],
    [200, "garbage"],
  ])("status %i is %s", (status, reason) => {
    expect(reasonOfStatus(status)).toBe(reason);
  });
});
