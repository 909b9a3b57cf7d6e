import { http } from "viem";
import { GasWallet } from "../../../src/serve/access/facilitator/gas-wallet.ts";
import { openLocalFacilitator } from "../../../src/serve/access/facilitator/local.ts";
import { stateOf } from "../../../src/serve/access/ledger/rows.ts";
import { type TestChain, usdc } from "../../support/anvil.ts";
import { type Answer, serveFacilitator } from "../../support/facilitator-server.ts";
import type { MeteredServer } from "../../support/metered-server.ts";
import { decode, encode, nonceOf, signPayment } from "../../support/payer.ts";
import { hashOf } from "../../support/sample.ts";

/** A remote facilitator that settles on this chain, until the test gives it other answers. */
export async function startFacilitator(chain: TestChain) {
  const transport = http(chain.url, { retryCount: 0 });
  const key = await chain.createGasKey();
  const wallet = new GasWallet({ key, transport, priceMax: 10n ** 12n, pollingMs: 20, resendMs: 1_000 });
  return serveFacilitator(
    openLocalFacilitator({ wallet, transport, network: "eip155:8453", asset: usdc, confirmationMs: 5_000 }),
  );
}

/** The hash of a transaction that is nowhere. */
export const invented = `0x${"ab".repeat(32)}`;

/** What a facilitator says of a settlement. */
export const claim = (success: boolean, transaction: string) => ({
  status: 200,
  body: { success, transaction, network: "eip155:8453", ...(success ? {} : { errorReason: "out_of_luck" }) },
});

/** An honest facilitator whose answers to settlements are replaced. */
export const settling =
  (spoil: Answer): Answer =>
  async (path, real) =>
    path === "settle" ? spoil(path, real) : { status: 200, body: await real() };

/** A payment for an explanation or a pass. It can be sent any number of times, also to a service that was opened again. */
export async function signedPayment(
  { chain, service }: { chain: TestChain; service: () => MeteredServer },
  path: "/explain" | "/pass" = "/explain",
) {
  const account = await chain.createPayer(20_000_000n);
  const send = (headers: Record<string, string>) =>
    path === "/pass" ? service().buyPass(headers) : service().explain(hashOf(3), headers);
  const required = decode((await send({})).headers.get("payment-required"));
  // Some tests let time pass on the chain, which is ahead of ours then.
  const { timestamp } = await chain.reader.getBlock();
  const validBefore = String(timestamp + BigInt(required.accepts[0].maxTimeoutSeconds));
  const payload = await signPayment({ required, account, authorization: { validBefore } });
  const row = async () =>
    (await service().parts.ledger.listPayments(50)).find(({ nonce }) => nonce === nonceOf(payload).toLowerCase());
  return {
    row,
    state: async () => stateOf(await row()),
    paid: async () => 20_000_000n - (await chain.balance(account.address)),
    async send() {
      const reply = await send({ "payment-signature": encode(payload) });
      const body = (await reply.json()) as { error?: string; pass_token?: string };
      return { status: reply.status, error: body.error, body, receipt: reply.headers.get("payment-response") };
    },
  };
}
