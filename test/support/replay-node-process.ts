// A replay node in its own process. It prints its URL; the first argument is the port, the second the transactions of a block.
import { startReplayNode } from "./replay-node.ts";

const [port = "0", perBlock = "4"] = process.argv.slice(2);
const { url } = await startReplayNode({ port: Number(port), perBlock: Number(perBlock) });
process.stdout.write(`${url}\n`);
