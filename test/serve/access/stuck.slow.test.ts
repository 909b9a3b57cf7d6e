import { createWalletClient, type Hex, http, keccak256, parseGwei, parseTransaction } from "viem";
import { privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { base } from "viem/chains";
import { describe, expect, it } from "vitest";
import { findAnvil, untilAnswering } from "../../support/anvil.ts";
import { openMeteredServer } from "../../support/metered-server.ts";
import { decode, encode, signPayment } from "../../support/payer.ts";
import { hashOf } from "../../support/sample.ts";
import { useRelayedServer } from "./relayed-world.ts";

describe.skipIf(findAnvil() === undefined)("the wallet that settles", { timeout: 60_000 }, () => {
  const world = useRelayedServer({ resendMs: 200 });

  async function pay(number = 1) {
    const account = await world.chain.createPayer(20_000n);
    const required = decode((await world.server.explain(hashOf(number))).headers.get("payment-required"));
    const header = { "payment-signature": encode(await signPayment({ required, account })) };
    const send = async () => {
      const reply = await world.server.explain(hashOf(number), header);
      return { status: reply.status, body: (await reply.json()) as { error?: string }, headers: reply.headers };
    };
    return { send, left: () => world.chain.balance(account.address) };
  }

  const pending = async () => {
    const { pending: all } = await world.chain.control.getTxpoolContent();
    const ours = Object.entries(all).find(
      ([sender]) => sender.toLowerCase() === privateKeyToAddress(world.gasKey).toLowerCase(),
    );
    return Object.values(ours?.[1] ?? {});
  };
  const until = (holds: () => Promise<boolean>) =>
    untilAnswering(async () => {
      if (!(await holds())) throw new Error("not yet");
    });

  it("sends a transaction again that the node lost, and others do not wait for ever", async () => {
    let lost = 0;
    world.relay.meddleWith(({ method, params }) =>
      method === "eth_sendRawTransaction" && lost++ === 0 ? { result: keccak256(params[0] as Hex) } : undefined,
    );
    const payments = [await pay(1), await pay(2), await pay(3)];
    const replies = await Promise.all(payments.map(({ send }) => send()));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const { left } of payments) expect(await left()).toBe(0n);
    expect(await world.chain.countSent(world.gasKey)).toBe(3);
    expect(lost).toBeGreaterThan(3);
  });

  it("raises the fee of a transaction that no block takes, with the same nonce, and reports it", async () => {
    const payment = await pay();
    await world.chain.control.setAutomine(false);
    const sent: bigint[] = [];
    world.relay.meddleWith(({ method, params }) => {
      if (method === "eth_sendRawTransaction")
        sent.push(parseTransaction(params[0] as `0x02${string}`).maxFeePerGas as bigint);
      return undefined;
    });
    const reply = payment.send();
    await until(async () => (sent.at(-1) ?? 0n) > (sent[0] ?? 0n));
    await until(async () => world.server.parts.gasWallet?.stuckSince() !== null);
    expect(await world.server.access.readiness()).toMatchObject({
      degraded: [{ part: "facilitator", reason: "transaction_stuck", since: expect.any(Number) }],
    });
    expect(await pending()).toHaveLength(1);
    await world.chain.control.mine({ blocks: 1 });
    expect((await reply).status).toBe(200);
    expect(await world.chain.countSent(world.gasKey)).toBe(1);
    await until(async () => world.server.parts.gasWallet?.stuckSince() === null);
  });

  it("takes a new nonce when another process with the same key replaced its transaction", async () => {
    const payment = await pay();
    await world.chain.control.setAutomine(false);
    const reply = payment.send();
    await until(async () => (await pending()).length === 1);
    const other = createWalletClient({
      account: privateKeyToAccount(world.gasKey),
      chain: base,
      transport: http(world.chain.url, { retryCount: 0 }),
    });
    await other.sendTransaction({
      to: other.account.address,
      nonce: 0,
      gas: 21_000n,
      maxFeePerGas: parseGwei("900"),
      maxPriorityFeePerGas: parseGwei("900"),
    });
    await world.chain.control.setAutomine(true);
    await world.chain.control.mine({ blocks: 1 });
    expect((await reply).status).toBe(200);
    expect(await payment.left()).toBe(0n);
    expect(await world.chain.countSent(world.gasKey)).toBe(2);
  });

  it("fills a missing nonce", async () => {
    let lied = 0;
    // The node still counts a transaction that it lost, for example because it restarted.
    world.relay.meddleWith(({ method, params }) =>
      method === "eth_getTransactionCount" && params[1] === "pending" && lied++ === 0 ? { result: "0x1" } : undefined,
    );
    const payment = await pay();
    expect((await payment.send()).status).toBe(200);
    expect(await payment.left()).toBe(0n);
    expect(await world.chain.countSent(world.gasKey)).toBe(2);
  });

  it("shares a key with another process: 12 payments at once, each paid once", async () => {
    const second = await openMeteredServer({
      rpcUrl: world.chain.url,
      gasKey: world.gasKey,
      resendMs: 200,
      settings: { freeCallsPerDay: 0 },
    });
    const required = decode((await world.server.explain(hashOf(1))).headers.get("payment-required"));
    const accounts = [];
    for (let count = 0; count < 12; count++) accounts.push(await world.chain.createPayer(20_000n));
    const replies = await Promise.all(
      accounts.map(async (account, index) => {
        const header = { "payment-signature": encode(await signPayment({ required, account })) };
        return (index % 2 === 0 ? world.server : second).explain(hashOf(index + 1), header);
      }),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
    for (const { address } of accounts) expect(await world.chain.balance(address)).toBe(0n);
    await second.close();
  });

  it("without gas for one settlement is 503 before any work, and sells again once it has some", async () => {
    const { address } = privateKeyToAccount(world.gasKey);
    // With the fees of this chain the first amount is about what a transfer of the token needs.
    for (const value of [10n ** 14n, 10n ** 12n, 1n, 0n]) {
      await world.chain.control.setBalance({ address, value });
      const payment = await pay();
      const works = world.server.gathered.length;
      const empty = await payment.send();
      expect([empty.status, empty.body.error]).toEqual([503, "payments_unavailable"]);
      expect(Number(empty.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(world.server.gathered).toHaveLength(works);
      await world.chain.control.setBalance({ address, value: 10n ** 18n });
      expect((await payment.send()).status).toBe(200);
      expect(await payment.left()).toBe(0n);
    }
  });

  it("that gets low is reported", async () => {
    await world.chain.control.setBalance({ address: privateKeyToAddress(world.gasKey), value: 10n ** 14n });
    expect(await world.server.access.readiness()).toMatchObject({
      gas_balance_eth: "0.0001",
      degraded: [{ part: "gas_wallet", reason: "low", since: expect.any(Number) }],
    });
  });
});
