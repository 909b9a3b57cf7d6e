import { x402Facilitator } from "@x402/core/facilitator";
import type { FacilitatorClient } from "@x402/core/server";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { createWalletClient, type Hex, http, publicActions } from "viem";
import { nonceManager, privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import { type Answer, serveFacilitator } from "../../support/facilitator-server.ts";
import { answered, sendUntilAnswered, shootAll, signNew } from "../races/attempts.ts";
import { readChain } from "../world/books.ts";
import type { Reply, SignedPayment, Wish } from "../world/buyer.ts";
import { sleep, waitUntil } from "../world/progress.ts";
import { recordedHashes, unknownHash } from "../world/recorded-node.ts";
import { exactly, info, type Report, tally } from "../world/table.ts";
import type { Shop, World } from "../world/world.ts";

/** The answers of a facilitator to verify or to settle. `real` does what an honest facilitator does. */
interface Misbehaviour {
  verify?: (real: () => Promise<object>) => ReturnType<Answer>;
  settle?: (real: () => Promise<object>) => ReturnType<Answer>;
}

const cut = { status: 0, body: "" };
const network = "eip155:8453";
const no = { success: false, errorReason: "insufficient_funds", transaction: "", network };
const yes = (transaction: string) => ({ success: true, transaction, network });
const soon = (work: () => Promise<unknown>) => void setTimeout(() => void work().catch(() => {}), 2_000);
const after = async (real: () => Promise<object>, answer: { status: number; body: unknown }) => {
  await real();
  return answer;
};

const misbehaviours: Readonly<Record<string, Misbehaviour>> = {
  "verify is cut": { verify: async () => cut },
  "verify is 500": { verify: async () => ({ status: 500, body: "out of order" }) },
  "verify is a web page": { verify: async () => ({ status: 200, body: "<html>" }) },
  "verify says nothing": { verify: async () => ({ status: 200, body: {} }) },
  "verify takes 12 s": { verify: (real) => sleep(12_000).then(async () => ({ status: 200, body: await real() })) },
  "settle is cut before": { settle: async () => cut },
  "settle is cut after": { settle: (real) => after(real, cut) },
  "settle is 500 before": { settle: async () => ({ status: 500, body: "out of order" }) },
  "settle is 500 after": { settle: (real) => after(real, { status: 500, body: "out of order" }) },
  "settle says no after doing it": { settle: (real) => after(real, { status: 200, body: no }) },
  "settle says no with 400 after doing it": { settle: (real) => after(real, { status: 400, body: no }) },
  "settle says no and does it later": {
    async settle(real) {
      soon(real);
      return { status: 200, body: no };
    },
  },
  "settle says pending and does it later": {
    async settle(real) {
      soon(real);
      return { status: 200, body: { ...no, errorReason: "settlement_pending", transaction: unknownHash() } };
    },
  },
  "settle invents a transaction": { settle: async () => ({ status: 200, body: yes(unknownHash()) }) },
  "settle does it and names another transaction": {
    settle: (real) => after(real, { status: 200, body: yes(unknownHash()) }),
  },
  "settle says yes without a transaction": { settle: async () => ({ status: 200, body: yes("") }) },
  "settle does it twice": {
    async settle(real) {
      const [first] = await Promise.allSettled([real(), real()]);
      return { status: 200, body: first.status === "fulfilled" ? first.value : no };
    },
  },
};

/** What a client met with one payment. */
interface Case {
  name: string;
  product: Wish["product"];
  payment: SignedPayment;
  replies: Reply[];
}

/**
 * Payments meet a facilitator that fails or lies once and is honest afterwards. A client that gets 402 does not send that payment again.
 * Every other client asks until it has its answer.
 */
export async function meetBadFacilitator(world: World): Promise<Report> {
  const server = await serveFacilitator(await openRealFacilitator(world));
  const env = { X402_FACILITATOR: "http", X402_FACILITATOR_URL: server.url };
  const shop = await world.startShop({ ledger: "sqlite", replicas: 1, env });
  const cases: Case[] = [];
  for (const [name, misbehaviour] of Object.entries(misbehaviours)) {
    for (const wish of [{ product: "explain", hash: recordedHashes[0]! }, { product: "pass" }] satisfies Wish[]) {
      cases.push(await meet(world, shop, { name, wish, misbehaviour, server }));
    }
  }
  // Work in the background must be finished by then.
  const lies = async () => (await findLies(world, shop)).length === 0;
  await waitUntil(lies, 40_000, 1_000);
  const report = { title: "a facilitator that fails and lies", rows: await judge(world, shop, cases) };
  await shop.close();
  await server.stop();
  return report;
}

interface Meeting {
  name: string;
  wish: Wish;
  misbehaviour: Misbehaviour;
  server: Awaited<ReturnType<typeof serveFacilitator>>;
}

async function meet(world: World, shop: Shop, { name, wish, misbehaviour, server }: Meeting): Promise<Case> {
  const { url } = shop.stands[0]!.replica;
  const payment = await signNew(world, shop, wish);
  const shot = { url, wish, payment };
  server.answerWith(async (path, real) => {
    const spoilt = path === "verify" ? misbehaviour.verify : path === "settle" ? misbehaviour.settle : undefined;
    return spoilt?.(real) ?? { status: 200, body: await real() };
  });
  const replies = await shootAll([shot]);
  server.answerWith(null);
  if (replies[0]?.status === 402) await sleep(2_500);
  else replies.push(...(await sendUntilAnswered(shot, 30_000)));
  return { name, product: wish.product, payment, replies };
}

async function judge(world: World, shop: Shop, cases: readonly Case[]) {
  const { used } = await readChain(world.chain, shop.payTo);
  const isTaken = ({ payment }: Case) => used.has(payment.nonce.toLowerCase());
  const is402 = ({ replies }: Case) => replies.some(({ status }) => status === 402);
  const isSold = ({ replies }: Case) => answered(replies).length > 0;
  const name = (list: readonly Case[]) => list.map((one) => `${one.name} (${one.product})`);
  const row = (what: string, list: readonly Case[]) => {
    const rows = [exactly(what, list.length, 0)];
    return list.length === 0 ? rows : [...rows, info("  which", tally(name(list)))];
  };
  return [
    info("payments", cases.length),
    info("first replies", tally(cases.map(({ replies }) => `${replies[0]?.status} ${replies[0]?.error ?? ""}`.trim()))),
    ...row(
      "told 402 though taken",
      cases.filter((one) => is402(one) && isTaken(one)),
    ),
    ...row(
      "taken and not delivered, not told 402",
      cases.filter((one) => isTaken(one) && !isSold(one) && !is402(one)),
    ),
    ...row(
      "passes delivered without money",
      cases.filter((one) => one.product === "pass" && isSold(one) && !isTaken(one)),
    ),
    info(
      "explanations delivered on the facilitator's word alone",
      cases.filter((one) => isSold(one) && !isTaken(one)).length,
    ),
    exactly("rows that still say settled without a transfer after 40 s", (await findLies(world, shop)).length, 0),
  ];
}

/** Settled rows whose money never moved. */
async function findLies(world: World, shop: Shop) {
  const { used } = await readChain(world.chain, shop.payTo);
  const rows = await shop.ledger.payments();
  return rows.filter(({ state, nonce }) => state === "settled" && !used.has(nonce.toLowerCase()));
}

async function openRealFacilitator({ chain }: World): Promise<FacilitatorClient> {
  const account = privateKeyToAccount((await chain.createGasKey()) as Hex, { nonceManager });
  const wallet = createWalletClient({ account, chain: base, transport: http(chain.url), pollingInterval: 50 });
  const signer = toFacilitatorEvmSigner({ ...wallet.extend(publicActions), address: account.address } as never);
  const facilitator = new x402Facilitator().register(network, new ExactEvmScheme(signer));
  return {
    verify: (...payment) => facilitator.verify(...payment),
    settle: (...payment) => facilitator.settle(...payment),
    getSupported: async () => facilitator.getSupported() as Awaited<ReturnType<FacilitatorClient["getSupported"]>>,
  };
}
