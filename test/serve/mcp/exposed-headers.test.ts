import { expect, it } from "vitest";
import { openVisitors } from "../../../src/serve/access/quota/visitors.ts";
import { postMcp } from "../../support/mcp-message.ts";
import { openServer } from "../../support/server.ts";

it("a page that sent too much may read when to come back", async () => {
  const origin = "https://app.example";
  const visitors = openVisitors({ rateLimitPerMinute: 1, openCallsPerMinute: 0, trustProxy: [] }, () => 1_000);
  const { app } = openServer({ visitors, mcpOrigins: [origin] });
  await postMcp(app, "{", { origin });
  const { statusCode, headers } = await postMcp(app, "{", { origin });
  expect([statusCode, headers["access-control-allow-origin"], headers["retry-after"]]).toEqual([429, origin, "60"]);
  expect(String(headers["access-control-expose-headers"]).split(", ")).toContain("Retry-After");
});
