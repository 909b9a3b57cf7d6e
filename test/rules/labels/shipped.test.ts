import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { getAddress } from "viem";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import schema from "../../../schemas/label.schema.json" with { type: "json" };
import { loadLabels } from "../../../src/rules/labels/load.ts";
import { labelsDir } from "../../support/labels.ts";
import { findShared } from "../../support/shared.ts";

const { labels, diagnostics } = loadLabels(labelsDir, []);
const files = readdirSync(labelsDir, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".yaml"));
const corpus = findShared("corpus", "tx");

describe("the shipped labels", () => {
  test("hold no mistake", () => {
    expect(diagnostics).toEqual([]);
  });

  test("list at least 150 tokens, 100 of them well known", () => {
    expect(labels.tokens().length).toBeGreaterThanOrEqual(150);
    expect(labels.tokens().filter((token) => token.wellKnown).length).toBeGreaterThanOrEqual(100);
  });

  test("give a well-known symbol to one token only, whatever the case", () => {
    const symbols = labels.tokens().map((token) => token.symbol.toLowerCase());
    const wellKnown = labels.tokens().filter((token) => token.wellKnown);
    const shared = wellKnown.filter(
      (token) => symbols.filter((symbol) => symbol === token.symbol.toLowerCase()).length > 1,
    );
    expect(shared).toEqual([]);
  });

  test("are in address order", () => {
    const addresses = labels.tokens().map((token) => token.address);
    expect(addresses).toEqual([...addresses].sort());
  });

  test("know the decimals of tokens that they do not list otherwise, in EIP-55 form", () => {
    const text = readFileSync(join(labelsDir, "decimals.yaml"), "utf8");
    const addresses = [...text.matchAll(/"(0x[0-9a-fA-F]{40})"/g)].map((found) => String(found[1]));
    expect(addresses.length).toBeGreaterThan(1000);
    expect(addresses.filter((address) => getAddress(address) !== address)).toEqual([]);
    expect(labels.decimals("0x46777c76dbbe40fabb2aab99e33ce20058e76c59")).toBe(18);
    expect(labels.token("0x46777c76dbbe40fabb2aab99e33ce20058e76c59")).toBeUndefined();
  });

  test("know USDC in any case, and nothing of a stranger", () => {
    const usdc = {
      address: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      symbol: "USDC",
      name: "USD Coin",
      decimals: 6,
      wellKnown: true,
      silentSpends: true,
    };
    expect(labels.token("0x833589fcd6edb6e08f4c7c32d4f71b54bda02913")).toEqual(usdc);
    expect(labels.token("0x00000000000000000000000000000000000f00d5")).toBeUndefined();
    expect(labels.name("0x00000000000000000000000000000000000f00d5")).toBeUndefined();
    expect(labels.token("constructor")).toBeUndefined();
  });

  test.each([
    ["0xa9d1e08c7793af67e9d92fe308d5697fb81d3e43", "Coinbase 10", "exchange"],
    ["0x4200000000000000000000000000000000000010", "L2StandardBridge", "predeploy"],
    ["0xf70da97812cb96acdf810712aa562db8dfa3dbef", "Relay solver", "relayer"],
    ["0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70", "Chainlink ETH / USD feed", "oracle"],
  ])("name %s %s", (address, label, category) => {
    expect(labels.name(address)).toEqual({ address, label, category });
  });

  test.each([
    ["multicall3", ["0xca11bde05977b3631167028862be2a173976ca11"]],
    ["eth_usd_feed", ["0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70"]],
    ["weth", ["0x4200000000000000000000000000000000000006"]],
    ["usdc", ["0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"]],
    ["l1_attributes_depositor", ["0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001"]],
    ["no_such_role", []],
  ])("role %s", (role, addresses) => {
    expect(labels.system(role)).toEqual(addresses);
  });

  test.each([
    ["eip155", "8453", "Base"],
    ["eip155", "1", "Ethereum"],
    ["lz_eid", "111", "OP Mainnet"],
    ["lz_eid", "30110", "Arbitrum One"],
    ["cctp_domain", "0", "Ethereum"],
    ["cctp_domain", "5", "Solana"],
    ["wormhole", "30", "Base"],
    ["axelar", "Avalanche", "Avalanche"],
    ["axelar", "ethereum", "Ethereum"],
    ["hyperlane", "1399811149", "Solana"],
    ["hyperlane", "42161", "Arbitrum One"],
    ["across", "34268394551451", "Solana"],
    ["debridge", "100000022", "HyperEVM"],
    ["cctp_domain", "8453", undefined],
    ["eip155", "999999999999", undefined],
    ["no_such_scheme", "1", undefined],
    ["eip155", "__proto__", undefined],
  ])("chain %s %s is %s", (scheme, id, name) => {
    expect(labels.chain(scheme, id)).toBe(name);
  });

  test("spell a chain alike in every scheme", () => {
    const chains = parse(readFileSync(join(labelsDir, "chains.yaml"), "utf8")) as {
      schemes: Record<string, { names: Record<string, string> }>;
    };
    const spellings = new Map<string, Set<string>>();
    for (const { names } of Object.values(chains.schemes)) {
      for (const name of Object.values(names)) {
        const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
        spellings.set(plain, (spellings.get(plain) ?? new Set()).add(name));
      }
    }
    expect(spellings.size).toBeGreaterThanOrEqual(60);
    expect([...spellings.values()].filter((names) => names.size > 1)).toEqual([]);
  });

  test("agree with the whole-file schema, which is itself valid", () => {
    const validate = new Ajv2020({ strict: true, keywords: ["patternErrorMessage"] }).compile(schema);
    for (const name of files) {
      expect([name, validate(parse(readFileSync(join(labelsDir, name), "utf8"))), validate.errors]).toEqual([
        name,
        true,
        null,
      ]);
    }
    expect(validate({ schema: "tokens/v1", sources: {} })).toBe(false);
  });

  test.skipIf(corpus === undefined)("have the decimals that recorded transactions give", () => {
    const differing: string[] = [];
    let compared = 0;
    for (const file of readdirSync(corpus ?? "")) {
      const { tokens } = JSON.parse(readFileSync(join(corpus ?? "", file), "utf8")) as {
        tokens?: Record<string, { decimals?: number }>;
      };
      for (const [address, recorded] of Object.entries(tokens ?? {})) {
        const token = labels.token(address);
        if (token === undefined || typeof recorded.decimals !== "number") continue;
        compared++;
        if (recorded.decimals !== token.decimals) differing.push(`${token.symbol} ${recorded.decimals}`);
      }
    }
    expect(compared).toBeGreaterThan(50);
    expect(differing).toEqual([]);
  });
});
