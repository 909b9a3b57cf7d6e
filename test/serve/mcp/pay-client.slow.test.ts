import { x402Client } from "@x402/core/client";
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import { registerExactEvmScheme } from "@x402/evm/exact/client";
import { extractDiscoveryInfo, validateDiscoveryExtension } from "@x402/extensions/bazaar";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shortenExplanation } from "../../../src/serve/mcp/short-explanation.ts";
import { findAnvil } from "../../support/anvil.ts";
import { type ConnectMcp, type McpClient, mcpClients, type ToolAnswer } from "../../support/mcp-client.ts";
import { type MeteredServer, payTo, publicUrl } from "../../support/metered-server.ts";
import { explanationOf, hashOf } from "../../support/sample.ts";
import { compileSchema } from "../../support/schema.ts";
import { isChallenge, type PaidServer, startPaidServer, unknownHash } from "./paid-server.ts";

describe.skipIf(findAnvil() === undefined)("clients that pay over MCP, with a real chain", () => {
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
  let world: PaidServer;
  beforeAll(async () => {
    world = await startPaidServer({ change: noteShown });
  });
  afterAll(() => world?.stop());

  /** A payment for the terms of a challenge, made by the official client. */
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
      client = await connect(`${world.server.url}/mcp`);
      // The 1.x client checks structured content against the schemas that it knows, even in an error.
      await client.listTools();
      payer = await world.chain.createPayer(20_000_000n);
    });
    afterAll(() => client.close());

    it("is asked, signs, repeats, and the token moves once", async () => {
      const asked = await explain(0);
      expectChallenge(asked, "20000", "free_allowance_used");
      const before = await world.chain.balance(payTo);
      const payment = await payFor(asked.structuredContent, payer);
      const paid = await explain(0, payment);
      expect(paid.isError).toBeUndefined();
      expect(JSON.stringify(paid.structuredContent)).toBe(JSON.stringify(explanationOf(hashOf(place))));
      const receipt = paid._meta?.["x402/payment-response"];
      expect(receipt).toMatchObject({ success: true, network: "eip155:8453", payer: payer.address });
      expect((await world.chain.reader.getTransactionReceipt({ hash: receipt.transaction })).status).toBe("success");
      expect((await world.chain.balance(payTo)) - before).toBe(20_000n);

      const again = await explain(0, payment);
      expect([again.structuredContent, again._meta?.["x402/payment-response"]]).toEqual([
        paid.structuredContent,
        receipt,
      ]);
      expectChallenge(await explain(1, payment), "20000", "payment_already_used");
      // The level of detail does not change the request: the same payment gives the short form of what it bought.
      const tx_hash = hashOf(place);
      const short = await client.call("explain_transaction", { tx_hash, detail: "summary" }, payment);
      expect(short.structuredContent).toEqual(shortenExplanation(explanationOf(tx_hash)));
      expect(short._meta?.["x402/payment-response"]).toEqual(receipt);
      expect((await world.chain.balance(payTo)) - before).toBe(20_000n);
    });

    it("finds in the challenge how the tool is called, for catalogs", async () => {
      const { extensions, resource } = (await explain(6)).structuredContent;
      expect(validateDiscoveryExtension(extensions.bazaar)).toEqual({ valid: true });
      const payload = { x402Version: 2, resource, extensions, payload: {}, accepted: {} } as unknown as PaymentPayload;
      expect(extractDiscoveryInfo(payload, {} as PaymentRequirements)).toMatchObject({
        resourceUrl: `${publicUrl}/mcp`,
        toolName: "explain_transaction",
      });
      // The facilitator gets our own data, no matter what the buyer sent with the payment.
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
      // The same pass again, with another token. The one before is good for nothing any more.
      const { pass_token: old, ...record } = bought.structuredContent;
      const { pass_token: token, ...same } = (await client.call("buy_pass", {}, payment)).structuredContent;
      expect([same, token]).toEqual([record, expect.stringContaining(old.slice(0, 29))]);
      expectChallenge(await explain(4, { "svc/pass": old }), "20000", "pass_unknown, free_allowance_used");

      const pass = { "svc/pass": token };
      for (const remaining of [1, 0]) {
        const answer = await explain(2 + remaining, pass);
        expect(answer.structuredContent.tx_hash).toBe(hashOf(place + 2 + remaining));
        expect(answer._meta?.["svc/pass"]).toEqual({ status: "valid", remaining });
      }
      expectChallenge(await explain(4, pass), "20000", "pass_exhausted, free_allowance_used");
      expectChallenge(await explain(4, { "svc/pass": "svc_nonsense" }), "20000", "pass_unknown, free_allowance_used");
    });

    it("pays nothing for what cannot be told, and with what is no payment", async () => {
      const before = await world.chain.balance(payer.address);
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
      expect(await world.chain.balance(payer.address)).toBe(before);
    });
  });
});
