import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/serve/settings/config.ts";
import { settingTable } from "../../src/serve/settings/setting-value.ts";
import { root } from "../support/shared.ts";

/** The variables that compose.yaml takes from the file .env, and no others. */
const { environment } = parse(readFileSync(join(root, "compose.yaml"), "utf8")).services.txgloss;
const handedOn = (env: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(environment as Record<string, string | null>).flatMap(([name, text]): [string, string][] => {
      // A name alone is handed on as it is, where it is set.
      if (text === null) return env[name] === undefined ? [] : [[name, env[name]]];
      return [
        [name, text.replaceAll(/\$\{(\w+):[-?]([^}]*)\}/g, (_, from: string, other: string) => env[from] ?? other)],
      ];
    }),
  );
const given = {
  RPC_URLS: "http://node",
  POSTGRES_PASSWORD: "word",
  X402_PAY_TO: `0x${"12".repeat(20)}`,
  PASS_SECRET: "s".repeat(32),
};

describe("an instance that compose.yaml starts", () => {
  it.each<[string, Record<string, string>]>([
    ["cdp", { CDP_API_KEY_ID: "id", CDP_API_KEY_SECRET: "secret" }],
    ["http", { X402_FACILITATOR_URL: "https://facilitator.example" }],
    ["local", { X402_FACILITATOR_KEY: `0x${"34".repeat(32)}` }],
  ])("can charge by the facilitator %s", (kind, own) => {
    const { payments } = readConfig(handedOn({ ...given, X402_FACILITATOR: kind, ...own }));
    expect(payments?.facilitator.kind).toBe(kind);
  });

  it("can change its secret", () => {
    const previous = "p".repeat(32);
    const env = { ...given, X402_FACILITATOR: "http", X402_FACILITATOR_URL: "https://f.example" };
    const { payments } = readConfig(handedOn({ ...env, PASS_SECRET_PREVIOUS: previous }));
    expect(payments?.passSecretPrevious).toBe(previous);
  });

  it("has every setting that is not the image's own", () => {
    const image =
      readFileSync(join(root, "Dockerfile"), "utf8")
        .match(/^ENV .+$/gm)
        ?.join(" ") ?? "";
    const ofImage = Object.keys(settingTable).filter((name) => new RegExp(`\\b${name}=`).test(image));
    expect(ofImage).toEqual(["HOST", "PORT", "DRAINER_DIR", "DATA_DIR"]);
    expect([...Object.keys(environment), ...ofImage].sort()).toEqual(Object.keys(settingTable).sort());
  });

  it("knows an empty setting from one that is not set", () => {
    const env = { RPC_URLS: "http://node", POSTGRES_PASSWORD: "word" };
    expect(readConfig(handedOn(env)).blockscoutUrl).toMatch(/^https:/);
    expect(readConfig(handedOn({ ...env, BLOCKSCOUT_URL: "", LOOKUPS: "off" }))).toMatchObject({
      ...{ blockscoutUrl: null, lookups: null, publicUrl: "http://localhost:8080" },
    });
    expect(readConfig(handedOn({ ...env, FREE_CALLS_PER_DAY: "5", HOST: "::1" })).host).toBe("127.0.0.1");
  });

  it("is open without X402_PAY_TO", () => {
    expect(readConfig(handedOn({ RPC_URLS: "http://node", POSTGRES_PASSWORD: "word" })).payments).toBeNull();
  });
});
