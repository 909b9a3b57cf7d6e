import { toFunctionSelector, toHex, zeroHash } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { describeReplies, judgePayments, sendUntilAnswered, shootAll, signNew } from "../races/attempts.ts";
import { compareBooks } from "../world/books.ts";
import type { Wish } from "../world/buyer.ts";
import type { Fault } from "../world/endpoint.ts";
import { sleep, waitUntil } from "../world/progress.ts";
import type { Random } from "../world/random.ts";
import { type RpcCall, recordedHashes } from "../world/recorded-node.ts";
import { exactly, info, type Report, type Row } from "../world/table.ts";
import type { Part, Shop, World } from "../world/world.ts";
import { crowdEnv, survive } from "./survive.ts";

const wish: Wish = { product: "explain", hash: recordedHashes[0]! };

/** The endpoint of the chain answers nothing for a while. */
export const endpointOutages: Readonly<Record<string, Part>> = {
  "endpoint-cut": lose("the endpoint of the chain cuts every connection for 4 s", "cut", 4_000),
  "endpoint-hang": lose("the endpoint of the chain hangs for 8 s", "hang", 8_000),
  "endpoint-500": lose("the endpoint of the chain answers 500 for 4 s", "http500", 4_000),
  "endpoint-denies": denyPayments,
};

/** One of two endpoints claims that nothing was ever paid, and that it is ten days later. Even then no client may be told to pay again. */
async function denyPayments(world: World, random: Random): Promise<Report> {
  const shop = await world.startShop({ ledger: "sqlite", replicas: 1, env: crowdEnv, asksChain: true });
  const { endpoint } = shop.stands[0]!;
  return survive(world, {
    ...{ title: "one of two endpoints of the chain denies all payments for 8 s", shop, random },
    async happen() {
      endpoint.watch = (call, moment) => (moment === "before" ? denyPayment(world, call) : undefined);
      await sleep(8_000);
      endpoint.watch = undefined;
    },
  });
}

/** The answer of an endpoint that denies all payments. Undefined: the node's own answer. */
export async function denyPayment({ chain }: Pick<World, "chain">, call: RpcCall): Promise<Fault | undefined> {
  const [asked] = call.params as [{ data?: string } | string | undefined];
  if (call.method === "eth_getTransactionReceipt") return { result: null };
  if (call.method === "eth_getBlockByNumber" && asked === "latest") {
    const { hash, number, timestamp, baseFeePerGas } = await chain.reader.getBlock();
    const later = { timestamp: toHex(timestamp + 864_000n), baseFeePerGas: toHex(baseFeePerGas ?? 0n) };
    return { result: { hash, number: toHex(number), ...later, transactions: [] } };
  }
  const isState = typeof asked === "object" && asked.data?.startsWith(stateCall) === true;
  return call.method === "eth_call" && isState ? { result: zeroHash } : undefined;
}

const stateCall = toFunctionSelector("authorizationState(address,bytes32)");

function lose(title: string, fault: Fault, ms: number): Part {
  return async (world, random) => {
    const shop = await world.startShop({ ledger: "sqlite", replicas: 1, env: crowdEnv });
    const { endpoint } = shop.stands[0]!;
    return survive(world, {
      ...{ title, shop, random },
      async happen() {
        endpoint.watch = () => fault;
        await sleep(ms);
        endpoint.watch = undefined;
      },
    });
  };
}

/** The node forgets a transaction that it took. That payment and the next ones have to go through without a restart. */
export async function dropTransaction(world: World): Promise<Report> {
  const shop = await world.startShop({ ledger: "sqlite", replicas: 1 });
  const { url } = shop.stands[0]!.replica;
  const payments = [];
  for (let nth = 0; nth < 4; nth++) payments.push(await signNew(world, shop, wish));
  const { control } = world.chain;
  await control.setAutomine(false);
  const first = shootAll([{ url, wish, payment: payments[0]! }]);
  const isSent = async () => (await control.getTxpoolStatus()).pending > 0;
  const sent = await waitUntil(isSent, 10_000, 50);
  await control.dropTransaction({ hash: await findPending(world) });
  await world.setBlockTime(1);
  const early = await first;
  const outcomes = await Promise.all(
    payments.map(async (payment, nth) => {
      const replies = await sendUntilAnswered({ url, wish, payment }, 100_000);
      return { nonce: payment.nonce, replies: nth === 0 ? [...early, ...replies] : replies };
    }),
  );
  await world.setBlockTime(0);
  const rows = [
    exactly("the first transaction was sent", sent ? "yes" : "no", "yes"),
    describeReplies(
      "replies",
      outcomes.flatMap(({ replies }) => replies),
    ),
    ...(await judgePayments(world, shop, outcomes)),
    ...(await compareBooks(world.chain, shop.payTo, shop.ledger)),
  ];
  await shop.close();
  return { title: "a transaction is dropped by the node", rows };
}

async function findPending({ chain }: World): Promise<`0x${string}`> {
  const { pending } = await chain.control.getTxpoolContent();
  const [transactions] = Object.values(pending);
  return Object.values(transactions!)[0]!.hash;
}

/** The wallet that pays for gas is empty. Nobody is told to pay again, and the payment is good once there is gas. */
export async function emptyGasWallet(world: World): Promise<Report> {
  const shop = await world.startShop({ ledger: "sqlite", replicas: 1 });
  const { gasKey, replica } = shop.stands[0]!;
  const payment = await signNew(world, shop, wish);
  const address = privateKeyToAddress(gasKey);
  const full = await world.chain.reader.getBalance({ address });
  await world.chain.control.setBalance({ address, value: 1n });
  const early = await shootAll([{ url: replica.url, wish, payment }]);
  const health = await describeHealth(shop);
  await world.chain.control.setBalance({ address, value: full });
  const later = await sendUntilAnswered({ url: replica.url, wish, payment }, 60_000);
  const rows = [
    describeReplies("replies while it is empty", early),
    exactly("402 while it is empty", early.filter(({ status }) => status === 402).length, 0),
    health,
    describeReplies("replies when there is gas", later),
    ...(await judgePayments(world, shop, [{ nonce: payment.nonce, replies: [...early, ...later] }])),
  ];
  await shop.close();
  return { title: "the gas wallet is empty", rows };
}

/** What /healthz says about charging; its form is free. */
async function describeHealth({ stands }: Shop): Promise<Row> {
  const response = await fetch(`${stands[0]!.replica.url}/healthz`);
  const { access, degraded } = (await response.json()) as { access?: object; degraded?: object };
  return info("/healthz", `${response.status} ${JSON.stringify(degraded ?? access ?? null).slice(0, 200)}`);
}
