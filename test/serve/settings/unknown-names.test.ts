import { describe, expect, it } from "vitest";
import { problemsOf } from "./problems.ts";

describe("readConfig, of names that it does not know", () => {
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
});
