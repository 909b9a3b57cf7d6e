import { EndpointError } from "./endpoint.ts";
import type { TripContext } from "./first-trip.ts";
import { readBlock } from "./ledger.ts";

/** The newest block known: its number, and its time in Unix seconds. */
export interface ChainHead {
  number: number;
  timestamp: number;
}

/** Remembers the newest block that any answer mentioned. */
export interface HeadMemory {
  head(): ChainHead | null;
  note(block: { number: string; timestamp?: string }): void;
  /** Asks the first endpoint that answers for the newest block; the newest known when none does. Never rejects. */
  readHead(): Promise<ChainHead | null>;
}

/** Makes a memory that knows nothing yet. Concurrent `readHead` share one question. */
export function createHeadMemory(context: TripContext): HeadMemory {
  let newest: ChainHead | null = null;
  let asking: Promise<void> | undefined;

  function note(block: { number: string; timestamp?: string }): void {
    const number = Number(block.number);
    if (block.timestamp === undefined || (newest !== null && newest.number >= number)) return;
    newest = { number, timestamp: Number(block.timestamp) };
  }

  async function ask(): Promise<void> {
    for (const endpoint of context.pool.order()) {
      if (context.signal.aborted) return;
      const block = await askLatest(endpoint, context.signal);
      if (block !== undefined) return note(block);
    }
  }

  return {
    head: () => newest,
    note,
    async readHead() {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      await asking;
      return newest;
    },
  };
}

async function askLatest(endpoint: ReturnType<TripContext["pool"]["order"]>[number], signal: AbortSignal) {
  try {
    const [answer] = await endpoint.ask([{ method: "eth_getBlockByNumber", params: ["latest", false] }], signal);
    return answer?.ok ? readBlock(answer.result, {}) : undefined;
  } catch (error) {
    if (error instanceof EndpointError) return undefined;
    throw error;
  }
}
