// Runs in a worker thread of the filter. Answers blocks of lines with its own engine, and with its own explainer where it may ask the
// network.
import { parentPort, workerData } from "node:worker_threads";

import { loadEngine, type WholeEngine } from "../../engine/engine.ts";
import type { BlockReply, BlockRequest, FilterWork } from "./block-work.ts";
import { answerBlock, type LineAnswerer, openLineAnswerer } from "./line-answer.ts";

const work = workerData as FilterWork;
const engine = openEngineHere();
if (engine !== undefined) {
  const answerer: LineAnswerer = openLineAnswerer(work, engine);
  parentPort?.on("message", async ({ id, block }: BlockRequest) => {
    const answer = await answerBlock(block, answerer);
    const reply: BlockReply = { what: "answered", id, answer };
    parentPort?.postMessage(reply, [answer.bytes.buffer as ArrayBuffer]);
  });
}

function openEngineHere(): WholeEngine | undefined {
  const { engine: loaded, diagnostics } = loadEngine(work.config);
  const errors = diagnostics.filter(({ level }) => level === "error");
  if (errors.length === 0) return loaded;
  const reply: BlockReply = { what: "refused", errors };
  parentPort?.postMessage(reply);
  return undefined;
}
