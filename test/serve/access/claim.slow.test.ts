import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { PaymentPayload } from "@x402/core/types";
import { decodeFunctionData, type Hex, parseAbi, serializeSignature } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import { claimMessage } from "../../../src/serve/access/payment/claim.ts";
import type { PaymentSettings } from "../../../src/serve/settings/payment-settings.ts";
import { findAnvil, startChain, type TestChain } from "../../support/anvil.ts";
import { mcpClients } from "../../support/mcp-client.ts";
import {
  type MeteredServer,
  type MeteredServerOptions,
  newDirectory,
  openMeteredServer,
  passSecret,
  publicUrl,
} from "../../support/metered-server.ts";
import { decode, encode, nonceOf, signPayment } from "../../support/payer.ts";

const buyerAddress = { "x-forwarded-for": "192.0.2.10" };
const thiefAddress = { "x-forwarded-for": "198.51.100.20" };
const refused = { error: "pass_claimed_elsewhere", retryable: false };
/** The token of the same pass, made anew. */
const sameAs = (token: string) => expect.stringMatching(new RegExp(`^${token.slice(0, 29)}(?!${token.slice(29)})`));
const start = Math.floor(Date.now() / 1000);

/** What a transaction that settles a payment calls. */
const settleAbi = parseAbi([
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
]);

