import type { Address } from "../../../kernel/address.ts";
import { type Hex, readHex } from "../../../kernel/hex.ts";
import { type Endpoint, isRevert, type RpcAnswer, type RpcCall } from "./endpoint.ts";
import type { EndpointPool } from "./endpoint-pool.ts";
import { ethCall } from "./multicall.ts";
import { quantityHex } from "./rpc-objects.ts";

export type StateRead =
  | { kind: "code"; address: Address }
  | { kind: "storage"; address: Address; slot: Hex }
  | { kind: "call"; to: Address; data: Hex };

/** In order; null: reverted. `at` is `latest` when nobody had the block's state. */
export interface StateAnswer {
  at: "block" | "latest";
  results: (Hex | null)[];
}

/** Right after a block; undefined: no answer. Never rejects. */
export type ReadState = (
  reads: readonly StateRead[],
  block: number,
  signal: AbortSignal,
) => Promise<StateAnswer | undefined>;

/** First endpoint with the state; else the newest state. */
export function createStateReader(pool: EndpointPool): ReadState {
  return async (reads, block, signal) => {
    if (reads.length === 0) return { at: "block", results: [] };
    const tags = { block: quantityHex(BigInt(block)), latest: "latest" };
    for (const at of ["block", "latest"] as const) {
      const results = await pool.tryEach((endpoint) => readAll(endpoint, { reads, tag: tags[at], signal }), signal);
      if (results !== undefined) return { at, results };
    }
    return undefined;
  };
}

/** Public endpoints refuse long batches: several at once. */
const batchMax = 12;

async function readAll(
  endpoint: Endpoint,
  { reads, tag, signal }: { reads: readonly StateRead[]; tag: string; signal: AbortSignal },
): Promise<(Hex | null)[] | undefined> {
  const calls = reads.map((read) => toCall(read, tag));
  const chunks = Array.from({ length: Math.ceil(calls.length / batchMax) }, (_, i) =>
    calls.slice(i * batchMax, (i + 1) * batchMax),
  );
  const asked = await Promise.all(chunks.map((chunk) => endpoint.ask(chunk, signal)));
  if (!asked.every((answers) => typeof answers === "object")) return undefined;
  const results = asked.flat().map((answer, i) => readResult(answer, reads[i] as StateRead));
  return results.every((result) => result !== undefined) ? results : undefined;
}

function toCall(read: StateRead, tag: string): RpcCall {
  if (read.kind === "code") return { method: "eth_getCode", params: [read.address, tag] };
  if (read.kind === "storage") return { method: "eth_getStorageAt", params: [read.address, read.slot, tag] };
  return ethCall(read, tag);
}

/** undefined: none. A revert is an answer: null. */
function readResult(answer: RpcAnswer, read: StateRead): Hex | null | undefined {
  if (answer.ok) return readHex(answer.result);
  return read.kind === "call" && isRevert(answer) ? null : undefined;
}
