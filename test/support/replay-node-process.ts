// A replay node in its own process. It prints its URL; the arguments are the port, the transactions of a block, and the first and the last
// block that are made before.
import { startReplayNode } from "./replay-node.ts";

const [port = 0, perBlock = 4, first = 0, last = -1] = process.argv.slice(2).map(Number);
const { url } = await startReplayNode({ port, perBlock, prepared: [first, last] });
process.stdout.write(`${url}\n`);