describe.skipIf(findAnvil() === undefined)("the pass of a settled payment", { timeout: 60_000 }, () => {
  let chain: TestChain;
  let gasKey: Hex;
  let server: MeteredServer;
  let payer: PrivateKeyAccount;
  let now = start;
  const dataDir = newDirectory();

  const open = (settings: Partial<PaymentSettings> = {}, change?: MeteredServerOptions["change"]) =>
    openMeteredServer({
      ...{ rpcUrl: chain.url, gasKey, ledger: { dataDir }, now: () => now * 1000 },
      settings: { freeCallsPerDay: 0, passCalls: 3, trustProxy: ["loopback"], ...settings },
      ...(change === undefined ? {} : { change }),
    });

  beforeAll(async () => {
    chain = await startChain();
    gasKey = await chain.createGasKey();
    server = await open();
    payer = await chain.createPayer(900_000_000n);
  });
  afterAll(async () => {
    await server?.close();
    await chain?.stop();
  });

  async function sign(): Promise<PaymentPayload> {
    return signPayment({ required: decode((await server.buyPass()).headers.get("payment-required")), account: payer });
  }

  interface Reply {
    status: number;
    // biome-ignore lint/suspicious/noExplicitAny: answers are compared by their fields.
    body: any;
  }

  async function send(payload: PaymentPayload, headers: Record<string, string>): Promise<Reply> {
    const reply = await server.buyPass({ "payment-signature": encode(payload), ...headers });
    const body = (await reply.json()) as object;
    return { status: reply.status, body: { ...body, receipt: reply.headers.get("payment-response") } };
  }

  async function buy() {
    const payload = await sign();
    const { status, body } = await send(payload, buyerAddress);
    expect(status).toBe(200);
    return { payload, token: body.pass_token as string, transaction: decode(body.receipt).transaction as Hex };
  }

  /** Everything that the thief knows: the chain and the public offer. */
  async function rebuild(transaction: Hex): Promise<PaymentPayload> {
    const { input } = await chain.reader.getTransaction({ hash: transaction });
    const { args } = decodeFunctionData({ abi: settleAbi, data: input });
    const [from, to, value, validAfter, validBefore, nonce, last, r, s] = args;
    const signature =
      typeof last === "string" ? last : serializeSignature({ v: BigInt(last), r: r as Hex, s: s as Hex });
    const required = decode((await server.buyPass()).headers.get("payment-required"));
    const numbers = { value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) };
    return {
      ...{ x402Version: 2, resource: required.resource, accepted: required.accepts[0] },
      payload: { signature, authorization: { from, to, nonce, ...numbers } },
    };
  }

  async function claim(payload: PaymentPayload, by: PrivateKeyAccount, parts: object = {}): Promise<string> {
    const said = { publicUrl, nonce: nonceOf(payload), time: String(now), ...parts };
    return `${now} ${await by.signMessage({ message: claimMessage(said) })}`;
  }

  it("is given again to its buyer, and not to a thief who rebuilds the payment from the chain", async () => {
    const { payload, token, transaction } = await buy();
    const stolen = await rebuild(transaction);
    expect(stolen.payload).toEqual(payload.payload);
    const theft = await send(stolen, thiefAddress);
    expect([theft.status, theft.body]).toMatchObject([409, refused]);
    expect(JSON.stringify(theft)).not.toContain("svc_");
    const again = await send(payload, buyerAddress);
    expect([again.status, again.body.pass_token]).toEqual([200, sameAs(token)]);
  });

  it("is refused over MCP too, and given there to the buyer", async () => {
    const { payload, token, transaction } = await buy();
    const stolen = await rebuild(transaction);
    const connect = mcpClients["client 2.x, legacy"] as (typeof mcpClients)[string];
    const callFrom = async (address: Record<string, string>, meta: Record<string, unknown>) => {
      const from = (url: Parameters<typeof fetch>[0], init?: RequestInit) => {
        const headers = new Headers(init?.headers);
        headers.set("x-forwarded-for", address["x-forwarded-for"] as string);
        return fetch(url, { ...init, headers });
      };
      const client = await connect(`${server.url}/mcp`, { fetch: from as typeof fetch });
      try {
        return await client.call("buy_pass", {}, meta);
      } finally {
        await client.close();
      }
    };
    const theft = await callFrom(thiefAddress, { "x402/payment": stolen });
    expect(theft.isError).toBe(true);
    expect(JSON.stringify(theft)).toContain("pass_claimed_elsewhere");
    expect(JSON.stringify(theft)).not.toContain("svc_");
    const again = await callFrom(buyerAddress, { "x402/payment": payload });
    expect(again.structuredContent.pass_token).toEqual(sameAs(token));
    const moved = { "x402/payment": payload, "svc/claim": await claim(payload, payer) };
    expect((await callFrom(thiefAddress, moved)).structuredContent.pass_token).toEqual(sameAs(token));
  });

  it("is given at another address for a claim that the payer signed, and for no other", async () => {
    const { payload, token } = await buy();
    const other = await chain.createPayer(1n);
    const { payload: otherPayload } = await buy();
    const moved = async (text: string) => send(payload, { ...thiefAddress, "x-svc-claim": text });
    const wrong = [
      "",
      "yes",
      `${now}`,
      `${now} 0x`,
      `${now} 0x${"00".repeat(65)}`,
      `${now} ${payload.payload.signature as string}`,
      `${now} 0x${"00".repeat(7_000)}`.slice(0, 13_000),
      await claim(payload, other),
      await claim(otherPayload, payer),
      await claim(payload, payer, { publicUrl: "https://elsewhere.example" }),
      await claim(payload, payer, { time: String(now + 1) }),
    ];
    for (const text of wrong) expect((await moved(text)).body, text.slice(0, 200)).toMatchObject(refused);
    const good = await claim(payload, payer);
    const given = await moved(good);
    expect([given.status, given.body.pass_token]).toEqual([200, sameAs(token)]);
    now += 301;
    expect((await moved(good)).body).toMatchObject({ ...refused, message: expect.stringContaining("time") });
    now -= 602;
    expect((await moved(good)).body).toMatchObject(refused);
    now += 301;
  });

  it("is given for a claim that the contract of the payer accepts (EIP-1271)", async () => {
    const { payload, token } = await buy();
    const moved = () => send(payload, { ...thiefAddress, "x-svc-claim": `${now} 0x${"01".repeat(65)}` });
    const address = payer.address;
    // The code of a contract that always returns the given word.
    const codeThatSays = (word: string) => `0x63${word}60e01b60005260206000f3` as const;
    await chain.control.setCode({ address, bytecode: codeThatSays("ffffffff") });
    expect((await moved()).body).toMatchObject(refused);
    await chain.control.setCode({ address, bytecode: codeThatSays("1626ba7e") });
    expect((await moved()).body.pass_token).toEqual(sameAs(token));
    await chain.control.setCode({ address, bytecode: "0x" });
  });

  it("is picked up by its buyer after a crash in the middle, and not by the thief who watched the chain", async () => {
    await server.close();
    // The transfer is on chain, but the ledger is not told.
    const settlePayment = () => Promise.reject(new ServiceError("ledger_unavailable"));
    server = await open({}, (parts) => ({ ...parts, ledger: { ...parts.ledger, settlePayment } }));
    const payload = await sign();
    expect((await send(payload, buyerAddress)).status).toBe(503);
    expect(await chain.isUsed(payer.address, nonceOf(payload))).toBe(true);
    await server.close();
    server = await open();
    expect((await send(payload, thiefAddress)).body).toMatchObject(refused);
    const picked = await send(payload, buyerAddress);
    expect([picked.status, picked.body.pass_token]).toEqual([200, expect.stringContaining("svc_")]);
    expect((await send(payload, thiefAddress)).body).toMatchObject(refused);
  });

  it("may be followed by anybody while it is under way, and goes to the buyer only", async () => {
    const payload = await sign();
    const replies = await Promise.all([
      send(payload, buyerAddress),
      ...Array.from({ length: 5 }, () => send(payload, thiefAddress)),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 409, 409, 409, 409, 409]);
    expect(JSON.stringify(replies.slice(1))).not.toContain("svc_");
  });

  it("is known by its buyer after the secret changed once", async () => {
    const { payload, token } = await buy();
    await server.close();
    server = await open({ passSecret: "another secret of the tests, long enough", passSecretPrevious: passSecret });
    expect((await send(payload, thiefAddress)).body).toMatchObject(refused);
    expect((await send(payload, buyerAddress)).body.pass_token).toEqual(sameAs(token));
    await server.close();
    server = await open();
  });

  it("is given only for a claim if the row has no buyer, like rows of older versions", async () => {
    const { payload, token } = await buy();
    const file = new DatabaseSync(join(dataDir, "ledger.sqlite"));
    const rows = file
      .prepare("SELECT buyer FROM payments")
      .all()
      .map(({ buyer }) => buyer);
    expect(new Set(rows).size).toBe(rows.length);
    file.prepare("UPDATE payments SET buyer = NULL WHERE nonce = ?").run(nonceOf(payload).toLowerCase());
    file.close();
    expect((await send(payload, buyerAddress)).body).toMatchObject(refused);
    const claimed = await send(payload, { ...buyerAddress, "x-svc-claim": await claim(payload, payer) });
    expect(claimed.body.pass_token).toEqual(sameAs(token));
  });
});
