import { Worker } from "node:worker_threads";
import { EngineError } from "../../engine/engine.ts";
import type { BlockAnswer, BlockReply, BlockRequest, BlockWork, FilterWork } from "./block-work.ts";

/** While it worked on this block. */
export class ThreadDeath extends Error {
  override readonly name = "ThreadDeath";
}

interface Pending {
  resolve(answer: BlockAnswer): void;
  reject(error: Error): void;
}

/** JavaScript in the compiled package. */
const entryHere = new URL(`./block-entry${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** Enough for the longest line. A thread that needs more dies alone. */
const resourceLimits = { maxOldGenerationSizeMb: 1_536, maxYoungGenerationSizeMb: 64 };

/** May have several blocks, begun in order. */
export class BlockThread {
  readonly #worker: Worker;
  readonly #pending: Map<number, Pending> = new Map();
  #next = 0;
  #ended: Error | undefined;

  constructor(work: FilterWork, entry: URL = entryHere) {
    this.#worker = new Worker(entry, { workerData: work, resourceLimits });
    this.#worker.on("message", (reply: BlockReply) => this.#take(reply));
    let cause: unknown;
    this.#worker.on("error", (error) => {
      cause = error;
    });
    this.#worker.on("exit", () => this.#end(new ThreadDeath(`A thread ended: ${describe(cause)}`)));
  }

  get load(): number {
    return this.#pending.size;
  }

  get isDead(): boolean {
    return this.#ended !== undefined;
  }

  /** Rejects with ThreadDeath, and with EngineError for rules or labels with errors. */
  answer({ first, bytes }: BlockWork): Promise<BlockAnswer> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const request: BlockRequest = { id: this.#next++, block: { first, bytes: new Uint8Array(bytes) } };
    return new Promise((resolve, reject) => {
      this.#pending.set(request.id, { resolve, reject });
      this.#worker.postMessage(request, [request.block.bytes.buffer as ArrayBuffer]);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(reply: BlockReply): void {
    if (reply.what === "refused") this.#end(new EngineError(reply.errors));
    else {
      this.#pending.get(reply.id)?.resolve(reply.answer);
      this.#pending.delete(reply.id);
    }
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#ended);
    this.#pending.clear();
  }
}

function describe(cause: unknown): string {
  return cause instanceof Error ? cause.message : "it left";
}
