import type { EndpointPool } from "./endpoint-pool.ts";
import { readBlock } from "./rpc-objects.ts";

/** Time in Unix seconds. */
export interface ChainHead {
  number: number;
  timestamp: number;
}

/** From any answer; concurrent reads share a request. */
export function createHeadMemory(pool: EndpointPool, signal: AbortSignal) {
  let newest: ChainHead | null = null;
  let asking: Promise<void> | undefined;

  function note(block: { number: string; timestamp?: string }): void {
    const number = Number(block.number);
    if (block.timestamp === undefined || (newest !== null && newest.number >= number)) return;
    newest = { number, timestamp: Number(block.timestamp) };
  }

  async function ask(): Promise<void> {
    const latest = [{ method: "eth_getBlockByNumber", params: ["latest", false] }];
    const block = await pool.tryEach(async (endpoint) => {
      const answers = await endpoint.ask(latest, signal, "service");
      const [answer] = typeof answers === "object" ? answers : [];
      return answer?.ok ? readBlock(answer.result, {}) : undefined;
    }, signal);
    if (block !== undefined) note(block);
  }

  return {
    /** null: none yet. Sends nothing. */
    newest: () => newest,
    note,
    /** The newest known if nobody answers. Never rejects. */
    async read(): Promise<ChainHead | null> {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      await asking;
      return newest;
    },
  };
}
