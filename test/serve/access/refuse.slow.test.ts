import { randomBytes } from "node:crypto";
import type { PaymentRequired } from "@x402/core/types";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findAnvil, startChain, type TestChain, untilAnswering, usdc } from "../../support/anvil.ts";
import { type MeteredServer, newDirectory, openMeteredServer, payTo } from "../../support/metered-server.ts";
import { decode, encode, type SignOptions, signPayment } from "../../support/payer.ts";
import { hashOf } from "../../support/sample.ts";

const seconds = () => Math.floor(Date.now() / 1000);

describe.skipIf(findAnvil() === undefined)("payments that are not taken", () => {
  let chain: TestChain;
  let server: MeteredServer;
  let required: PaymentRequired;
  let gasKey: `0x${string}`;
  const dataDir = newDirectory();

  beforeAll(async () => {
    chain = await startChain();
    gasKey = await chain.createGasKey();
    server = await openMeteredServer({
      rpcUrl: chain.url,
      gasKey,
      ledger: { dataDir },
      settings: { freeCallsPerDay: 0 },
    });
    required = decode((await server.explain(hashOf(1))).headers.get("payment-required"));
  });
  afterAll(async () => {
    await server?.close();
    await chain?.stop();
  });

  /** Signs as the test says and sends. Gives the answer and how much was paid. */
  async function attempt(
    options: Omit<SignOptions, "required" | "account">,
    change: (payload: object) => unknown = (same) => same,
  ) {
    const payer = await chain.createPayer(1_000_000n);
    const payload = await signPayment({ required, account: payer, ...options });
    const reply = await server.explain(hashOf(1), { "payment-signature": encode(change(payload)) });
    const body = (await reply.json()) as { error: string };
    return { status: reply.status, error: body.error, paid: 1_000_000n - (await chain.balance(payer.address)), body };
  }

  const other = "0x1111111111111111111111111111111111111111";
  const refused: [string, Omit<SignOptions, "required" | "account">, string][] = [
    [
      "expired",
      { authorization: { validBefore: String(seconds() - 5) } },
      "invalid_exact_evm_payload_authorization_valid_before",
    ],
    [
      "about to expire",
      { authorization: { validBefore: String(seconds() + 3) } },
      "invalid_exact_evm_payload_authorization_valid_before",
    ],
    [
      "too early",
      { authorization: { validAfter: String(seconds() + 600) } },
      "invalid_exact_evm_payload_authorization_valid_after",
    ],
    ["valid for a year", { authorization: { validBefore: String(seconds() + 31_536_000) } }, "payment_valid_too_long"],
    ["too little", { authorization: { value: "19999" } }, "invalid_exact_evm_payload_authorization_value_mismatch"],
    ["too much", { authorization: { value: "20001" } }, "invalid_exact_evm_payload_authorization_value_mismatch"],
    ["for somebody else", { authorization: { to: other } }, "invalid_exact_evm_recipient_mismatch"],
    ["signed by somebody else", { authorization: { from: other } }, "invalid_exact_evm_signature"],
    ["signed for another chain", { domain: { chainId: 84532 } }, "invalid_exact_evm_signature"],
    ["signed for another token name", { domain: { name: "USDC" } }, "invalid_exact_evm_signature"],
    ["accepting another amount", { accepted: { amount: "1" } }, "payment_mismatch"],
    ["accepting another recipient", { accepted: { payTo: other } }, "payment_mismatch"],
    ["accepting another network", { accepted: { network: "eip155:84532" } }, "payment_mismatch"],
    ["accepting another asset", { accepted: { asset: other } }, "payment_mismatch"],
    ["accepting another scheme", { accepted: { scheme: "upto" } }, "payment_mismatch"],
  ];

  it.each(refused)("%s", async (_name, options, error) => {
    expect(await attempt(options)).toMatchObject({ status: 402, error, paid: 0n });
  });

  it("accepts addresses in lower case", async () => {
    const accepted = { asset: usdc.toLowerCase(), payTo: payTo.toLowerCase() };
    expect(await attempt({ accepted })).toMatchObject({ status: 200, paid: 20_000n });
  });

  const edit = (part: object) => (payload: object) => ({ ...payload, ...part });
  const inPayload = (part: object) => (payload: object) => ({
    ...payload,
    payload: { ...(payload as { payload: object }).payload, ...part },
  });
  const inAuthorization = (part: object) => (payload: object) => {
    const { authorization } = (payload as { payload: { authorization: object } }).payload;
    return inPayload({ authorization: { ...authorization, ...part } })(payload);
  };

  it.each<[string, (payload: object) => unknown, string]>([
    ["another resource", edit({ resource: { url: "https://elsewhere.example/explain" } }), "resource_mismatch"],
    ["a pass", edit({ resource: { url: "https://txgloss.example/pass" } }), "resource_mismatch"],
    ["Permit2", edit({ payload: { signature: "0x00", permit2Authorization: {} } }), "unsupported_payload_type"],
    ["a signature of zeros", inPayload({ signature: `0x${"00".repeat(65)}` }), "invalid_exact_evm_signature"],
    ["a short signature", inPayload({ signature: "0x1234" }), "invalid_exact_evm_signature"],
    ["another nonce than signed", inAuthorization({ nonce: `0x${"11".repeat(32)}` }), "invalid_exact_evm_signature"],
  ])("made out for, or with, %s", async (_name, change, error) => {
    expect(await attempt({}, change)).toMatchObject({ status: 402, error, paid: 0n });
  });

  it("ignores other fields beside the authorization", async () => {
    const beside = inPayload({ permit2Authorization: { from: other } });
    expect(await attempt({}, beside)).toMatchObject({ status: 200, paid: 20_000n });
  });

  it.each<[string, (payload: object) => unknown]>([
    ["version 1", edit({ x402Version: 1 })],
    ["no version", edit({ x402Version: undefined })],
    ["no accepted", edit({ accepted: undefined })],
    ["no payload", edit({ payload: undefined })],
    ["a list", () => []],
    ["null", () => null],
    ["a number that is none", inAuthorization({ value: "abc" })],
    ["a negative number", inAuthorization({ value: "-1" })],
    ["a number of 300 digits", inAuthorization({ value: "9".repeat(300) })],
    ["a number as number", inAuthorization({ validBefore: 1 })],
    ["an address that is none", inAuthorization({ from: "0x12" })],
    ["a short nonce", inAuthorization({ nonce: "0x12" })],
    ["a signature that is no hex", inPayload({ signature: "0xzz" })],
    ["a resource that is text", edit({ resource: "x" })],
  ])("is 400 with %s", async (_name, change) => {
    expect(await attempt({}, change)).toMatchObject({ status: 400, error: "invalid_payment", paid: 0n });
  });

  it.each([
    ["not base64", "%%%"],
    ["base64 of no JSON", Buffer.from("{").toString("base64")],
    ["base64 of no UTF-8", Buffer.from([0xff, 0xfe, 0xfd]).toString("base64")],
    ["nothing", ""],
    ["13 KB", "A".repeat(13_000)],
  ])("is 400 when the header is %s", async (_name, header) => {
    const reply = await server.explain(hashOf(1), { "payment-signature": header });
    expect([reply.status, ((await reply.json()) as { error: string }).error]).toEqual([400, "invalid_payment"]);
  });

  it("is 431 with a header of 17 KB, as JSON", async () => {
    const reply = await server.explain(hashOf(1), { "payment-signature": "A".repeat(17_408) });
    expect([reply.status, await reply.json()]).toMatchObject([431, { error: "headers_too_large", retryable: false }]);
  });

  it("refuses a payer that has too little, and leaves no trace", async () => {
    const payer = await chain.createPayer(19_999n);
    const payload = await signPayment({ required, account: payer });
    const reply = await server.explain(hashOf(1), { "payment-signature": encode(payload) });
    expect(reply.status).toBe(402);
    expect(await chain.balance(payer.address)).toBe(19_999n);
  });

  it("does not sell a pass for the price of an explanation", async () => {
    const payer = await chain.createPayer(20_000_000n);
    const payload = await signPayment({ required, account: payer });
    const reply = await server.buyPass({ "payment-signature": encode({ ...payload, resource: undefined }) });
    expect([reply.status, ((await reply.json()) as { error: string }).error]).toEqual([402, "payment_mismatch"]);
    expect(await chain.balance(payer.address)).toBe(20_000_000n);
  });

  it("does not deliver twice for one payment after the ledger is lost", async () => {
    const payer = await chain.createPayer(1_000_000n);
    const header = { "payment-signature": encode(await signPayment({ required, account: payer })) };
    expect((await server.explain(hashOf(5), header)).status).toBe(200);
    const amnesiac = await openMeteredServer({ rpcUrl: chain.url, gasKey, settings: { freeCallsPerDay: 0 } });
    const reply = await amnesiac.explain(hashOf(5), header);
    expect(reply.status).toBe(402);
    expect(((await reply.json()) as { error: string }).error).toMatch(/^invalid_exact_evm_/);
    expect(await chain.balance(payer.address)).toBe(980_000n);
    await amnesiac.close();
  });

  it("charges neither an unknown transaction nor an outage of ours", async () => {
    const { ServiceError } = await import("../../../src/kernel/error.ts");
    for (const code of ["transaction_not_found", "upstream_unavailable", "internal"] as const) {
      const failing = await openMeteredServer({
        rpcUrl: chain.url,
        gasKey,
        gather: async () => {
          throw new ServiceError(code);
        },
      });
      const payer = await chain.createPayer(1_000_000n);
      const header = { "payment-signature": encode(await signPayment({ required, account: payer })) };
      const replies = await Promise.all([1, 2, 3].map(() => failing.explain(hashOf(6), header)));
      for (const reply of replies) expect(((await reply.json()) as { error: string }).error).toBe(code);
      const free = await failing.explain(hashOf(6));
      // It was given back: no free call is gone.
      expect(free.headers.get("ratelimit")).toMatch(/^"free";r=50;/);
      expect(await chain.balance(payer.address)).toBe(1_000_000n);
      await failing.close();
    }
  });

  it("asks for the price if there is no body, and says 501 if nothing is sold", async () => {
    const probe = await fetch(`${server.url}/explain`, { method: "POST" });
    expect([probe.status, ((await probe.json()) as { error: string }).error]).toEqual([402, "payment_required"]);
    const { openServer } = await import("../../support/server.ts");
    const { app } = openServer();
    const reply = await app.inject({ method: "POST", url: "/pass" });
    expect([reply.statusCode, reply.json().error]).toEqual([501, "payments_not_configured"]);
  });

  it("keeps a canceled authorization from buying anything", async () => {
    const payer = await chain.createPayer(1_000_000n);
    const nonce = `0x${randomBytes(32).toString("hex")}` as const;
    const payload = await signPayment({ required, account: payer, authorization: { nonce } });
    await cancel(chain, payer, nonce);
    const reply = await server.explain(hashOf(8), { "payment-signature": encode(payload) });
    expect(reply.status).toBe(402);
    expect(await chain.balance(payer.address)).toBe(1_000_000n);
  });
});

async function cancel(chain: TestChain, payer: Awaited<ReturnType<TestChain["createPayer"]>>, nonce: `0x${string}`) {
  const { parseSignature } = await import("viem");
  const { usdcAbi } = await import("../../support/anvil.ts");
  const signature = await payer.signTypedData({
    domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: usdc },
    types: {
      CancelAuthorization: [
        { name: "authorizer", type: "address" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "CancelAuthorization",
    message: { authorizer: payer.address, nonce },
  });
  const { r, s, yParity } = parseSignature(signature);
  const args = [payer.address, nonce, yParity + 27, r, s] as const;
  const hash = await chain.wallet.writeContract({
    address: usdc,
    abi: usdcAbi,
    functionName: "cancelAuthorization",
    args,
  });
  await untilAnswering(() => chain.reader.getTransactionReceipt({ hash }));
}
