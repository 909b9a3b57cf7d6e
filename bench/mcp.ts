// tools/call of a remembered explanation against POST /explain of the same, open and metered: CPU time of the server's process
// per request, as bench/http.ts does it, with the headers and _meta that real clients send. Budget: 1.6 times.
import { hashOf } from "../test/support/sample.ts";
import { measure, median, startSubject } from "./support/load.ts";

const both = { Accept: "application/json, text/event-stream" };
const explainBytes = post("/explain", JSON.stringify({ tx_hash: hashOf(1) }), { Accept: "*/*" });
const legacyBytes = post("/mcp", call({}), { ...both, "MCP-Protocol-Version": "2025-11-25" });
const modernBytes = post("/mcp", call(modernMeta()), { ...both, ...modernHeaders() });

for (const [mode, name] of [
  ["open", "server"],
  ["metered", "metered"],
] as const) {
  const explain = await startSubject(name, explainBytes);
  const legacy = await startSubject(name, legacyBytes);
  const modern = await startSubject(name, modernBytes);
  await measure([explain, legacy, modern], { rounds: 11, requests: 4_000, connections: 16, bytes: explainBytes });
  console.log(`POST /explain, ${mode}`.padEnd(34), `${median(explain.samples).toFixed(1)} µs CPU per request`);
  for (const [revision, { samples }] of [
    ["2025-11-25", legacy],
    ["2026-07-28", modern],
  ] as const) {
    console.log(`tools/call ${revision}, ${mode}`.padEnd(34), `${median(samples).toFixed(1)} µs CPU per request`);
    const ratio = median(samples.map((value, round) => value / (explain.samples[round] as number)));
    const bench = `MCP tools/call ${revision} ÷ /explain, ${mode}`;
    console.log(JSON.stringify({ bench, ratio: Number(ratio.toFixed(2)), limit: 1.6 }));
  }
}

function call(meta: object): string {
  const params = { name: "explain_transaction", arguments: { tx_hash: hashOf(1) }, _meta: meta };
  return JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params });
}

function modernMeta() {
  return {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  };
}

function modernHeaders() {
  return { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "explain_transaction" };
}

function post(path: string, body: string, headers: Record<string, string>): Buffer {
  const all = { Host: "localhost", "Content-Type": "application/json", "Content-Length": body.length, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}
