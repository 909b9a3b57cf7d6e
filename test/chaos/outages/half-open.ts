import { connect, type Socket } from "node:net";
import { send } from "../world/buyer.ts";
import { sleep } from "../world/progress.ts";
import { recordedHashes } from "../world/recorded-node.ts";
import { atMost, exactly, info, type Report } from "../world/table.ts";
import type { World } from "../world/world.ts";

/** The bytes that each peer sends first. After them it sends one byte a second, or nothing. */
const beginnings: Readonly<Record<string, string>> = {
  "slow headers": "POST /explain HTTP/1.1\r\nhost: shop.example\r\nx-slow: ",
  "slow body":
    "POST /explain HTTP/1.1\r\nhost: shop.example\r\ncontent-type: application/json\r\ncontent-length: 3000\r\n\r\n{",
  silent: "",
};

const perKind = 60;
const untilSeconds = 45;

/** Peers that never finish a request, never read, and never close their end. */
export async function holdSockets(world: World): Promise<Report> {
  const shop = await world.startShop({ ledger: "sqlite", replicas: 1, env: { FREE_CALLS_PER_DAY: "1000000" } });
  const { replica } = shop.stands[0]!;
  const ask = () => send(replica.url, { product: "explain", hash: recordedHashes[0]! });
  await ask();
  const before = replica.files();
  const peers = Object.values(beginnings).flatMap((text) =>
    Array.from({ length: perKind }, () => open(replica.port, text)),
  );
  const held: string[] = [];
  let unanswered = 0;
  for (let second = 1; second <= untilSeconds; second++) {
    await sleep(1_000);
    for (const { socket, text } of peers) if (text !== "" && socket.writable) socket.write("a");
    if ((await ask()).status !== 200) unanswered++;
    if (second % 15 === 0) held.push(`${replica.files() - before} after ${second} s`);
  }
  const left = replica.files() - before;
  for (const { socket } of peers) socket.destroy();
  await shop.close();
  return {
    title: `${peers.length} peers that never finish and never close`,
    rows: [
      info("sockets that the service holds", held.join(", ")),
      // Its own client keeps a connection or two.
      atMost(`sockets that it still holds after ${untilSeconds} s`, left, 5),
      exactly("requests of others that were not answered", unanswered, 0),
    ],
  };
}

function open(port: number, text: string): { socket: Socket; text: string } {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  // The peer never reads, so it does not notice the end of the connection either.
  socket.pause();
  if (text !== "") socket.write(text);
  return { socket, text };
}
