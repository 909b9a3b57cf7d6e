import { describe, expect, it } from "vitest";
import { writeLlmsText } from "../../../src/serve/http/routes/discovery.ts";

describe("/llms.txt", () => {
  const prices = {
    publicUrl: "u",
    call: "0.02",
    batch: "2",
    pass: "9",
    passCalls: 10,
    passDays: 30,
    freeCallsPerDay: 50,
  };
  const headings = (text: string) => text.split("\n").filter((line) => line.startsWith("- "));
  const starts = (text: string) => headings(text).map((line) => line.slice(2).split(/[ :]/).slice(0, 2).join(" "));

  it("lists what is there", () => {
    const all = writeLlmsText({ publicUrl: "", prices, has: { view: true, preview: true, web: true } });
    expect(starts(all)).toEqual([
      ...["`POST /explain`", "`POST /explain/batch`", "`POST /view`", "`POST /preview`", "`/mcp` ", "`GET /tx/{hash}`"],
      ...[
        "[OpenAPI](/openapi.json) ",
        "[MCP server",
        "[Protocols](/protocols) ",
        "[x402 resources](/.well-known/x402)",
      ],
    ]);
    expect(all).toContain("50 calls a day and client are free. Then one costs 0.02 USDC on Base");
    expect(all).toContain("`POST /pass` sells 10 calls within 30 days for 9 USDC.");
    const none = writeLlmsText({
      publicUrl: "https://x",
      prices: null,
      has: { view: false, preview: false, web: false },
    });
    expect(starts(none)).toEqual([
      ...["`POST https", "`POST https", "`https //x/mcp`", "[OpenAPI](https //x/openapi.json)", "[MCP server"],
    ]);
    expect(none).toContain("Nothing is charged here: every call is free, and no account or key is needed.");
  });
});
