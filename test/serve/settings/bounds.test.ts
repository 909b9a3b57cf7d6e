import { describe, expect, it } from "vitest";
import { reachableUrl, readConfig } from "../../../src/serve/settings/config.ts";
import { settingTable } from "../../../src/serve/settings/setting-value.ts";
import { base, charging, problemsOf } from "./problems.ts";

describe("each value of a setting, at its bounds", () => {
  const facilitator = { X402_FACILITATOR: "http", X402_FACILITATOR_URL: "https://f.example" };
  const charged = (env: Record<string, string>) => problemsOf({ ...charging, ...facilitator, ...env });
  const bounded = Object.entries(settingTable).filter(([, { most }]) => most !== undefined);

  it.each(bounded)("%s is a whole number within its bounds", (name, { least = 0, most = 0 }) => {
    // The one is below the other.
    const beside: Record<string, string> =
      name === "DRAIN_DELAY_S" ? { DRAIN_S: "600" } : name === "DRAIN_S" ? { DRAIN_DELAY_S: "0" } : {};
    const problems = (value: string) => charged({ ...beside, [name]: value });
    for (const good of [least, most]) expect(problems(String(good))).toEqual([]);
    for (const bad of [String(least - 1), String(most + 1), "1.0", "0x10", "1".repeat(16)])
      expect(problems(bad)).toEqual([`${name} "${bad}": expected a whole number from ${least} to ${most}.`]);
  });

  const price = "expected an amount such as 0.02, with at most 6 decimals.";
  const secret = "expected 32 characters or more, such as `openssl rand -hex 32` prints.";
  const token = "expected 16 characters or more without blanks, such as `openssl rand -hex 32` prints.";
  const origin = "expected origins such as https://app.example.";
  const url = "expected URLs that start with http:// or https://.";
  const added = "expected a URL without ? and #, because paths are added to it.";
  const told = "expected a URL without a name and a password.";
  const hosts = "expected host names without port.";
  it.each([
    ["PRICE_EXPLAIN_USD", ["0.000001", "1000000", "2"], ["0", "1000000.000001", "-1", "1e3"], price],
    ["PRICE_PASS_USD", ["0.02"], ["0", "x"], price],
    [
      "GAS_LOW_ETH",
      ["0", "0.000000000000000001"],
      ["-1", "0.0000000000000000001"],
      "expected an amount of ether such as 0.0005.",
    ],
    ["GAS_PRICE_MAX_GWEI", ["0.000000001", "10"], ["0", "-1"], "expected a price of gas in gwei such as 10."],
    ["LOG_LEVEL", ["info", "Error"], ["loud"], undefined],
    ["LOOKUPS", ["on", "OFF"], ["1"], "expected on or off."],
    [
      "HOST",
      ["::1", "a.example"],
      ["a b", "a/b", "999.1.1.1", "1.2.3.4.5", ":::1", "a:b", "a?b@c"],
      "expected a host name or an IP address.",
    ],
    ["MCP_HOSTS", ["", "[::1],a.example, b-c.example"], ["a,b:80", "[x]"], hosts],
    ["MCP_ORIGINS", ["", "*", "http://A.example:3000/"], ["*,x", "https://a.example/?", "file:///a"], origin],
    ["CORS_ORIGINS", ["*"], ["https://a.example//"], origin],
    ["RPC_URLS", ["http://a", "HTTPS://a.example/"], ["a.example", "ws://a", "http://a,b"], url],
    ["RPC_URLS", [], [","], "expected at least one URL."],
    ["PUBLIC_URL", ["https://a.example/x/"], ["ftp://a"], url],
    ["PUBLIC_URL", [], ["https://a.example/?", "https://a.example/x?y=1", "https://a.example#z"], added],
    ["PUBLIC_URL", [], ["https://me@a.example", "https://:secret@a.example"], told],
    ["BLOCKSCOUT_URL", ["", "https://me:pw@a.example/x/"], ["https://a.example/?apikey=1"], added],
    ["BLOCKSCOUT_KEY", ["", "proapi_0"], ["a key", "kéy"], "expected a key of printable ASCII without blanks."],
    ["SOURCIFY_URL", ["", "https://a.example/server"], ["https://a.example/server#x"], added],
    ["PRICES_URL", ["", "https://a.example"], ["https://a.example/?"], added],
    ["X402_FACILITATOR_URL", ["https://a.example/x402"], ["https://a.example/?key=1"], added],
    ["RULES_DIR", [], [","], "expected at least one directory."],
    ["LABELS_DIR", ["labels, rules"], ["labels,nowhere"], "expected a directory."],
    ["DRAINER_LISTS", ["", "own.txt, http://a/b"], ["ftp://a"], url],
  ])("%s: %j and not %j", (name, good, bad, expected) => {
    for (const value of good) expect(charged({ [name]: value })).toEqual([]);
    for (const value of bad)
      expect(charged({ [name]: value })).toEqual([
        `${name}${settingTable[name as keyof typeof settingTable].secret ? "" : ` ${JSON.stringify(value)}`}: ${expected ?? "expected one of silent, error, warn, info, debug."}`,
      ]);
  });

  const order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
  it.each([
    ["PASS_SECRET", {}, ["s".repeat(32)], ["s".repeat(31)], secret],
    ["PASS_SECRET_PREVIOUS", {}, ["", "s".repeat(32)], ["s".repeat(31)], secret],
    ["ADMIN_TOKEN", {}, ["", `!${"~".repeat(15)}`], ["t".repeat(15), `${"t".repeat(16)}é`], token],
    [
      "DATABASE_URL",
      {},
      ["postgres://h", "postgresql://h"],
      ["postgres://", "mysql://h", "xpostgres://h"],
      "expected postgres://….",
    ],
    [
      "X402_FACILITATOR_KEY",
      { X402_FACILITATOR: "local" },
      [`0x${"0".repeat(63)}1`, `0x${order.replace(/41$/, "40")}`],
      [`0x${"0".repeat(64)}`, `0x${order}`, "1".repeat(64), `0x${"1".repeat(63)}`, `0x${"1".repeat(65)}`],
      "expected a private key: 0x and 64 hex digits.",
    ],
    ["CDP_API_KEY_ID", { X402_FACILITATOR: "cdp", CDP_API_KEY_SECRET: "s" }, ["i"], [""], "is needed for cdp."],
  ])("%s with %j, which is never shown", (name, beside, good, bad, expected) => {
    for (const value of good) expect(charged({ ...beside, [name]: value })).toEqual([]);
    for (const value of bad) {
      const [problem, ...more] = charged({ ...beside, [name]: value });
      expect([problem?.replace(' ""', ""), more]).toEqual([`${name}: ${expected}`, []]);
    }
  });

  it("X402_PAY_TO is an address whose case is its checksum, or says nothing, and that somebody owns", () => {
    const payTo = charging.X402_PAY_TO;
    const lower = payTo.toLowerCase();
    for (const good of [payTo, lower]) expect(charged({ X402_PAY_TO: good })).toEqual([]);
    const refused: [string, string][] = [
      [payTo.replace("fCD6", "FCD6"), "its checksum is wrong."],
      [payTo.toUpperCase().replace("0X", "0x"), "its checksum is wrong."],
      [`0x${"0".repeat(40)}`, "what is paid there is gone."],
      [`0x${"0".repeat(36)}dead`, "what is paid there is gone."],
      [lower.slice(0, -1), "expected 0x and 40 hex digits."],
    ];
    for (const [bad, expected] of refused) {
      expect(charged({ X402_PAY_TO: bad })).toEqual([`X402_PAY_TO "${bad}": ${expected}`]);
    }
  });

  it("a facilitator is reached as its kind says", () => {
    const facilitatorOf = (env: Record<string, string>) =>
      readConfig({ ...base, ...charging, ...env }).payments?.facilitator;
    const cdp = { X402_FACILITATOR: "cdp", CDP_API_KEY_ID: "i", CDP_API_KEY_SECRET: "s" };
    const url = "https://api.cdp.coinbase.com/platform/v2/x402";
    expect(facilitatorOf(cdp)).toEqual({ kind: "cdp", url, keyId: "i", keySecret: "s" });
    expect(facilitatorOf({ ...cdp, X402_FACILITATOR_URL: "https://a/" })).toMatchObject({ url: "https://a" });
    const key = `0x${"1".repeat(64)}`;
    expect(facilitatorOf({ X402_FACILITATOR: "local", X402_FACILITATOR_KEY: key })).toEqual({ kind: "local", key });
  });

  it("the message of all problems has one on each line", () => {
    expect(() => readConfig({ PORT: "x", LOOKUPS: "y" })).toThrow(
      'The configuration has 2 problems:\n  PORT "x": expected a whole number from 0 to 65535.\n  LOOKUPS "y": expected on or off.',
    );
    expect(problemsOf({ DRAIN_S: "2", DRAIN_DELAY_S: "1" })).toEqual([]);
  });

  it.each([
    ["0.0.0.0", "0.0.0.0", "http://127.0.0.1:80"],
    ["::", "::", "http://[::1]:80"],
    ["a name", "a.example", "http://a.example:80"],
  ])("%s is reached at a URL", (_name, host, expected) => {
    expect(reachableUrl(host, 80)).toBe(expected);
  });
});

