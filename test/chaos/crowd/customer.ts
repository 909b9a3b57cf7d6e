import type { PrivateKeyAccount } from "viem/accounts";
import { type Reply, type SignedPayment, send, sign, type Via, type Wish } from "../world/buyer.ts";
import { sleep } from "../world/progress.ts";
import type { Random } from "../world/random.ts";

/** One payment that was sent for an order. */
export interface Attempt {
  payment: SignedPayment;
  /** The reasons that the service gave with 402, when this payment bought nothing. */
  refusals: string[];
}

/** One thing that a client wants to have once, and all replies that it got for it. */
export interface Order {
  wish: Wish;
  via: Via;
  payer: PrivateKeyAccount;
  attempts: Attempt[];
  /** The different answers that came with 200, as JSON, without the token of a pass, which is another one each time it is given. */
  answers: Set<string>;
  /** The token of a pass that came last: those before it are good for nothing. */
  token?: string;
  /** 200 with the explanation of another transaction. */
  foreign: number;
}

/** Where clients send their requests, and what they met. */
export interface Market {
  urls: readonly string[];
  random: Random;
  /** What every reply was, for the table. */
  replies: string[];
}

export function newOrder(wish: Wish, via: Via, payer: PrivateKeyAccount): Order {
  return { wish, via, payer, attempts: [], answers: new Set(), foreign: 0 };
}

/**
 * An honest client: signs a payment and repeats the same request with the same payment until it has the answer. It signs another
 * one only after a 402. Some clients lose patience and ask again; some requests reach two replicas at once.
 */
export async function fulfil(order: Order, market: Market, until: number): Promise<boolean> {
  const { random, urls } = market;
  let open = order.attempts.findLast(({ refusals }) => refusals.length === 0);
  while (Date.now() < until) {
    open ??= await signAnother(order, random.pick(urls));
    if (open !== undefined) {
      const targets = random.chance(0.08) ? urls : [random.pick(urls)];
      const hasty = random.chance(0.1) ? { signal: AbortSignal.timeout(random.below(1_500)) } : {};
      const options = { via: order.via, payment: open.payment, ...hasty };
      const replies = await Promise.all(targets.map((url) => send(url, order.wish, options)));
      for (const reply of replies) note(order, open, reply, market);
      if (replies.some(({ status }) => status === 200)) return true;
      if (open.refusals.length > 0) open = undefined;
    }
    await sleep(150 + random.below(500));
  }
  return false;
}

/** Asks again for what was delivered, with the payment that bought it. */
export async function repeat(order: Order, market: Market): Promise<void> {
  const paid = order.attempts.at(-1);
  if (paid === undefined) return;
  const reply = await send(market.random.pick(market.urls), order.wish, { via: order.via, payment: paid.payment });
  note(order, paid, reply, market);
}

async function signAnother(order: Order, url: string): Promise<Attempt | undefined> {
  const payment = await sign(url, order.wish, order);
  if (payment === undefined) return undefined;
  const attempt = { payment, refusals: [] };
  order.attempts.push(attempt);
  return attempt;
}

function note(order: Order, attempt: Attempt, { status, error, body }: Reply, { replies }: Market): void {
  replies.push(error === null ? String(status) : `${status} ${error}`);
  if (status === 402) attempt.refusals.push(error ?? "");
  if (status !== 200) return;
  const { pass_token, ...record } = body;
  order.answers.add(JSON.stringify(record));
  if (pass_token !== undefined) order.token = pass_token;
  if (order.wish.product === "explain" && body.tx_hash !== order.wish.hash) order.foreign++;
}
