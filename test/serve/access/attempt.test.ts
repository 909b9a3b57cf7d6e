import type { FacilitatorClient } from "@x402/core/server";
import type { PaymentPayload } from "@x402/core/types";
import { describe, expect, it } from "vitest";
import type { Product } from "../../../src/serve/access/ledger/rows.ts";
import { type PurchaseRequest, payloadOf, precheck, prepare } from "../../../src/serve/access/payment/attempt.ts";
import type { ResourcePath } from "../../../src/serve/access/payment/offers.ts";
import { readPayment } from "../../../src/serve/access/payment/payment.ts";
import { openX402Server, readCurrency } from "../../../src/serve/access/payment/x402-server.ts";
import { priceListOf } from "../../../src/serve/access/price-list.ts";
import type { Client } from "../../../src/serve/access/quota/client-address.ts";
import { settingsOf } from "../../support/metered-server.ts";

const settings = { ...settingsOf({ rpcUrl: "", gasKey: `0x${"1".repeat(64)}` }), publicUrl: "https://x.example" };
const none = async () => ({}) as never;
const client: FacilitatorClient = { verify: none, settle: none, getSupported: none };
const currency = await readCurrency();
const { offers } = await openX402Server(settings, currency, client);
const now = 1_000_999;
const terms = offers.requirements("explain", 0n);
const payer = `0x${"a1".repeat(20)}`;
const nonce = `0x${"5b".repeat(32)}`;

interface Parts {
  product?: Product;
  resource?: ResourcePath;
  lines?: number;
  url?: string | null;
  amount?: string;
  /** The terms in the payment, where they differ from the offer. */
  accepted?: object;
  authorization?: object;
  request?: string;
}

function attemptOf(parts: Parts = {}) {
  const { product = "explain", resource = "/explain", amount = terms.amount, url = null } = parts;
  const authorization = {
    ...{ from: payer, to: terms.payTo, value: amount, validAfter: "0", validBefore: "87400", nonce },
    ...parts.authorization,
  };
  const payment = readPayment({
    x402Version: 2,
    accepted: { ...terms, amount, ...parts.accepted },
    payload: { signature: "0xab", authorization, more: 1 },
    ...(url === null ? {} : { resource: { url, description: "mine" } }),
    extensions: { mine: true },
  });
  const request: PurchaseRequest = {
    ...{ product, resource, payment, client: "c" as Client, request: parts.request ?? "r" },
    ...(parts.lines === undefined ? {} : { lines: parts.lines }),
  };
  return prepare(offers, request);
}

const inCapitals = (address: string) => `0x${address.slice(2).toUpperCase()}`;
const check = (parts: Parts) => precheck({ offers, now: () => now }, attemptOf(parts) as never);

