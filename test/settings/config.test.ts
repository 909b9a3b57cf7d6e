import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/settings/config.ts";
import { settingTable } from "../../src/settings/setting-value.ts";
import { root } from "../support/shared.ts";
import { base, charging, problemsOf } from "./problems.ts";

describe("readConfig", () => {
  it("has a default for everything", () => {
    expect(readConfig(base)).toEqual({
      host: "127.0.0.1",
      port: 8080,
      publicUrl: "http://127.0.0.1:8080",
      rpcUrls: ["https://mainnet.base.org", "https://base-rpc.publicnode.com", "https://base.drpc.org"],
      blockscoutUrl: "https://base.blockscout.com",
      pricesUrl: null,
      recordingsDir: null,
      rulesDir: [join(root, "rules")],
      labelsDir: [join(root, "labels")],
      rpcTimeoutMs: 3000,
      deadlineMs: 8000,
      work: { runningMax: 64, waitingMax: 256 },
      endpointSockets: 64,
      cacheBytes: 64 * 1024 * 1024,
      lookups: {
        sourcifyUrl: "https://sourcify.dev/server",
        drainerLists: ["https://raw.githubusercontent.com/scamsniffer/scam-database/main/blacklist/address.json"],
        drainerDir: resolve("data/drainers"),
        drainerRefreshMs: 21_600_000,
        deadlineMs: 2500,
        max: 8,
        historyPages: 2,
      },
      logLevel: "info",
      http: { connectionsMax: 4000, drainMs: 9000, drainDelayMs: 2000, adminToken: null, corsOrigins: [], web: true },
      mcpHosts: [],
      mcpOrigins: [],
      visitors: { rateLimitPerMinute: 120, openCallsPerMinute: 600, trustProxy: [] },
      payments: null,
      ledger: { dataDir: resolve("data") },
    });
  });

  it("reads what is given, trimmed", () => {
    const config = readConfig({
      HOST: " 0.0.0.0 ",
      PORT: "0",
      RPC_URLS: "http://a.example/key/ , https://b.example",
      BLOCKSCOUT_URL: "",
      RECORDINGS_DIR: "test",
      RPC_TIMEOUT_MS: "50",
      LOG_LEVEL: "WARN",
    });
    expect(config).toMatchObject({
      host: "0.0.0.0",
      port: 0,
      rpcUrls: ["http://a.example/key", "https://b.example"],
      blockscoutUrl: null,
      recordingsDir: join(process.cwd(), "test"),
      rpcTimeoutMs: 50,
      logLevel: "warn",
    });
  });

  it("reads where the risk checks look things up, nothing where they are switched off", () => {
    const given = {
      ...{ SOURCIFY_URL: "", DRAINER_DIR: "", LOOKUPS: "ON", LOOKUPS_MAX: "0", HISTORY_PAGES: "5" },
      DRAINER_LISTS: "https://a.example/x.json?key=1, own.txt",
    };
    expect(readConfig(given).lookups).toMatchObject({
      ...{ sourcifyUrl: null, drainerDir: null, max: 0, historyPages: 5 },
      drainerLists: ["https://a.example/x.json?key=1", join(process.cwd(), "own.txt")],
    });
    expect(readConfig({ ...given, DRAINER_LISTS: "" }).lookups?.drainerLists).toEqual([]);
    expect(readConfig({ ...given, LOOKUPS: "off" }).lookups).toBeNull();
  });

  it("has the shipped recordings where nothing is charged; where it is, only those that are named", () => {
    const facilitator = { X402_FACILITATOR: "http", X402_FACILITATOR_URL: "https://pay.example" };
    const shipped = join(root, "test/transactions");
    expect(readConfig({}).recordingsDir).toBe(shipped);
    expect(readConfig({ ...charging, ...facilitator }).recordingsDir).toBeNull();
    expect(readConfig({ ...charging, ...facilitator, RECORDINGS_DIR: " " }).recordingsDir).toBeNull();
    expect(readConfig({ ...charging, ...facilitator, RECORDINGS_DIR: shipped }).recordingsDir).toBe(shipped);
  });

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

  it("takes the default for an empty value where empty means nothing", () => {
    expect(readConfig({ ...base, PORT: "", RPC_URLS: " ", LOG_LEVEL: "" })).toEqual(readConfig(base));
  });

  it("cannot be changed afterwards", () => {
    const config = readConfig(base);
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.rpcUrls)).toBe(true);
    expect(Object.isFrozen(config.lookups)).toBe(true);
  });

  it("reports every problem at once, each with its setting", () => {
    const bad = {
      HOST: "a b",
      PORT: "65536",
      PUBLIC_URL: "example.org",
      RPC_URLS: "https://ok.example,ftp://x",
      BLOCKSCOUT_URL: "blockscout",
      PRICES_URL: "prices",
      RECORDINGS_DIR: "/does/not/exist",
      RULES_DIR: "/does/not/exist",
      LABELS_DIR: join(root, "package.json"),
      RPC_TIMEOUT_MS: "1.5",
      DEADLINE_MS: "-1",
      GATHERINGS_MAX: "0",
      GATHERINGS_WAITING: "-1",
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
      PASS_SECRET: "short",
      PASS_SECRET_PREVIOUS: "short",
      X402_FACILITATOR: "cdp",
      X402_FACILITATOR_URL: "cdp.example",
      CDP_API_KEY_ID: "",
      CDP_API_KEY_SECRET: "",
      GAS_LOW_ETH: "some",
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

  it("is open unless somebody is to be paid, whatever else is set", () => {
    expect(readConfig({ ...base, PASS_SECRET: "short", X402_FACILITATOR: "x" }).payments).toBeNull();
  });

  it("reads how the service listens, stops and is watched", () => {
    const given = { CONNECTIONS_MAX: "7", DRAIN_S: "30", DRAIN_DELAY_S: "29", ADMIN_TOKEN: "t".repeat(16) };
    expect(readConfig({ ...base, ...given, CORS_ORIGINS: "https://App.example/", WEB: "off" }).http).toEqual({
      ...{ connectionsMax: 7, drainMs: 30_000, drainDelayMs: 29_000 },
      ...{ adminToken: "t".repeat(16), corsOrigins: ["https://app.example"], web: false },
    });
    expect(problemsOf({ DRAIN_S: "3", DRAIN_DELAY_S: "3" })).toEqual([
      'DRAIN_DELAY_S "3": expected less than DRAIN_S.',
    ]);
    expect(problemsOf({ ADMIN_TOKEN: "hush with blanks in it" }).join()).toMatch(/^ADMIN_TOKEN: (?!.*hush)/);
  });

  it.each([
    ["RPC_URL", "RPC_URLS"],
    ["rpc_urls", "RPC_URLS"],
    ["TXGLOSS_PORT", "PORT"],
    ["X402_PAYTO", "X402_PAY_TO"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["DEADLINE", "DEADLINE_MS"],
    ["PASS_SECRETT", "PASS_SECRET"],
  ])("refuses %s, which is no setting, and names the one that is", (name, meant) => {
    expect(problemsOf({ [name]: "hush" })).toEqual([`${name}: is no setting; did you mean ${meant}?`]);
    expect(problemsOf({ [name]: " " })).toEqual([]);
  });

  it("leaves variables of others alone", () => {
    const others = {
      HOSTNAME: "a",
      PORTS: "1",
      HOSTS: "a",
      ETH_RPC_URL: "http://a",
      TXGLOSS_PORT: "tcp://10.0.0.1:80",
    };
    expect(problemsOf({ ...others, TXGLOSS_SERVICE_HOST: "10.0.0.1", PATH: "/bin", DATA: "x" })).toEqual([]);
  });

  it("tells everybody who listens on all addresses a URL that works", () => {
    const facilitator = { X402_FACILITATOR: "http", X402_FACILITATOR_URL: "https://f.example" };
    const urlAt = (HOST: string) => readConfig({ ...base, ...charging, ...facilitator, HOST }).payments?.publicUrl;
    expect([urlAt("0.0.0.0"), urlAt("::")]).toEqual(["http://127.0.0.1:8080", "http://[::1]:8080"]);
  });

  it("reads everything about charging", () => {
    const config = readConfig({
      ...base,
      ...charging,
      HOST: "::1",
      X402_FACILITATOR: "http",
      X402_FACILITATOR_URL: "https://facilitator.example/",
      TRUST_PROXY: "loopback, 10.0.0.0/8",
      DATABASE_URL: "postgres://u@h/d",
    });
    expect(config).toMatchObject({ ledger: { databaseUrl: "postgres://u@h/d" } });
    expect(config.payments).toEqual({
      payTo: charging.X402_PAY_TO.toLowerCase(),
      publicUrl: "http://[::1]:8080",
      priceExplain: 20_000n,
      pricePass: 9_000_000n,
      passDays: 30,
      passCalls: 10_000,
      freeCallsPerDay: 50,
      gasLowWei: 500_000_000_000_000n,
      rateLimitPerMinute: 120,
      trustProxy: ["loopback", "10.0.0.0/8"],
      passSecret: charging.PASS_SECRET,
      passSecretPrevious: null,
      facilitator: { kind: "http", url: "https://facilitator.example" },
    });
  });

  it.each([
    ["a wrong checksum", charging.X402_PAY_TO.replace("fCD6", "FCD6")],
    ["the zero address", `0x${"0".repeat(40)}`],
    ["too short", charging.X402_PAY_TO.slice(0, -1)],
  ])("does not pay to an address with %s", (_name, address) => {
    const facilitator = { X402_FACILITATOR: "http", X402_FACILITATOR_URL: "https://f.example" };
    expect(problemsOf({ ...charging, ...facilitator, X402_PAY_TO: address })[0]).toMatch(/^X402_PAY_TO/);
    expect(problemsOf({ ...charging, ...facilitator, X402_PAY_TO: charging.X402_PAY_TO.toLowerCase() })).toEqual([]);
  });

  it("does not repeat an endpoint, which may hold a key", () => {
    expect(problemsOf({ RPC_URLS: "ftp://user:secret@x" }).join()).not.toContain("secret");
  });
});

describe("the settings", () => {
  it("are read from process.env in src/settings/config.ts and nowhere else", () => {
    const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts"),
    );
    const readers = files.filter((name) => /\bprocess\.env\b/.test(readFileSync(join(root, "src", name), "utf8")));
    expect(readers).toEqual(["settings/config.ts"]);
  });

  it("each have a meaning and a default that reads back", () => {
    for (const { meaning } of Object.values(settingTable)) expect(meaning).toMatch(/^[A-Za-z].*\.$/);
    const defaults = Object.fromEntries(Object.entries(settingTable).map(([name, row]) => [name, row.default]));
    expect(readConfig({ ...defaults, RECORDINGS_DIR: "", RULES_DIR: "", LABELS_DIR: "", DATA_DIR: "" })).toEqual(
      readConfig(base),
    );
  });
});
