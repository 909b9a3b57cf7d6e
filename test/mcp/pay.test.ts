import { x402Client } from "@x402/core/client";
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import { registerExactEvmScheme } from "@x402/evm/exact/client";
import { extractDiscoveryInfo, validateDiscoveryExtension } from "@x402/extensions/bazaar";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServiceError } from "../../src/kernel/error.ts";
import { shortenExplanation } from "../../src/mcp/short-explanation.ts";
import { findAnvil, startChain, type TestChain } from "../support/anvil.ts";
import { type ConnectMcp, type McpClient, mcpClients, type ToolAnswer } from "../support/mcp-client.ts";
import { both, callOf, modernCallOf, modernHeaders } from "../support/mcp-message.ts";
import { type MeteredServer, openMeteredServer, payTo, publicUrl } from "../support/metered-server.ts";
import { decode, encode, payingFetch, signPayment } from "../support/payer.ts";
import { caseFileOf, explanationOf, hashOf } from "../support/sample.ts";
import { compileSchema } from "../support/schema.ts";

const isChallenge = compileSchema("payment-required");
const unknownHash = hashOf(0xdead);

describe.skipIf(findAnvil() === undefined)("paying over MCP, with a real chain", () => {
  let chain: TestChain;
  let gasKey: `0x${string}`;
  let server: MeteredServer;

  /** What the facilitator was asked to settle. */
  const shown: PaymentPayload[] = [];
  const noteShown = (parts: MeteredServer["parts"]) => ({
    ...parts,
    facilitator: {
      ...parts.facilitator,
      settle: (payload: PaymentPayload, requirements: PaymentRequirements) => {
        if (payload.resource?.url.endsWith("/mcp") && requirements.amount === "20000") shown.push(payload);
        return parts.facilitator.settle(payload, requirements);
      },
    },
  });
  const gather = async (hash: ReturnType<typeof hashOf>) => {
    if (hash === unknownHash) throw new ServiceError("transaction_not_found");
    return caseFileOf(hash);
  };
  const open = (settings: object, options: object = {}) =>
    openMeteredServer({
      rpcUrl: chain.url,
      gasKey,
      gather,
      settings: { freeCallsPerDay: 0, passCalls: 2, ...settings },
      ...options,
    });

  beforeAll(async () => {
    chain = await startChain();
    gasKey = await chain.createGasKey();
    server = await open({}, { change: noteShown });
  });
  afterAll(async () => {
    await server?.close();
    await chain?.stop();
  });

  /** POST /mcp as a program would that knows JSON-RPC and nothing of MCP. */
  function post(
    message: unknown,
    headers: Record<string, string> = {},
    { by = fetch, at = server } = {},
  ): Promise<Response> {
    return by(`${at.url}/mcp`, { method: "POST", headers: { ...both, ...headers }, body: JSON.stringify(message) });
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers are compared by their fields.
  const read = (response: Response): Promise<any> => response.json();

  /** A payment for what a challenge asks, made by the official client. */
  async function payFor(challenge: unknown, account: PrivateKeyAccount): Promise<Record<string, unknown>> {
    const client = new x402Client();
    client.setSpendControls({ maxAmountPerPayment: "$10" });
    registerExactEvmScheme(client, { signer: account });
    const payload = await client.createPaymentPayload(challenge as Parameters<typeof client.createPaymentPayload>[0]);
    return { "x402/payment": payload };
  }

  function expectChallenge(answer: ToolAnswer, amount: string, error: string): void {
    expect(answer.isError).toBe(true);
    expect(isChallenge(answer.structuredContent), JSON.stringify(isChallenge.errors)).toBe(true);
    expect(answer.structuredContent).toMatchObject({
      error,
      resource: { url: `${publicUrl}/mcp` },
      accepts: [{ amount, network: "eip155:8453" }],
    });
    expect(answer.content).toEqual([{ type: "text", text: JSON.stringify(answer.structuredContent) }]);
    expect(answer._meta?.["x402/payment-response"]).toBeUndefined();
  }

  describe.each(Object.entries(mcpClients))("%s", (name, connect: ConnectMcp) => {
    const place = Object.keys(mcpClients).indexOf(name) * 16 + 1;
    let client: McpClient;
    let payer: PrivateKeyAccount;
    const explain = (number: number, meta?: Record<string, unknown>) =>
      client.call("explain_transaction", { tx_hash: hashOf(place + number) }, meta);

    beforeAll(async () => {
      client = await connect(`${server.url}/mcp`);
      // The 1.x client checks structured content against schemas that it knows, also in an error.
      await client.listTools();
      payer = await chain.createPayer(20_000_000n);
    });
    afterAll(() => client.close());

    it("is asked, signs, repeats, and the token moves once", async () => {
      const asked = await explain(0);
      expectChallenge(asked, "20000", "free_allowance_used");
      const before = await chain.balance(payTo);
      const payment = await payFor(asked.structuredContent, payer);
      const paid = await explain(0, payment);
      expect(paid.isError).toBeUndefined();
      expect(JSON.stringify(paid.structuredContent)).toBe(JSON.stringify(explanationOf(hashOf(place))));
      const receipt = paid._meta?.["x402/payment-response"];
      expect(receipt).toMatchObject({ success: true, network: "eip155:8453", payer: payer.address });
      expect((await chain.reader.getTransactionReceipt({ hash: receipt.transaction })).status).toBe("success");
      expect((await chain.balance(payTo)) - before).toBe(20_000n);

      const again = await explain(0, payment);
      expect([again.structuredContent, again._meta?.["x402/payment-response"]]).toEqual([
        paid.structuredContent,
        receipt,
      ]);
      expectChallenge(await explain(1, payment), "20000", "payment_already_used");
      // How much is told is no other request: the same payment gives the short form of what it bought.
      const tx_hash = hashOf(place);
      const short = await client.call("explain_transaction", { tx_hash, detail: "summary" }, payment);
      expect(short.structuredContent).toEqual(shortenExplanation(explanationOf(tx_hash)));
      expect(short._meta?.["x402/payment-response"]).toEqual(receipt);
      expect((await chain.balance(payTo)) - before).toBe(20_000n);
    });

    it("finds in the challenge how the tool is called, for catalogs", async () => {
      const { extensions, resource } = (await explain(6)).structuredContent;
      expect(validateDiscoveryExtension(extensions.bazaar)).toEqual({ valid: true });
      const payload = { x402Version: 2, resource, extensions, payload: {}, accepted: {} } as unknown as PaymentPayload;
      expect(extractDiscoveryInfo(payload, {} as PaymentRequirements)).toMatchObject({
        resourceUrl: `${publicUrl}/mcp`,
        toolName: "explain_transaction",
      });
      // What the facilitator is shown is ours, whatever the buyer sent beside the payment.
      expect(shown.at(-1)).toMatchObject({ resource, extensions });
    });

    it("buys a pass and uses it until it is empty", async () => {
      const asked = await client.call("buy_pass");
      expectChallenge(asked, "9000000", "payment_required");
      const payment = await payFor(asked.structuredContent, payer);
      const bought = await client.call("buy_pass", {}, payment);
      const isPass = compileSchema("pass");
      expect(isPass(bought.structuredContent), JSON.stringify(isPass.errors)).toBe(true);
      expect(JSON.parse(String(bought.content[1]?.text))).toEqual(bought.structuredContent);
      expect(bought._meta?.["x402/payment-response"]).toMatchObject({ success: true });
      expect((await client.call("buy_pass", {}, payment)).structuredContent).toEqual(bought.structuredContent);

      const pass = { "svc/pass": bought.structuredContent.pass_token };
      for (const remaining of [1, 0]) {
        const answer = await explain(2 + remaining, pass);
        expect(answer.structuredContent.tx_hash).toBe(hashOf(place + 2 + remaining));
        expect(answer._meta?.["svc/pass"]).toEqual({ status: "valid", remaining });
      }
      expectChallenge(await explain(4, pass), "20000", "pass_exhausted, free_allowance_used");
      expectChallenge(await explain(4, { "svc/pass": "svc_nonsense" }), "20000", "pass_unknown, free_allowance_used");
    });

    it("pays nothing for what cannot be told, and with what is no payment", async () => {
      const before = await chain.balance(payer.address);
      const asked = await explain(5);
      const payment = await payFor(asked.structuredContent, payer);
      const missing = await client.call("explain_transaction", { tx_hash: unknownHash }, payment);
      expect(missing.content[0]?.text).toMatch(/^transaction_not_found: /);
      const malformed = await client.call("explain_transaction", { tx_hash: "0x" }, payment);
      expect(malformed.content[0]?.text).toMatch(/^invalid_tx_hash: /);
      for (const nonsense of [5, "x", {}, { x402Version: 1 }, { ...payment, x402Version: 2 }, []]) {
        const answer = await explain(5, { "x402/payment": nonsense });
        expect(answer.content[0]?.text).toMatch(/^invalid_payment: /);
        expect([answer.isError, answer.structuredContent]).toEqual([true, undefined]);
      }
      const cheap = structuredClone(payment) as { "x402/payment": { accepted: { amount: string } } };
      cheap["x402/payment"].accepted.amount = "1";
      expectChallenge(await explain(5, cheap), "20000", "payment_mismatch");
      expect(await chain.balance(payer.address)).toBe(before);
    });
  });

  it("asks a caller without a revision with status 402, on both paths", async () => {
    for (const message of [callOf({ arguments: { tx_hash: hashOf(0x100) } }), callOf({ task: { ttl: 1 } })]) {
      const response = await post(message);
      expect(response.status).toBe(402);
      expect(response.headers.get("cache-control")).toBe("no-store");
      const body = await response.text();
      expect(Buffer.from(String(response.headers.get("payment-required")), "base64").toString()).toBe(body);
      expect(isChallenge(JSON.parse(body)), JSON.stringify(isChallenge.errors)).toBe(true);
    }
    const pass = await post(callOf({ name: "buy_pass", arguments: {} }));
    expect([pass.status, (await read(pass)).accepts[0].amount]).toEqual([402, "9000000"]);
  });

  it("asks a caller with a revision inside of the result, as the revision wants it", async () => {
    const legacy = await post(callOf(), { "mcp-protocol-version": "2025-11-25" });
    const modern = await post(modernCallOf(), modernHeaders());
    expect([legacy.status, modern.status]).toEqual([200, 200]);
    expect(legacy.headers.get("payment-required")).toBe(modern.headers.get("payment-required"));
    const [old, now] = [(await read(legacy)).result, (await read(modern)).result];
    expect([old.resultType, now.resultType]).toEqual([undefined, "complete"]);
    expect(now.structuredContent).toEqual(decode(modern.headers.get("payment-required")));
    expect(old.structuredContent).toEqual(now.structuredContent);
  });

  it("is paid by @x402/fetch through status 402", async () => {
    const payer = await chain.createPayer(1_000_000n);
    const by = payingFetch(payer);
    const message = callOf({ arguments: { tx_hash: hashOf(0x101) } });
    const response = await post(message, {}, { by });
    expect(response.status).toBe(200);
    const { result } = await read(response);
    expect(result.structuredContent).toEqual(explanationOf(hashOf(0x101)));
    expect(decode(response.headers.get("payment-response"))).toEqual(result._meta["x402/payment-response"]);
    expect(await chain.balance(payer.address)).toBe(980_000n);
  });

  it("counts a payment that comes both ways once, and takes the one in _meta", async () => {
    const payer = await chain.createPayer(1_000_000n);
    const message = (number: number, meta?: object) =>
      callOf({ arguments: { tx_hash: hashOf(number) }, ...(meta ? { _meta: meta } : {}) });
    const required = await read(await post(message(0x102)));
    const [first, second] = [
      await signPayment({ required, account: payer }),
      await signPayment({ required, account: payer }),
    ];
    const twice = await post(message(0x102, { "x402/payment": first }), { "payment-signature": encode(first) });
    expect((await read(twice)).result.structuredContent.tx_hash).toBe(hashOf(0x102));
    expect(await chain.balance(payer.address)).toBe(980_000n);
    const other = await post(message(0x103, { "x402/payment": second }), { "payment-signature": encode(first) });
    expect((await read(other)).result.structuredContent.tx_hash).toBe(hashOf(0x103));
    expect(await chain.balance(payer.address)).toBe(960_000n);
  });

  it("gives over both servers what one payment bought", async () => {
    const payer = await chain.createPayer(1_000_000n);
    const asked = await server.explain(hashOf(0x104));
    const payload = await signPayment({ required: (await asked.json()) as never, account: payer });
    const overHttp = await server.explain(hashOf(0x104), { "payment-signature": encode(payload) });
    const overMcp = await post(callOf({ arguments: { tx_hash: hashOf(0x104) }, _meta: { "x402/payment": payload } }));
    expect(await overMcp.text()).toContain(`"structuredContent":${await overHttp.text()}`);
    expect(await chain.balance(payer.address)).toBe(980_000n);
  });

  it("takes a pass from the header that a client is set up with", async () => {
    const payer = await chain.createPayer(10_000_000n);
    const bought = await server.buyPass({}, payingFetch(payer, { raised: true }));
    const { pass_token } = (await bought.json()) as { pass_token: string };
    const client = await (mcpClients["client 1.x"] as ConnectMcp)(`${server.url}/mcp`, {
      fetch: (input, init) =>
        fetch(input, {
          ...init,
          headers: { ...Object.fromEntries(new Headers(init?.headers)), "x-svc-pass": pass_token },
        }),
    });
    const answer = await client.call("explain_transaction", { tx_hash: hashOf(0x105) });
    expect(answer._meta?.["svc/pass"]).toEqual({ status: "valid", remaining: 1 });
    await client.close();
  });

  it("counts free calls together with HTTP", async () => {
    const own = await open({ freeCallsPerDay: 2 });
    const left = ({ status, headers }: Response) => [status, /r=(\d+)/.exec(String(headers.get("ratelimit")))?.[1]];
    expect(left(await own.explain(hashOf(1)))).toEqual([200, "1"]);
    expect(left(await post(callOf({ arguments: { tx_hash: unknownHash } }), {}, { at: own }))).toEqual([200, "1"]);
    expect(left(await post(callOf({ arguments: {} }), {}, { at: own }))).toEqual([200, "1"]);
    expect(left(await post(callOf(), {}, { at: own }))).toEqual([200, "0"]);
    expect(left(await post(callOf(), {}, { at: own }))).toEqual([402, "0"]);
    expect(
      left(await post(callOf({ task: { ttl: 1 } }), { "mcp-protocol-version": "2025-11-25" }, { at: own })),
    ).toEqual([200, "0"]);
    expect((await own.explain(hashOf(1))).status).toBe(402);
    await own.close();
  });

  it("slows down a caller that only costs", async () => {
    const own = await open({ rateLimitPerMinute: 3 });
    const texts: string[] = [];
    for (let call = 0; call < 6; call++) {
      const response = await post(callOf({ arguments: {} }), { "mcp-protocol-version": "2025-11-25" }, { at: own });
      texts.push((await read(response)).result.content[0].text);
    }
    expect(texts.slice(0, 3).every((text) => text.startsWith("invalid_tx_hash: "))).toBe(true);
    expect(texts.at(-1)).toMatch(/^rate_limited: /);
    await own.close();
  });

  it.each([
    ["the outcome of a settlement is not known", "settle", "settlement_pending"],
    ["nobody can verify", "verify", "payments_unavailable"],
  ] as const)("does not ask again when %s", async (_what, step, code) => {
    const own = await open(
      {},
      {
        change: (parts: MeteredServer["parts"]) => ({
          ...parts,
          facilitator: {
            ...parts.facilitator,
            [step]: async () => {
              if (step === "settle") return { status: "unknown" };
              throw new ServiceError("payments_unavailable");
            },
          },
        }),
      },
    );
    const payer = await chain.createPayer(1_000_000n);
    const required = await read(await post(callOf(), {}, { at: own }));
    const payload = await signPayment({ required, account: payer });
    const meta = { "x402/payment": payload };
    for (const [message, headers] of [
      [callOf({ _meta: meta }), {}],
      [callOf({ _meta: meta, task: { ttl: 1 } }), {}],
      [modernCallOf({ _meta: meta }), modernHeaders()],
    ] as const) {
      const response = await post(message, headers, { at: own });
      expect([response.status, response.headers.get("payment-required")]).toEqual([200, null]);
      const { result } = await read(response);
      expect([result.isError, result.structuredContent]).toEqual([true, undefined]);
      expect(JSON.parse(result.content[1].text)).toMatchObject({ error: code, retryable: true });
    }
    await own.close();
  });

  it("gives nothing for free while the ledger is away", async () => {
    const own = await open(
      { freeCallsPerDay: 5 },
      {
        change: (parts: MeteredServer["parts"]) => ({
          ...parts,
          ledger: {
            ...parts.ledger,
            takeFree: () => {
              throw new ServiceError("ledger_unavailable");
            },
          },
        }),
      },
    );
    const { result } = await read(await post(callOf(), {}, { at: own }));
    expect(result.content[0].text).toMatch(/^ledger_unavailable: /);
    expect(own.gathered).toEqual([]);
    await own.close();
  });
});