describe("what looks like a mistyped setting", () => {
  it.each([
    ["PRICES_URLS", "PRICES_URL"],
    ["DRAIN_DELAY", "DRAIN_DELAY_S"],
    ["DRAIN_DELAY_MS", "DRAIN_DELAY_S"],
    ["LOOKUP", "LOOKUPS"],
    ["LOKUPS", "LOOKUPS"],
    ["LOOXUPS", "LOOKUPS"],
    ["XLOOKUPS", "LOOKUPS"],
    ["LOOKUPSX", "LOOKUPS"],
    ["lookups_", "LOOKUPS"],
    ["txgloss_prt", undefined],
    ["TXGLOSS_HOSTS", "HOST"],
    ["TXGLOSS_WEB", "WEB"],
    ["DATADIR", "DATA_DIR"],
    ["DATAS", undefined],
    ["OOXUPS", undefined],
    ["LOOXXPS", undefined],
    ["LOOKUPSXX", undefined],
  ])("%s: %s", (name, meant) => {
    expect(problemsOf({ [name]: "x" })).toEqual(
      meant === undefined ? [] : [`${name}: is no setting; did you mean ${meant}?`],
    );
    expect(problemsOf({ [name]: "tcp://10.0.0.1:80" })).toEqual([]);
  });
});
