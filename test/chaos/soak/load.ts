import { connect } from "node:net";
import type { PrivateKeyAccount } from "viem/accounts";
import { mcpClients } from "../../support/mcp-client.ts";
import { fulfil, type Market, newOrder, type Order } from "../crowd/customer.ts";
import { send, type Wish } from "../world/buyer.ts";
import { sleep } from "../world/progress.ts";
import { recordedHashes, unknownHash } from "../world/recorded-node.ts";

/** What the clients of a soak share. */
export interface Soak extends Market {
  passToken: string;
  orders: Order[];
}

/** What one client does. It does it again and again until the run is over. */
type Client = (soak: Soak, account: PrivateKeyAccount) => Promise<void>;

const explain = (hash: (soak: Soak) => (typeof recordedHashes)[number], via: "http" | "mcp"): Client => {
  return async (soak) => {
    const { random, urls, passToken, replies } = soak;
    const reply = await send(random.pick(urls), { product: "explain", hash: hash(soak) }, { via, passToken });
    replies.push(reply.error === null ? String(reply.status) : `${reply.status} ${reply.error}`);
  };
};

const buy: Client = async (soak, account) => {
  const { random, orders } = soak;
  const explanation: Wish = { product: "explain", hash: random.pick(recordedHashes) };
  const order = newOrder(random.chance(0.2) ? { product: "pass" } : explanation, random.pick(["http", "mcp"]), account);
  orders.push(order);
  await fulfil(order, soak, Date.now() + 60_000);
};

/** Hangs up before the answer is there. */
const hangUp: Client = async ({ random, urls, passToken }) => {
  const signal = AbortSignal.timeout(random.below(25));
  const wish: Wish = { product: "explain", hash: random.chance(0.5) ? unknownHash() : random.pick(recordedHashes) };
  await send(random.pick(urls), wish, { passToken, signal });
};

/** Sends what no client should send. */
const talkNonsense: Client = async ({ random, urls, replies }) => {
  const bodies = ["", "{", "[]", '{"tx_hash":"0x12"}', `{"tx_hash":"${"x".repeat(3_000)}"}`, "x".repeat(6_000)];
  const headers = { "content-type": random.pick(["application/json", "text/plain"]) };
  const path = random.pick(["/explain", "/pass", "/mcp", "/nowhere"]);
  const url = `${random.pick(urls)}${path}`;
  const response = await fetch(url, { method: "POST", headers, body: random.pick(bodies) }).catch(() => undefined);
  await response?.arrayBuffer().catch(() => {});
  replies.push(response === undefined ? "0 nonsense" : `${response.status} to nonsense`);
};

/** Begins a request and never ends it. */
const halfOpen: Client = async ({ random, urls }) => {
  const { port } = new URL(random.pick(urls));
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write("POST /explain HTTP/1.1\r\nhost: shop.example\r\ncontent-length: 100\r\n\r\n{");
  await sleep(1_000 + random.below(2_000));
  socket.destroy();
};

/** Opens a new connection with each official client, as a program does that is started for a single question. */
const connectAnew: Client = async ({ random, urls, replies }) => {
  const [name, connectAs] = random.pick(Object.entries(mcpClients));
  try {
    const client = await connectAs(`${random.pick(urls)}/mcp`);
    await client.listTools();
    await client.close();
  } catch {
    replies.push(`0 ${name}`);
  }
};

/** How many clients of each kind there are, and how long each waits between two requests, in milliseconds. */
export const soakClients: readonly { client: Client; number: number; waitMs: number }[] = [
  { client: explain(() => recordedHashes[0]!, "http"), number: 4, waitMs: 40 },
  { client: explain(({ random }) => random.pick(recordedHashes), "http"), number: 3, waitMs: 60 },
  { client: explain(({ random }) => random.pick(recordedHashes), "mcp"), number: 2, waitMs: 100 },
  { client: explain(unknownHash, "http"), number: 2, waitMs: 100 },
  { client: buy, number: 3, waitMs: 300 },
  { client: hangUp, number: 2, waitMs: 80 },
  { client: talkNonsense, number: 1, waitMs: 80 },
  { client: halfOpen, number: 2, waitMs: 10 },
  { client: connectAnew, number: 1, waitMs: 400 },
];
