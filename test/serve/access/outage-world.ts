import { http } from "viem";
import { expect } from "vitest";
import { GasWallet } from "../../../src/serve/access/facilitator/gas-wallet.ts";
import { openLocalFacilitator } from "../../../src/serve/access/facilitator/local.ts";
import { startChain, usdc } from "../../support/anvil.ts";
import { type Answer, serveFacilitator } from "../../support/facilitator-server.ts";
import { type MeteredServer, openMeteredServer } from "../../support/metered-server.ts";
import { decode, encode, signPayment } from "../../support/payer.ts";
import { hashOf } from "../../support/sample.ts";

/** What a facilitator knows and nobody else may read. */
export const secret = "https://rpc.example/v2/SECRETKEY";

export type OutageWorld = Awaited<ReturnType<typeof startOutageWorld>>;

/** A chain, and a service with a remote facilitator that fails as the test wants. */
export async function startOutageWorld() {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const chain = await startChain();
  const options = {
    network: "eip155:8453",
    asset: usdc,
    confirmationMs: 5_000,
    transport: http(chain.url, { retryCount: 0 }),
  } as const;
  const wallet = new GasWallet({
    ...{
      key: await chain.createGasKey(),
      transport: options.transport,
      priceMax: 10n ** 12n,
      pollingMs: 20,
      resendMs: 1_000,
    },
  });
  const facilitator = await serveFacilitator(openLocalFacilitator({ ...options, wallet }));
  const service = await openMeteredServer({
    rpcUrl: chain.url,
    facilitator: { kind: "http", url: facilitator.url },
    settings: { freeCallsPerDay: 0 },
  });

  async function pay(to: MeteredServer, path: "/explain" | "/pass" = "/explain") {
    const payer = await chain.createPayer(20_000_000n);
    const send = (headers: Record<string, string>) =>
      path === "/pass" ? to.buyPass(headers) : to.explain(hashOf(3), headers);
    const required = decode((await send({})).headers.get("payment-required"));
    const header = { "payment-signature": encode(await signPayment({ required, account: payer })) };
    const paid = async () => 20_000_000n - (await chain.balance(payer.address));
    const resend = async () => {
      const reply = await send(header);
      const body = (await reply.json()) as { error?: string };
      return { status: reply.status, error: body.error, retry: reply.headers.get("retry-after"), body, reply };
    };
    return { paid, resend };
  }

  async function stop(): Promise<void> {
    await service.close();
    await facilitator.stop();
    await chain.stop();
    process.removeListener("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  }
  return { chain, facilitator, service, pay, stop };
}

/** Spoils the facilitator's answer to one of its two questions, verify and settle. */
export const only =
  (which: "verify" | "settle", spoil: Answer): Answer =>
  async (path, real) =>
    path === which ? spoil(path, real) : { status: 200, body: await real() };
