import { readChain } from "../world/books.ts";
import { type Reply, type SendOptions, send, sign, type Via, type Wish } from "../world/buyer.ts";
import { sleep } from "../world/progress.ts";
import { exactly, info, type Row, tally } from "../world/table.ts";
import type { LedgerKind, Shop, World } from "../world/world.ts";

/** The ledgers for every race, and the number of replicas that share one ledger. */
export const raceSetups: readonly { ledger: LedgerKind; replicas: number }[] = [
  { ledger: "postgres", replicas: 2 },
  { ledger: "sqlite", replicas: 1 },
];

/** One request of many that are sent at the same time. */
export interface Shot extends SendOptions {
  url: string;
  wish: Wish;
  /** Milliseconds before it is sent. */
  afterMs?: number;
}

export function shootAll(shots: readonly Shot[]): Promise<Reply[]> {
  return Promise.all(
    shots.map(async ({ url, wish, afterMs = 0, ...options }) => {
      if (afterMs > 0) await sleep(afterMs);
      return send(url, wish, options);
    }),
  );
}

/** So many shots, over all replicas, half of them by MCP. */
export function spread(shop: Shop, number: number, shot: (index: number) => Omit<Shot, "url">): Shot[] {
  const { stands } = shop;
  return Array.from({ length: number }, (_, index) => ({
    url: stands[(index >> 1) % stands.length]!.replica.url,
    via: index % 2 === 0 ? ("http" as const) : ("mcp" as const),
    ...shot(index),
  }));
}

export const answered = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 200);

export function describeReplies(what: string, replies: readonly Reply[]): Row {
  return info(
    what,
    tally(replies.map(({ status, error }) => (error === null ? String(status) : `${status} ${error}`))),
  );
}

/** A new payer and his signed payment for this wish. */
export async function signNew(world: World, shop: Shop, wish: Wish, via: Via = "http") {
  const [payer] = await world.createPayers(1, 50_000_000n);
  const payment = await sign(shop.stands[0]!.replica.url, wish, { payer: payer!, via });
  if (payment === undefined) throw new Error("The service does not tell its price.");
  return payment;
}

/** Sends again and again until the answer comes or the time is over. Gives all replies. */
export async function sendUntilAnswered(shot: Shot, ms = 20_000): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const end = Date.now() + ms; Date.now() < end; await sleep(300)) {
    replies.push(...(await shootAll([shot])));
    if (replies.at(-1)?.status === 200) break;
  }
  return replies;
}

/** How many of these payments the chain took, and how many replies said 402 about a payment that the chain took. */
export async function judgePayments(
  world: World,
  shop: Shop,
  payments: readonly { nonce: string; replies: readonly Reply[] }[],
): Promise<Row[]> {
  const { used, transfers } = await readChain(world.chain, shop.payTo);
  const taken = payments.filter(({ nonce }) => used.has(nonce.toLowerCase()));
  const refused = taken.filter(({ replies }) => replies.some(({ status }) => status === 402));
  return [
    exactly("payments that the chain took", taken.length, payments.length),
    exactly("transfers", transfers, payments.length),
    exactly("payments that were told 402 though taken", refused.length, 0),
    exactly(
      "payments without an answer in the end",
      payments.filter(({ replies }) => answered(replies).length === 0).length,
      0,
    ),
  ];
}
