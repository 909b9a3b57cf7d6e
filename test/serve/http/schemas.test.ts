import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { type ErrorCode, errorTable } from "../../../src/kernel/error.ts";
import { explanationOf, hashOf } from "../../support/sample.ts";
import { compileSchema, type Json, readSchema } from "../../support/schema.ts";
import { openServer } from "../../support/server.ts";

const codes = Object.keys(errorTable) as ErrorCode[];

describe("the schemas", () => {
  it("list exactly the codes of the error table", () => {
    const schema: Json = readSchema("error");
    expect(schema.properties.error.enum).toEqual(codes);
    const health: Json = readSchema("health");
    expect(health.properties.explanations.propertyNames.enum).toEqual(["success", "reverted", ...codes]);
  });

  it("ask for a request id with internal, and only there", () => {
    const isError = compileSchema("error");
    for (const error of codes) {
      const body = { error, message: "x", retryable: false };
      expect(isError(body)).toBe(error !== "internal");
      expect(isError({ ...body, request_id: "1" })).toBe(error === "internal");
    }
  });

  it("are closed at every object", () => {
    const open: string[] = [];
    const walk = (node: Json, path: string): void => {
      if (node === null || typeof node !== "object") return;
      if (node.type === "object" && node.additionalProperties === undefined) open.push(path);
      for (const [key, child] of Object.entries(node)) walk(child, `${path}/${key}`);
    };
    for (const name of [
      "explanation",
      "request",
      "view",
      "view-request",
      "evidence",
      "error",
      "health",
      "pass",
      "payment-required",
    ] as const)
      walk(readSchema(name), name);
    expect(open).toEqual([]);
  });
});

describe("schemas/explanation.schema.json", () => {
  const isExplanation = compileSchema("explanation");
  const good = explanationOf(hashOf(1));
  const asset = good.assets_moved[0];
  const nft = { ...asset, amount: "1", token_id: "7", standard: "erc721" };
  const withAsset = (parts: object) => ({ ...good, assets_moved: [{ ...asset, ...parts }] });

  it.each<[string, object]>([
    ["the usual", good],
    ["nulls where they may be", { ...good, gas_paid_usd: null, checks: { ...good.checks, note: null } }],
    ["an NFT with its id", { ...good, assets_moved: [nft] }],
    ["native ether", withAsset({ standard: "native", token_address: null, token: "ETH" })],
    ["zero", withAsset({ amount: "0" })],
    ["the largest amount", withAsset({ amount: (2n ** 256n - 1n).toString() })],
    ["480 characters", { ...good, summary: "x".repeat(480) }],
  ])("takes %s", (_name, value) => {
    expect(isExplanation(value), JSON.stringify(isExplanation.errors)).toBe(true);
  });

  it.each<[string, object]>([
    ["a field more", { ...good, extra: 1 }],
    ["a field less", { ...good, partial: undefined }],
    ["an asset's field more", withAsset({ extra: 1 })],
    ["an empty summary", { ...good, summary: "" }],
    ["481 characters", { ...good, summary: "x".repeat(481) }],
    ["a line break in the summary", { ...good, summary: "a\nb" }],
    ["a text direction override", { ...good, summary: "a\u202eb" }],
    ["a control character in a symbol", withAsset({ token: "U\u0000SDC" })],
    ["an exponent", withAsset({ amount: "1e18" })],
    ["trailing zeros", withAsset({ amount: "1.50" })],
    ["leading zeros", withAsset({ amount: "01" })],
    ["a negative amount", withAsset({ amount: "-1" })],
    ["a numeric amount", withAsset({ amount: 1 })],
    ["a token id on a fungible", withAsset({ token_id: "1" })],
    ["an NFT without id", withAsset({ standard: "erc1155" })],
    ["native with an address", withAsset({ standard: "native" })],
    ["a token without address", withAsset({ token_address: null })],
    ["an upper-case hash", { ...good, tx_hash: hashOf(0xabc).toUpperCase().replace("0X", "0x") }],
    ["another explorer", { ...good, explorer_url: `https://basescan.org.evil/tx/${hashOf(1)}` }],
    ["milliseconds", { ...good, timestamp: "2023-11-14T22:13:20.000Z" }],
    ["101 counterparties", { ...good, counterparties: Array(101).fill(good.counterparties[0]) }],
    ["an unknown flag", { ...good, risk_flags: [{ flag: "scary", detail: "x" }] }],
    ["a status of its own", { ...good, status: "pending" }],
  ])("refuses %s", (_name, value) => {
    expect(isExplanation(JSON.parse(JSON.stringify(value)))).toBe(false);
  });
});

describe("schemas/request.schema.json", () => {
  // The server reads requests without a validator. It must accept exactly what the schema allows.
  const isRequest = new Ajv2020().compile(readSchema("request"));

  it.each<[unknown]>([
    [{ tx_hash: hashOf(1) }],
    [{ tx_hash: hashOf(0xabcdef).toUpperCase().replace("0X", "0x") }],
    [{ tx_hash: hashOf(1).replace("0x", "0X") }],
    [{ tx_hash: hashOf(1), x: 1 }],
    [{ tx_hash: hashOf(1).slice(2) }],
    [{ tx_hash: `${hashOf(1)}0` }],
    [{ tx_hash: null }],
    [{ hash: hashOf(1) }],
    [{}],
    [[]],
    [null],
    ["x"],
  ])("agrees with the server about %j", async (body) => {
    const { app } = openServer();
    const headers = { "content-type": "application/json" };
    const response = await app.inject({ method: "POST", url: "/explain", headers, payload: JSON.stringify(body) });
    expect(response.statusCode === 200).toBe(isRequest(body));
  });
});