describe("what a payment shows without a network", () => {
  const pass = { product: "pass", resource: "/pass", amount: "9000000" } as const;
  const batch = { product: "batch", resource: "/explain/batch" } as const;
  const x = "https://x.example";
  const short = "invalid_exact_evm_payload_authorization_valid_before";
  it.each<[string, Parts, string | null]>([
    ["all is well", {}, null],
    [
      "addresses in lower case",
      { accepted: { asset: terms.asset.toLowerCase(), payTo: terms.payTo.toLowerCase() } },
      null,
    ],
    ["addresses in capitals", { accepted: { asset: inCapitals(terms.asset), payTo: inCapitals(terms.payTo) } }, null],
    ["another asset", { accepted: { asset: payer } }, "payment_mismatch"],
    ["another receiver", { accepted: { payTo: payer } }, "payment_mismatch"],
    ["another network", { accepted: { network: "eip155:1" } }, "payment_mismatch"],
    ["another scheme", { accepted: { scheme: "upto" } }, "payment_mismatch"],
    ["another price", { amount: "20001" }, "payment_mismatch"],
    ["the price of something else", { amount: "9000000" }, "payment_mismatch"],
    ["a pass", pass, null],
    ["one line", { ...batch, amount: "20000" }, null],
    ["as many lines as are asked for", { ...batch, amount: "60000", lines: 3 }, null],
    ["more lines than are asked for", { ...batch, amount: "2000000", lines: 3 }, null],
    ["fewer lines than are asked for", { ...batch, amount: "40000", lines: 3 }, "payment_mismatch"],
    ["more lines than there may be", { ...batch, amount: "2020000" }, "payment_mismatch"],
    ["half a line", { ...batch, amount: "30000" }, "payment_mismatch"],
    ["an authorization for somebody else", { authorization: { to: payer } }, "invalid_exact_evm_recipient_mismatch"],
    [
      "an authorization of less",
      { authorization: { value: "19999" } },
      "invalid_exact_evm_payload_authorization_value_mismatch",
    ],
    ["an authorization that ends before its work may end", { authorization: { validBefore: "1017" } }, short],
    ["an authorization that lasts for the work", { authorization: { validBefore: "1018" } }, null],
    ["an authorization that is over, which its facilitator refuses", { authorization: { validBefore: "1000" } }, null],
    ["an authorization for a day", { authorization: { validBefore: "87400" } }, null],
    ["an authorization for longer", { authorization: { validBefore: "87401" } }, "payment_valid_too_long"],
    ["made out for it", { url: `${x}/explain` }, null],
    ["made out for another call", { url: `${x}/tx` }, null],
    ["made out for MCP", { url: `${x}/mcp` }, null],
    ["made out for a pass", { url: `${x}/pass` }, "resource_mismatch"],
    ["made out for somebody else", { url: "https://y.example/explain" }, "resource_mismatch"],
    ["a pass made out for it", { ...pass, url: `${x}/pass` }, null],
    ["a pass made out for MCP", { ...pass, url: `${x}/mcp` }, null],
    ["a pass made out for a call", { ...pass, url: `${x}/explain` }, "resource_mismatch"],
    ["a batch made out for it", { ...batch, url: `${x}/explain/batch` }, null],
    ["a batch made out for MCP", { ...batch, url: `${x}/mcp` }, "resource_mismatch"],
  ])("%s", (_name, parts, reason) => {
    expect(check(parts)).toBe(reason);
  });
});

