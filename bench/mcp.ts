// tools/call of a remembered explanation, open and metered, compared with POST /explain of the same. CPU time of the server's process per
// request, as in bench/http.ts, with the headers and _meta that real clients send. Budget: 4 times.
import { hashOf } from "../test/support/sample.ts";
import { measure, median, startSubject } from "./support/load.ts";

const both = { Accept: "application/json, text/event-stream" };
const explainBytes = post("/explain", JSON.stringify({ tx_hash: hashOf(1) }), { Accept: "*/*" });
const legacyBytes = post("/mcp", call({}), { ...both, "MCP-Protocol-Version": "2025-11-25" });
const modernBytes = post("/mcp", call(modernMeta()), { ...both, ...modernHeaders() });

// Two processes with the same code may differ by a fifth. So each ratio is the median over several fresh ones.
for (const mode of ["open", "metered"]) {
  const samples = { explain: [] as number[], "2025-11-25": [] as number[], "2026-07-28": [] as number[] };
  for (let set = 0; set < 4; set++) {
    const explain = await startSubject(mode, explainBytes);
    const legacy = await startSubject(mode, legacyBytes);
    const modern = await startSubject(mode, modernBytes);
    await measure([explain, legacy, modern], { rounds: 7, requests: 4_000, connections: 16, bytes: explainBytes });
    samples.explain.push(...explain.samples);
    samples["2025-11-25"].push(...legacy.samples);
    samples["2026-07-28"].push(...modern.samples);
  }
  print(`POST /explain, ${mode}`, samples.explain);
  for (const revision of ["2025-11-25", "2026-07-28"] as const) {
    print(`tools/call ${revision}, ${mode}`, samples[revision]);
    const ratio = median(samples[revision].map((value, round) => value / (samples.explain[round] as number)));
    const bench = `MCP tools/call ${revision} ÷ /explain, ${mode}`;
    console.log(JSON.stringify({ bench, ratio: Number(ratio.toFixed(2)), limit: 4 }));
  }
}

function print(name: string, samples: readonly number[]): void {
  console.log(`${name.padEnd(34)}${median(samples).toFixed(1)} µs CPU per request`);
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
