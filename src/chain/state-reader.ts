import { type Hex, readHex } from "../kernel/hex.ts";
import type { ReadState, StateAnswer, StateRead } from "../model/state-read.ts";
import { type Endpoint, EndpointError, type RpcAnswer, type RpcCall } from "./endpoint.ts";
import type { EndpointPool } from "./endpoint-pool.ts";
import { quantityHex } from "./ledger.ts";

/** Reads code, storage and calls at a block from the first endpoint that still has it, else with the newest state. */
export function createStateReader(pool: EndpointPool): ReadState {
  return async (reads, block, signal) => {
    if (reads.length === 0) return { at: "block", results: [] };
    const tag = quantityHex(BigInt(block));
    for (const at of ["block", "latest"] as const) {
      for (const endpoint of pool.order()) {
        if (signal.aborted) return undefined;
        const results = await readAll(endpoint, { reads, tag: at === "block" ? tag : "latest", signal });
        if (results !== undefined) return { at, results } satisfies StateAnswer;
      }
    }
    return undefined;
  };
}

/** Public endpoints refuse long batches, so the reads go out in several beside each other. */
const batchMax = 12;

async function readAll(
  endpoint: Endpoint,
  { reads, tag, signal }: { reads: readonly StateRead[]; tag: string; signal: AbortSignal },
): Promise<(Hex | null)[] | undefined> {
  const chunks = Array.from({ length: Math.ceil(reads.length / batchMax) }, (_, i) =>
    reads.slice(i * batchMax, (i + 1) * batchMax),
  );
  try {
    const asked = chunks.map((chunk) =>
      endpoint.ask(
        chunk.map((read) => toCall(read, tag)),
        signal,
      ),
    );
    const answers = (await Promise.all(asked)).flat();
    const results = answers.map((answer, i) => readResult(answer, reads[i] as StateRead));
    return results.every((result) => result !== undefined) ? results : undefined;
  } catch (error) {
    if (error instanceof EndpointError) return undefined;
    throw error;
  }
}

function toCall(read: StateRead, tag: string): RpcCall {
  if (read.kind === "code") return { method: "eth_getCode", params: [read.address, tag] };
  if (read.kind === "storage") return { method: "eth_getStorageAt", params: [read.address, read.slot, tag] };
  return { method: "eth_call", params: [{ to: read.to, data: read.data }, tag] };
}

/** undefined: the endpoint could not say. A call that reverts is an answer. */
function readResult(answer: RpcAnswer, read: StateRead): Hex | null | undefined {
  if (answer.ok) return readHex(answer.result);
  const reverted = answer.code === 3 || /execution reverted|out of gas|invalid opcode/i.test(answer.message);
  return read.kind === "call" && reverted ? null : undefined;
}
