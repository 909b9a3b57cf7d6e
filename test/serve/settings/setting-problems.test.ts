import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { settingTable } from "../../../src/serve/settings/setting-value.ts";
import { root } from "../../support/shared.ts";
import { charging, problemsOf } from "./problems.ts";

describe("readConfig, of what is wrong", () => {
  it("reports every problem at once, each with its setting", () => {
    const bad = {
      HOST: "a b",
      PORT: "65536",
      PUBLIC_URL: "example.org",
      RPC_URLS: "https://ok.example,ftp://x",
      BLOCKSCOUT_URL: "blockscout",
      BLOCKSCOUT_KEY: "a key",
      PRICES_URL: "prices",
      RECORDINGS_DIR: "/does/not/exist",
      RULES_DIR: "/does/not/exist",
      LABELS_DIR: join(root, "package.json"),
      RPC_TIMEOUT_MS: "1.5",
      DEADLINE_MS: "-1",
      GATHERINGS_MAX: "0",
      GATHERINGS_WAITING: "-1",
      GATHERINGS_PER_CLIENT: "-1",
      ENDPOINT_SOCKETS: "0",
      CACHE_BYTES: "1e9",
      LOOKUPS: "maybe",
      SOURCIFY_URL: "sourcify",
      DRAINER_LISTS: "ftp://x",
      DRAINER_DIR: "a\u0000b",
      DRAINER_REFRESH_S: "1",
      LOOKUP_TIMEOUT_MS: "0",
      LOOKUPS_MAX: "-1",
      HISTORY_PAGES: "0",
      LOG_LEVEL: "loud",
      DRAIN_S: "1",
      CONNECTIONS_MAX: "0",
      DRAIN_DELAY_S: "-1",
      ADMIN_TOKEN: "short",
      CORS_ORIGINS: "app.example",
      WEB: "yes",
      DOCS: "maybe",
      MCP_HOSTS: "https://x",
      MCP_ORIGINS: "app.example",
      RATE_LIMIT_PER_MINUTE: "many",
      OPEN_CALLS_PER_MINUTE: "-1",
      TRUST_PROXY: "10.0.0.0/33",
      X402_PAY_TO: "0x12",
      PRICE_EXPLAIN_USD: "0.0000001",
      PRICE_PASS_USD: "0",
      PASS_DAYS: "0",
      PASS_CALLS: "1.5",
      FREE_CALLS_PER_DAY: "-1",
      FREE_GATHERINGS_PER_DAY: "-1",
      PASS_SECRET: "short",
      PASS_SECRET_PREVIOUS: "short",
      X402_FACILITATOR: "cdp",
      X402_FACILITATOR_URL: "cdp.example",
      CDP_API_KEY_ID: "",
      CDP_API_KEY_SECRET: "",
      GAS_LOW_ETH: "some",
      GAS_PRICE_MAX_GWEI: "cheap",
      DATABASE_URL: "mysql://x",
    };
    const others = ["X402_FACILITATOR", "X402_FACILITATOR_KEY", "DATA_DIR"];
    const named = (env: Record<string, string>) => problemsOf(env).map((problem) => /^\w+/.exec(problem)?.[0]);
    expect([...new Set([...Object.keys(bad), ...others])].toSorted()).toEqual(Object.keys(settingTable).toSorted());
    expect(named(bad)).toEqual(Object.keys(bad).filter((name) => !others.includes(name)));
    expect(named({ ...charging, X402_FACILITATOR: "local", X402_FACILITATOR_KEY: "0x00" })).toEqual([
      "X402_FACILITATOR_KEY",
    ]);
    expect(named({ ...charging, X402_FACILITATOR: "x402.org" })).toEqual(["X402_FACILITATOR"]);
    expect(named({ ...charging, X402_FACILITATOR: "http" })).toEqual(["X402_FACILITATOR_URL"]);
  });

  it("never repeats a secret", () => {
    const secrets = {
      PASS_SECRET: "hush1",
      PASS_SECRET_PREVIOUS: "hush4",
      X402_FACILITATOR: "local",
      X402_FACILITATOR_KEY: "hush2",
      DATABASE_URL: "hush3",
    };
    expect(problemsOf({ ...charging, ...secrets })).toHaveLength(4);
    expect(problemsOf({ ...charging, ...secrets }).join()).not.toContain("hush");
  });

  it("does not repeat an endpoint, which may hold a key", () => {
    expect(problemsOf({ RPC_URLS: "ftp://user:secret@x" }).join()).not.toContain("secret");
  });
});
