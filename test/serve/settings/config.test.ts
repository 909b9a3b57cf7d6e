import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../../src/serve/settings/config.ts";
import { settingTable } from "../../../src/serve/settings/setting-value.ts";
import { root } from "../../support/shared.ts";
import { base, charging, problemsOf } from "./problems.ts";

describe("readConfig", () => {
  it("has a default for everything", () => {
    expect(readConfig(base)).toEqual({
      host: "127.0.0.1",
      port: 8080,
      publicUrl: "http://127.0.0.1:8080",
      rpcUrls: ["https://mainnet.base.org", "https://base-rpc.publicnode.com", "https://base.drpc.org"],
      blockscoutUrl: "https://base.blockscout.com",
      blockscoutKey: null,
      pricesUrl: "https://coins.llama.fi",
      recordingsDir: null,
      rulesDir: [join(root, "rules")],
      labelsDir: [join(root, "labels")],
      rpcTimeoutMs: 3000,
      deadlineMs: 8000,
      work: { runningMax: 64, waitingMax: 256, clientMax: 8 },
      endpointSockets: 64,
      cacheBytes: 64 * 1024 * 1024,
      lookups: {
        sourcifyUrl: "https://sourcify.dev/server",
        drainerLists: [
          "https://raw.githubusercontent.com/scamsniffer/scam-database/main/blacklist/all.json",
          "https://raw.githubusercontent.com/MyEtherWallet/ethereum-lists/master/src/addresses/addresses-darklist.json",
        ],
        drainerDir: resolve("data/drainers"),
        drainerRefreshMs: 21_600_000,
        deadlineMs: 2500,
        max: 8,
        historyPages: 2,
      },
      logLevel: "info",
      http: {
        connectionsMax: 4000,
        drainMs: 9000,
        drainDelayMs: 2000,
        adminToken: null,
        corsOrigins: [],
        docs: null,
        web: true,
      },
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

  it("names an endpoint once, however often it is listed", () => {
    const { rpcUrls } = readConfig({ RPC_URLS: "http://a.example/key,https://b.example,http://a.example/key/" });
    expect(rpcUrls).toEqual(["http://a.example/key", "https://b.example"]);
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

  it.each([
    [{ BLOCKSCOUT_KEY: "a-key" }, "https://api.blockscout.com", "a-key"],
    [{ BLOCKSCOUT_KEY: "a-key", BLOCKSCOUT_URL: "https://own.example/" }, "https://own.example", "a-key"],
    [{ BLOCKSCOUT_KEY: "a-key", BLOCKSCOUT_URL: "" }, null, "a-key"],
    [{ BLOCKSCOUT_KEY: " " }, "https://base.blockscout.com", null],
  ])("asks the Blockscout that its key is for: %j", (given, blockscoutUrl, blockscoutKey) => {
    expect(readConfig(given)).toMatchObject({ blockscoutUrl, blockscoutKey });
  });

  it("asks no price API where its setting is empty", () => {
    expect(readConfig({ PRICES_URL: "" }).pricesUrl).toBeNull();
  });

  it("has the shipped recordings where nothing is charged; where it is, only those that are named", () => {
    const facilitator = { X402_FACILITATOR: "http", X402_FACILITATOR_URL: "https://pay.example" };
    const shipped = join(root, "test/transactions");
    expect(readConfig({}).recordingsDir).toBe(shipped);
    expect(readConfig({ ...charging, ...facilitator }).recordingsDir).toBeNull();
    expect(readConfig({ ...charging, ...facilitator, RECORDINGS_DIR: " " }).recordingsDir).toBeNull();
    expect(readConfig({ ...charging, ...facilitator, RECORDINGS_DIR: shipped }).recordingsDir).toBe(shipped);
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
});

describe("the settings", () => {
  it("are read from process.env in src/serve/settings/config.ts and nowhere else", () => {
    const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts"),
    );
    const readers = files.filter((name) => /\bprocess\.env\b/.test(readFileSync(join(root, "src", name), "utf8")));
    expect(readers).toEqual(["serve/settings/config.ts"]);
  });

  it("each have a meaning and a default that reads back", () => {
    for (const { meaning } of Object.values(settingTable)) expect(meaning).toMatch(/^[A-Za-z].*\.$/);
    const defaults = Object.fromEntries(Object.entries(settingTable).map(([name, row]) => [name, row.default]));
    expect(readConfig({ ...defaults, RECORDINGS_DIR: "", RULES_DIR: "", LABELS_DIR: "", DATA_DIR: "" })).toEqual(
      readConfig(base),
    );
  });

  describe("a secret in a file", () => {
    const folder = mkdtempSync(join(tmpdir(), "secrets-"));
    const file = join(folder, "key");
    writeFileSync(file, " 0123456789abcdef0123 \n");
    afterAll(() => rmSync(folder, { recursive: true }));

    it("is read from there", () => {
      expect(readConfig({ ...base, BLOCKSCOUT_KEY_FILE: file }).blockscoutKey).toBe("0123456789abcdef0123");
    });

    it("is refused where the setting stands too, where the file is missing, and is not repeated", () => {
      expect(problemsOf({ ...base, BLOCKSCOUT_KEY: "x1", BLOCKSCOUT_KEY_FILE: file })).toEqual([
        "BLOCKSCOUT_KEY_FILE: BLOCKSCOUT_KEY is set too; set one of them.",
      ]);
      expect(problemsOf({ ...base, BLOCKSCOUT_KEY_FILE: join(folder, "none") })).toEqual([
        "BLOCKSCOUT_KEY_FILE: cannot be read (ENOENT).",
      ]);
    });

    it("is for secrets alone", () => {
      expect(readConfig({ ...base, PORT_FILE: file }).port).toBe(8080);
    });
  });
});
