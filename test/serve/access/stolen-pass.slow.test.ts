import { createHash, randomBytes } from "node:crypto";
import type { PaymentPayload } from "@x402/core/types";
import { type Hex, parseSignature, serializeSignature } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimMessage } from "../../../src/serve/access/payment/claim.ts";
import { findAnvil, startChain, type TestChain } from "../../support/anvil.ts";
import { mcpClients } from "../../support/mcp-client.ts";
import { type MeteredServer, openMeteredServer, publicUrl } from "../../support/metered-server.ts";
import { decode, encode, nonceOf, signPayment } from "../../support/payer.ts";
import { hashOf } from "../../support/sample.ts";
import { hashes, post } from "./paid-batch.ts";

const home = { "x-forwarded-for": "192.0.2.10" };
const elsewhere = { "x-forwarded-for": "198.51.100.20" };
const start = Math.floor(Date.now() / 1000);
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** A purchase, as its buyer knows it. `secret` undefined: it is bound to none. */
interface Purchase {
  payload: PaymentPayload;
  token: string;
  secret: string | undefined;
}

describe.skipIf(findAnvil() === undefined)("a pass that somebody bought", { timeout: 120_000 }, () => {
  let chain: TestChain;
  let server: MeteredServer;
  /** Stands behind a proxy that it does not know. */
  let careless: MeteredServer;
  let payer: PrivateKeyAccount;
  let thief: PrivateKeyAccount;
  let now = start;

  beforeAll(async () => {
    chain = await startChain();
    const shared = { rpcUrl: chain.url, now: () => now * 1000 };
    const settings = { freeCallsPerDay: 0, passCalls: 3 };
    server = await openMeteredServer({
      ...{ ...shared, gasKey: await chain.createGasKey() },
      settings: { ...settings, trustProxy: ["loopback"] },
    });
    careless = await openMeteredServer({ ...shared, gasKey: await chain.createGasKey(), settings });
    payer = await chain.createPayer(900_000_000n);
    thief = await chain.createPayer(900_000_000n);
  });
  afterAll(async () => {
    await Promise.all([server?.close(), careless?.close()]);
    await chain?.stop();
  });

  const keyOf = (secret: string) => createHash("sha256").update(secret).digest("hex");

  async function send(payload: PaymentPayload, headers: Record<string, string>, at = server) {
    const reply = await at.buyPass({ "payment-signature": encode(payload), ...headers });
    // biome-ignore lint/suspicious/noExplicitAny: answers are compared by their fields.
    return { status: reply.status, body: (await reply.json()) as any };
  }

  async function buy({ bound = false } = {}): Promise<Purchase> {
    const required = decode((await server.buyPass()).headers.get("payment-required"));
    const payload = await signPayment({ required, account: payer });
    const secret = bound ? randomBytes(32).toString("hex") : undefined;
    const key: Record<string, string> = secret === undefined ? {} : { "x-svc-claim-key": keyOf(secret) };
    const { status, body } = await send(payload, { ...home, ...key });
    expect(status, JSON.stringify(body)).toBe(200);
    return { payload, token: body.pass_token as string, secret };
  }

  const withSignature = (payload: PaymentPayload, signature: string) => ({
    ...payload,
    payload: { ...payload.payload, signature },
  });
  const signatureOf = ({ payload }: PaymentPayload) => payload.signature as Hex;
  /** The other signature of the same key for the same text, which anybody can compute. */
  function mirrored(payload: PaymentPayload): Hex {
    const { r, s, yParity } = parseSignature(signatureOf(payload));
    return serializeSignature({
      r,
      s: `0x${(order - BigInt(s)).toString(16).padStart(64, "0")}`,
      yParity: 1 - yParity,
    });
  }
  const claimBy = async (account: PrivateKeyAccount, payload: PaymentPayload) => {
    const message = claimMessage({ publicUrl, nonce: nonceOf(payload), time: String(now) });
    return `${now} ${await account.signMessage({ message })}`;
  };
  async function callTool(payload: PaymentPayload, meta: object): Promise<string> {
    const connect = mcpClients["client 2.x, legacy"] as (typeof mcpClients)[string];
    const from = (url: Parameters<typeof fetch>[0], init?: RequestInit) => {
      const headers = new Headers(init?.headers);
      for (const [name, value] of Object.entries(home)) headers.set(name, value);
      return fetch(url, { ...init, headers });
    };
    const client = await connect(`${server.url}/mcp`, { fetch: from as typeof fetch });
    try {
      return JSON.stringify(await client.call("buy_pass", {}, { "x402/payment": payload, ...meta }));
    } finally {
      await client.close();
    }
  }
  const use = async (token: string) => (await server.explain(hashOf(1), { "x-svc-pass": token, ...home })).status;

  /** The buyer has what he bought, and gets it again with what only he has. */
  async function expectKept({ payload, token, secret }: Purchase): Promise<void> {
    expect(await use(token)).toBe(200);
    const proof: Record<string, string> =
      secret === undefined ? { "x-svc-claim": await claimBy(payer, payload) } : { "x-svc-claim-secret": secret };
    const again = await send(payload, { ...elsewhere, ...proof });
    expect([again.status, await use(again.body.pass_token)]).toEqual([200, 200]);
    // The pass is the same, and its old token is nothing any more.
    expect(again.body.pass_token).not.toBe(token);
    expect(await use(token)).toBe(402);
  }

  const later = (purchase: Purchase) => {
    now += 601;
    return purchase;
  };

  /** What a thief tries, who sits behind the address of the buyer and knows everything on the chain. Gives all that he is told. */
  const thefts: [string, { bound: boolean }, (purchase: Purchase) => Promise<object | string>][] = [
    ["with the same address, of what is bound to a secret", { bound: true }, ({ payload }) => send(payload, home)],
    ["with the same address, ten minutes later", { bound: false }, (one) => send(later(one).payload, home)],
    [
      "with the data of the chain and no signature",
      { bound: false },
      ({ payload }) => send(withSignature(payload, "0x00"), home),
    ],
    [
      "with an altered signature",
      { bound: false },
      async ({ payload }) => {
        const last = signatureOf(payload).slice(0, -1) + (signatureOf(payload).endsWith("b") ? "c" : "b");
        const forms = [last, mirrored(payload), `${signatureOf(payload)}00`, `0x${"00".repeat(65)}`];
        const signed = signatureOf(
          await signPayment({
            required: decode((await server.buyPass()).headers.get("payment-required")),
            account: thief,
          }),
        );
        return Promise.all([...forms, signed].map((form) => send(withSignature(payload, form), home)));
      },
    ],
    ["by a replay", { bound: false }, ({ payload }) => send(payload, elsewhere)],
    [
      "over MCP",
      { bound: true },
      async ({ payload }) =>
        Promise.all([
          callTool(payload, {}),
          callTool(withSignature(payload, "0x00"), {}),
          callTool(payload, { "svc/claim-secret": "a guess", "svc/claim-key": keyOf("a guess") }),
          callTool(payload, { "svc/claim": await claimBy(thief, payload) }),
        ]),
    ],
    [
      "from many addresses",
      { bound: false },
      ({ payload }) =>
        Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            send(payload, { "x-forwarded-for": `203.0.113.${at}, 192.0.2.10, 203.0.113.${at}` }),
          ),
        ),
    ],
    [
      "with a guessed key",
      { bound: true },
      async ({ payload, secret }) => {
        const guesses = ["", "guess", keyOf(secret as string), keyOf("guess"), (secret as string).toUpperCase()];
        const shown = guesses.map((guess) => ({ "x-svc-claim-key": keyOf(guess), "x-svc-claim-secret": guess }));
        const claims = [
          { "x-svc-claim": await claimBy(thief, payload) },
          { "x-svc-claim": await claimBy(payer, payload) },
        ];
        return Promise.all([...shown, ...claims].map((headers) => send(payload, { ...home, ...headers })));
      },
    ],
    [
      "with a forwarded header of his own",
      { bound: false },
      async ({ payload }) => {
        const forged = ["192.0.2.10", "192.0.2.10, 10.0.0.1", "127.0.0.1"];
        return Promise.all(forged.map((value) => send(payload, { "x-forwarded-for": `${value}, 198.51.100.20` })));
      },
    ],
  ];

  it.each(thefts)("is not taken %s", async (_name, how, steal) => {
    const purchase = await buy(how);
    const loot = JSON.stringify(await steal(purchase));
    expect(loot).not.toContain("svc_");
    expect(loot).not.toContain('"status":200');
    expect(loot).toMatch(/pass_claimed_elsewhere/);
    await expectKept(purchase);
  });

  it("is not taken with an old token, once it was given again", async () => {
    const { payload, token } = await buy();
    const again = await send(payload, home);
    expect(again.status).toBe(200);
    const reply = await server.explain(hashOf(1), { "x-svc-pass": token, ...home });
    expect([reply.status, reply.headers.get("x-svc-pass-status")]).toEqual([402, "unknown"]);
    await expectKept({ payload, token: again.body.pass_token, secret: undefined });
  });

  it("is given again to its buyer for ten minutes at his address, and for a claim after them", async () => {
    const { payload } = await buy();
    now += 600;
    expect((await send(payload, home)).status).toBe(200);
    now += 1;
    expect((await send(payload, home)).body.error).toBe("pass_claimed_elsewhere");
    expect((await send(payload, { ...home, "x-svc-claim": await claimBy(payer, payload) })).status).toBe(200);
  });

  it("is given over MCP for its secret", async () => {
    const { payload, secret, token } = await buy({ bound: true });
    const given = await callTool(payload, { "svc/claim-secret": secret });
    expect(given).toContain(token.slice(0, 28));
  });

  it("is not sold where X-SVC-Claim-Key is no hash", async () => {
    const required = decode((await server.buyPass()).headers.get("payment-required"));
    const payload = await signPayment({ required, account: payer });
    const told = await send(payload, { ...home, "x-svc-claim-key": "my secret" });
    expect([told.status, told.body.error]).toEqual([400, "invalid_payment"]);
    expect(await chain.isUsed(payer.address, nonceOf(payload))).toBe(false);
  });

  describe("in a batch", () => {
    async function buyLines(headers: Record<string, string>) {
      const asked = hashes(1, 2);
      const required = decode((await post(server.url, asked)).headers.get("payment-required"));
      const payment = { "payment-signature": encode(await signPayment({ required, account: payer })) };
      expect((await post(server.url, asked, { ...payment, ...home, ...headers })).status).toBe(200);
      return { asked, payment };
    }
    const tell = async (asked: readonly string[], headers: Record<string, string>) =>
      (await post(server.url, asked as never, headers)).status;

    it("is credit that only its buyer uses", async () => {
      const secret = "the secret of a batch";
      const bound = await buyLines({ "x-svc-claim-key": keyOf(secret) });
      expect(await tell(bound.asked, { ...bound.payment, ...home })).toBe(409);
      expect(await tell(bound.asked, { ...bound.payment, ...home, "x-svc-claim-secret": "a guess" })).toBe(409);
      expect(await tell(bound.asked, { ...bound.payment, ...elsewhere, "x-svc-claim-secret": secret })).toBe(200);
      const free = await buyLines({});
      expect(await tell(free.asked, { ...free.payment, ...home })).toBe(200);
      const payload = JSON.parse(Buffer.from(String(free.payment["payment-signature"]), "base64").toString());
      const forged = { "payment-signature": encode(withSignature(payload, "0x00")) };
      expect(await tell(free.asked, { ...forged, ...home })).toBe(409);
      expect(await tell(free.asked, { ...free.payment, ...elsewhere })).toBe(409);
      now += 601;
      expect(await tell(free.asked, { ...free.payment, ...home })).toBe(409);
      const message = claimMessage({ publicUrl, nonce: nonceOf(payload), time: String(now), thing: "lines" });
      const claim = `${now} ${await payer.signMessage({ message })}`;
      expect(await tell(free.asked, { ...free.payment, ...home, "x-svc-claim": claim })).toBe(200);
    });
  });

  describe("over a proxy that TRUST_PROXY does not name", () => {
    it("is not sold, and the instance says that it is degraded", async () => {
      expect((await careless.buyPass()).status).toBe(402);
      const required = decode((await careless.buyPass()).headers.get("payment-required"));
      const health = async () => (await (await fetch(`${careless.url}/healthz`)).json()) as { degraded: object[] };
      expect((await health()).degraded).not.toContainEqual(expect.objectContaining({ part: "proxy" }));
      const payload = await signPayment({ required, account: payer });
      for (const header of ["x-forwarded-for", "forwarded", "x-real-ip"]) {
        const told = await send(payload, { [header]: "192.0.2.10" }, careless);
        expect([told.status, told.body.error], header).toEqual([503, "untrusted_forwarding"]);
      }
      expect(await chain.isUsed(payer.address, nonceOf(payload))).toBe(false);
      const proxy = { part: "proxy", name: null, reason: "untrusted_forwarding" };
      expect((await health()).degraded).toContainEqual(expect.objectContaining(proxy));
      // Anybody can send the header, so it shuts nobody else out.
      expect((await send(payload, {}, careless)).status).toBe(200);
      // What was bought without it is not given to who comes over the proxy, though his address is the same.
      const again = await send(payload, home, careless);
      expect([again.status, again.body.error]).toEqual([409, "pass_claimed_elsewhere"]);
    });
  });
});
