import type { Hex, PrivateKeyAccount } from "viem";
import { describe, expect, it } from "vitest";
import { findAnvil, usdc, usdcAbi } from "../../support/anvil.ts";
import { decode, encode, signPayment } from "../../support/payer.ts";
import type { Meddle } from "../../support/rpc-relay.ts";
import { hashOf } from "../../support/sample.ts";
import { useRelayedServer } from "./relayed-world.ts";

/** A payer has the money whenever the service looks, but not when the payment runs. Each failure costs work, and gas if it is in a block. */
describe.skipIf(findAnvil() === undefined)("a payer whose payments fail late", { timeout: 60_000 }, () => {
  const world = useRelayedServer({ beatMs: 20 });

  const sign = async (account: PrivateKeyAccount, authorization = {}) => {
    const required = decode((await world.server.explain(hashOf(1))).headers.get("payment-required"));
    return signPayment({ required, account, authorization });
  };
  const pay = async (account: PrivateKeyAccount, authorization = {}) => {
    const header = { "payment-signature": encode(await sign(account, authorization)) };
    const reply = await world.server.explain(hashOf(1), header);
    return [reply.status, ((await reply.json()) as { error?: string }).error];
  };

  const buyPass = async (account: PrivateKeyAccount) => {
    const required = decode((await world.server.buyPass()).headers.get("payment-required"));
    return world.server.buyPass({ "payment-signature": encode(await signPayment({ required, account })) });
  };

  /** Makes each receipt of a failure tell that it cost five million gas. */
  const dear =
    (next: Meddle): Meddle =>
    async (request, ask) => {
      if (request.method !== "eth_getTransactionReceipt") return next(request, ask);
      const { result } = (await ask()) as { result: { status: Hex } | null };
      return { result: result && { ...result, ...(result.status === "0x0" && { gasUsed: "0x4c4b40" }) } };
    };

  /** Takes all money from the payer just before we ask this of the chain. */
  async function emptyBefore(account: PrivateKeyAccount, asked: string): Promise<void> {
    const value = await world.chain.balance(account.address);
    const { payload } = await sign(account, { to: `0x${"d1".repeat(20)}`, value: String(value) });
    const { authorization, signature } = payload as { authorization: Record<string, string>; signature: Hex };
    const { from, to, validAfter, validBefore, nonce } = authorization as Record<string, Hex>;
    const args = [from, to, value, BigInt(validAfter as string), BigInt(validBefore as string), nonce, signature];
    let isDone = false;
    world.relay.meddleWith(async ({ method }) => {
      if (isDone || method !== asked) return undefined;
      isDone = true;
      const call = { address: usdc, abi: usdcAbi, functionName: "transferWithAuthorization", args, gas: 200_000n };
      await world.chain.wallet.writeContract(call as never);
      return undefined;
    });
  }

  it("is refused for an hour after three that fail in a block, before anything is sent; others are not", async () => {
    const account = await world.chain.createPayer(20_000n);
    for (let failure = 1; failure <= 3; failure++) {
      await emptyBefore(account, "eth_sendRawTransaction");
      expect(await pay(account)).toEqual([503, "settlement_pending"]);
      expect(await world.chain.countSent(world.gasKey)).toBe(failure);
      // His open payments count against what he has.
      await world.chain.mint(account.address, 20_000n * BigInt(failure + 1));
    }
    expect(await pay(account)).toEqual([402, "settlement_failed"]);
    expect(await world.chain.countSent(world.gasKey)).toBe(3);
    expect((await pay(await world.chain.createPayer(20_000n)))[0]).toBe(200);
  });

  it("is refused for an hour after nine that fail in the trial before they are sent", async () => {
    const account = await world.chain.createPayer(20_000n);
    const sent = await world.chain.countSent(world.gasKey);
    for (let failure = 1; failure <= 9; failure++) {
      await emptyBefore(account, "eth_estimateGas");
      expect(await pay(account)).toEqual([402, "invalid_exact_evm_insufficient_balance"]);
      await world.chain.mint(account.address, 20_000n);
    }
    expect(await pay(account)).toEqual([402, "settlement_failed"]);
    expect(await world.chain.countSent(world.gasKey)).toBe(sent);
    expect((await pay(await world.chain.createPayer(20_000n)))[0]).toBe(200);
  });

  it("is not refused for payments that were over when their work was done", async () => {
    const account = await world.chain.createPayer(20_000n);
    const message = "execution reverted: FiatTokenV2: authorization is expired";
    world.relay.meddleWith(({ method }) =>
      method === "eth_estimateGas" ? { error: { code: 3, message } } : undefined,
    );
    for (let late = 1; late <= 9; late++)
      expect(await pay(account)).toEqual([402, "invalid_exact_evm_payload_authorization_valid_before"]);
    world.relay.meddleWith(null);
    expect((await pay(account))[0]).toBe(200);
  });

  it("shuts nobody out but payers, for an hour, together with all others who cost gas", async () => {
    const pass = (await (await buyPass(await world.chain.createPayer(9_000_000n))).json()) as { pass_token: string };
    const [one, victim] = [await world.chain.createPayer(20_000n), await world.chain.createPayer(20_000n)];
    await emptyBefore(one, "eth_sendRawTransaction");
    expect(await pay(one)).toEqual([503, "settlement_pending"]);
    expect((await pay(await world.chain.createPayer(20_000n)))[0]).toBe(200);
    // What many payers cost in many blocks, told of one.
    const two = await world.chain.createPayer(20_000n);
    await emptyBefore(two, "eth_sendRawTransaction");
    world.relay.meddleWith(dear(world.relay.meddled()));
    expect(await pay(two)).toEqual([503, "settlement_pending"]);
    world.relay.meddleWith(null);
    const [sent, gathered] = [await world.chain.countSent(world.gasKey), world.server.gathered.length];
    for (const payer of [victim, one, two]) expect(await pay(payer)).toEqual([503, "payments_unavailable"]);
    expect([await world.chain.countSent(world.gasKey), world.server.gathered.length]).toEqual([sent, gathered]);
    expect(await world.chain.balance(victim.address)).toBe(20_000n);
    const lost = { part: "gas_wallet", reason: "reverted_gas" };
    expect((await world.server.access.readiness()).degraded).toContainEqual(expect.objectContaining(lost));
    expect((await world.server.explain(hashOf(1), { "x-svc-pass": pass.pass_token })).status).toBe(200);
  });

  it("is refused where little was left of them when they came; others are not", async () => {
    const account = await world.chain.createPayer(20_000n);
    const expired = [402, "invalid_exact_evm_payload_authorization_valid_before"];
    const until = (seconds: number) => ({ validBefore: String(Math.floor(Date.now() / 1000) + seconds) });
    const gathered = world.server.gathered.length;
    // What would end during the work costs no work.
    for (let tried = 0; tried < 12; tried++) expect(await pay(account, until(7 + (tried % 10)))).toEqual(expired);
    expect(world.server.gathered).toHaveLength(gathered);
    expect(await world.server.parts.ledger.listPayments(1_000)).not.toContainEqual(
      expect.objectContaining({ payer: account.address.toLowerCase() }),
    );
    const message = "execution reverted: FiatTokenV2: authorization is expired";
    world.relay.meddleWith(({ method }) =>
      method === "eth_estimateGas" ? { error: { code: 3, message } } : undefined,
    );
    for (let late = 1; late <= 9; late++) expect(await pay(account, until(40))).toEqual(expired);
    world.relay.meddleWith(null);
    expect(await pay(account)).toEqual([402, "settlement_failed"]);
    expect((await pay(await world.chain.createPayer(20_000n)))[0]).toBe(200);
  });
});
