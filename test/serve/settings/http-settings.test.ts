import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/serve/settings/config.ts";
import { base, charging, problemsOf } from "./problems.ts";

describe("readConfig, of the server", () => {
  it("knows the names under which MCP is reached, that of PUBLIC_URL included", () => {
    const given = {
      ...base,
      MCP_HOSTS: "a.example, [::2]",
      MCP_ORIGINS: "https://App.example/, http://localhost:3000, *",
    };
    expect(readConfig(given)).toMatchObject({
      mcpHosts: ["a.example", "[::2]"],
      mcpOrigins: ["https://app.example", "http://localhost:3000", "*"],
    });
    const facilitator = { X402_FACILITATOR: "http", X402_FACILITATOR_URL: "https://pay.example" };
    const charged = readConfig({ ...base, ...charging, ...facilitator, PUBLIC_URL: "https://txgloss.example/x" });
    expect(charged.mcpHosts).toEqual(["txgloss.example"]);
    for (const bad of ["a b", "a:80", "a/b"]) expect(problemsOf({ MCP_HOSTS: bad })).toHaveLength(1);
    for (const bad of ["null", "https://a.example/path", "a.example"]) {
      expect(problemsOf({ MCP_ORIGINS: bad })).toHaveLength(1);
    }
  });

  it("reads how the service listens, stops and is watched", () => {
    const given = { CONNECTIONS_MAX: "7", DRAIN_S: "30", DRAIN_DELAY_S: "29", ADMIN_TOKEN: "t".repeat(16) };
    expect(
      readConfig({ ...base, ...given, CORS_ORIGINS: "https://App.example/", WEB: "off", DOCS: "on" }).http,
    ).toEqual({
      ...{ connectionsMax: 7, drainMs: 30_000, drainDelayMs: 29_000, docs: true },
      ...{ adminToken: "t".repeat(16), corsOrigins: ["https://app.example"], web: false },
    });
    expect(problemsOf({ DRAIN_S: "3", DRAIN_DELAY_S: "3" })).toEqual([
      'DRAIN_DELAY_S "3": expected less than DRAIN_S.',
    ]);
    expect(problemsOf({ ADMIN_TOKEN: "hush with blanks in it" }).join()).toMatch(/^ADMIN_TOKEN: (?!.*hush)/);
  });
});
