// tools/call of a remembered explanation against POST /explain of the same: CPU time of the server's process per request, as
// bench/http.ts does it. In both eras, with the headers and _meta that real clients send. Budget: 1.6 times.
import { hashOf } from "../test/support/sample.ts";
import { compare, measure, median, startSubject, writePost } from "./support/cpu-load.ts";

const both = { Accept: "application/json, text/event-stream" };
const explain = await startSubject("door", writePost("/explain", JSON.stringify({ tx_hash: hashOf(1) })));
const legacy = await startSubject(
  "door",
  writePost("/mcp", call({}), { ...both, "MCP-Protocol-Version": "2025-11-25" }),
);
const modern = await startSubject("door", writeModern());
await measure([explain, legacy, modern]);
console.log(`POST /explain, remembered       ${median(explain.samples).toFixed(1)} µs CPU per request`);
console.log(`tools/call, 2025-11-25          ${median(legacy.samples).toFixed(1)} µs CPU per request`);
console.log(`tools/call, 2026-07-28          ${median(modern.samples).toFixed(1)} µs CPU per request`);
console.log(
  JSON.stringify({ bench: "MCP tools/call (2025-11-25) ÷ /explain", ratio: compare(explain, legacy), limit: 1.6 }),
);
console.log(
  JSON.stringify({ bench: "MCP tools/call (2026-07-28) ÷ /explain", ratio: compare(explain, modern), limit: 1.6 }),
);

function call(meta: object): string {
  const params = { name: "explain_transaction", arguments: { tx_hash: hashOf(1) }, _meta: meta };
  return JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params });
}

function writeModern(): Buffer {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  };
  const headers = {
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/call",
    "Mcp-Name": "explain_transaction",
  };
  return writePost("/mcp", call(meta), { ...both, ...headers });
}