describe("the name of a payment", () => {
  it("is its authorization, and the request is hashed", () => {
    const one = attemptOf();
    expect(one?.key).toBe(`eip155:8453|${terms.asset}|${payer}|${nonce}`.toLowerCase());
    expect(one?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(attemptOf({ resource: "/tx" })?.fingerprint).toBe(one?.fingerprint);
    expect(attemptOf({ request: "s" })?.fingerprint).not.toBe(one?.fingerprint);
    expect(attemptOf({ product: "pass" })?.fingerprint).not.toBe(one?.fingerprint);
  });

  it("does not exist if the payment is of another kind", () => {
    const payment = { payload: {} as PaymentPayload, authorization: null };
    const request = { product: "explain", resource: "/explain", request: "r", payment, client: "c" as Client } as const;
    expect(prepare(offers, request)).toBeNull();
    expect(offers.match("explain", payment, terms)).toBe("unsupported_payload_type");
  });

  it("is shown to a facilitator with our words and its own fields alone", () => {
    const attempt = attemptOf({ url: "https://x.example/explain", accepted: { payTo: terms.payTo.toLowerCase() } });
    const { from, to, value, validAfter, validBefore } = {
      ...(
        attempt as never as {
          request: { payment: { payload: { payload: { authorization: Record<string, string> } } } };
        }
      ).request.payment.payload.payload.authorization,
    };
    expect(payloadOf(attempt as never)).toEqual({
      x402Version: 2,
      ...offers.soldAs("explain", "/explain"),
      accepted: terms,
      payload: { signature: "0xab", authorization: { from, to, value, validAfter, validBefore, nonce } },
    });
  });
});

describe("what is sold", () => {
  it.each([
    [0n, null],
    [19_999n, null],
    [20_000n, 1],
    [20_001n, null],
    [2_000_000n, 100],
    [2_020_000n, null],
    [-20_000n, null],
  ])("%s base units pay for %s lines", (amount, lines) => {
    expect(offers.linesOf(amount)).toBe(lines);
  });

  it("may be a line for the least amount that there is", async () => {
    const least = await openX402Server({ ...settings, priceExplain: 1n }, currency, client);
    expect([0n, 1n, 100n, 101n].map(least.offers.linesOf)).toEqual([null, 1, 100, null]);
  });

  it("is one of it unless more are asked for", () => {
    for (const product of ["explain", "batch"] as const)
      expect(offers.challenge(product, "/explain", []).required.accepts).toMatchObject([{ amount: "20000" }]);
    expect(offers.challenge("explain", "/explain", []).required.x402Version).toBe(2);
  });

  it.each<[ResourcePath, string]>([
    ["/view", "What one Base transaction did to one account, as JSON. 50 a day are free;"],
    ["/mcp#view_transaction", "What one Base transaction did to one account, as JSON. 50 a day are free;"],
    [
      "/mcp#preview_transaction",
      "What a Base transaction or a message would do, before it is signed, as JSON. 50 a day",
    ],
    ["/mcp#explain_transaction", "One Base transaction explained in plain English, as JSON. 50 a day are free;"],
    ["/tx", "One Base transaction explained in plain English, as JSON. 50 a day are free;"],
  ])("says at %s what it gives", (path, words) => {
    const { resource, extensions } = offers.soldAs("explain", path);
    expect(resource.description?.slice(0, words.length)).toBe(words);
    expect(resource.tags).toEqual(["base", "transactions", "explain", "wallet", "security"]);
    expect(extensions === undefined).toBe(path === "/tx");
    expect("extensions" in offers.soldAs("explain", path)).toBe(path !== "/tx");
  });

  it("has terms in the token of the network, valid for two minutes", () => {
    expect(terms).toEqual({
      ...{ scheme: "exact", network: "eip155:8453", amount: "20000", asset: currency.asset, payTo: terms.payTo },
      ...{ maxTimeoutSeconds: 120, extra: { name: "USD Coin", version: "2" } },
    });
    expect(terms.payTo.toLowerCase()).toBe(settings.payTo);
    expect(offers.requirements("pass", 1n).amount).toBe("9000000");
    expect(offers.requirements("batch", 60_000n).amount).toBe("60000");
    expect(currency.decimals).toBe(6);
  });

  it.each<[Product, ResourcePath, number, string, string, string]>([
    [
      "explain",
      "/explain",
      1,
      "20000",
      "/explain",
      "One Base transaction explained in plain English, as JSON. 50 a day are free; one costs 0.02 USDC, or take a pass (POST /pass).",
    ],
    [
      "batch",
      "/explain/batch",
      7,
      "140000",
      "/explain/batch",
      "Up to 100 Base transactions explained in plain English, one JSON line each, at 0.02 USDC a line. What is paid for and not answered stays as credit on the payment.",
    ],
    ["pass", "/pass", 1, "9000000", "/pass", "A pass for 10000 explanations within 30 days, for 9 USDC."],
    ["pass", "/mcp#buy_pass", 1, "9000000", "/mcp", "A pass for 10000 explanations within 30 days, for 9 USDC."],
  ])("%s at %s, %d times", (product, path, lines, amount, where, description) => {
    const { required, body, header, kind } = offers.challenge(
      product,
      path,
      ["payment_required", "pass_expired"],
      lines,
    );
    expect(kind).toBe("challenged");
    expect(required.error).toBe("payment_required, pass_expired");
    expect(required.accepts.map((one) => one.amount)).toEqual([amount]);
    expect(required.resource).toMatchObject({
      url: `https://x.example${where}`,
      mimeType: "application/json",
      serviceName: "txgloss",
    });
    expect(required.resource?.description).toContain(description);
    expect(JSON.parse(String(body))).toEqual(required);
    expect(Buffer.from(header, "base64")).toEqual(body);
    expect(offers.challenge(product, path, ["payment_required", "pass_expired"], lines).body).toBe(body);
    expect(offers.challenge(product, path, ["payment_required"], lines).required.error).toBe("payment_required");
  });

  it("has a list of prices", () => {
    expect(priceListOf(settings)).toEqual({
      ...{ publicUrl: "https://x.example", call: "0.02", batch: "2", pass: "9" },
      ...{ passCalls: 10_000, passDays: 30, freeCallsPerDay: 50 },
    });
  });
});
