import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/serve/settings/config.ts";
import { base, charging, problemsOf } from "./problems.ts";

describe("readConfig, of charging", () => {
  it("is open unless somebody is to be paid, whatever else is set", () => {
    expect(readConfig({ ...base, PASS_SECRET: "short", X402_FACILITATOR: "x" }).payments).toBeNull();
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
      deadlineMs: 8_000,
      priceExplain: 20_000n,
      pricePass: 9_000_000n,
      passDays: 30,
      passCalls: 10_000,
      freeCallsPerDay: 50,
      freeGatheringsPerDay: 20_000,
      gasLowWei: 500_000_000_000_000n,
      gasPriceMaxWei: 10_000_000_000n,
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
});
