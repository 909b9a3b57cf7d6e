import { canonicalJson, type JsonObject } from "../../kernel/canonical.ts";
import { ServiceError } from "../../kernel/error.ts";
import { readHash, readQuantity } from "../../kernel/hex.ts";
import type { Endpoint } from "../network/rpc/endpoint.ts";
import type { EndpointPool } from "../network/rpc/endpoint-pool.ts";
import type { GivenRecord } from "./contradiction.ts";
import { noteInconsistent } from "./inconsistent.ts";

/** `silent`: no other endpoint gave anything. */
export type WitnessVerdict = "agrees" | "differs" | "silent";

export interface WitnessQuestion {
  endpoint: Endpoint;
  record: GivenRecord;
  pool: EndpointPool;
  /** undefined: none that holds. */
  read(endpoint: Endpoint): Promise<GivenRecord | undefined>;
}

/**
 * One after the other until one agrees, or two agree with each other: who stands alone against two is noted as inconsistent. Resting ones
 * are not asked. Never rejects.
 */
export async function askWitnesses({ endpoint, record, pool, read }: WitnessQuestion): Promise<WitnessVerdict> {
  const own = essenceOf(record);
  const others = new Map<string, Endpoint>();
  for (const other of pool.inOrder()) {
    if (other === endpoint || other.health.rests() || other.health.rests("records")) continue;
    const told = await read(other);
    if (told === undefined) continue;
    const essence = essenceOf(told);
    if (essence === own) {
      for (const alone of others.values()) noteInconsistent(alone);
      return "agrees";
    }
    if (others.has(essence)) {
      noteInconsistent(endpoint);
      return "differs";
    }
    others.set(essence, other);
  }
  return others.size > 0 ? "differs" : "silent";
}

export function contradictedByWitness(): ServiceError {
  const message = "Two chain sources tell different things about this transaction.";
  return new ServiceError("upstream_unavailable", message, { retryAfterSeconds: 1 });
}

/** What all nodes tell alike; a deposit's nonce is not. */
function essenceOf({ transaction, receipt, logs }: GivenRecord): string {
  const { input = transaction.data } = transaction;
  return canonicalJson({
    ...{ from: lower(transaction.from), to: lower(transaction.to), input: lower(input) },
    ...{ value: count(transaction.value), block: readHash(receipt.blockHash) ?? "" },
    ...{ number: count(receipt.blockNumber), index: count(receipt.transactionIndex), status: count(receipt.status) },
    ...{ gas: count(receipt.gasUsed), created: lower(receipt.contractAddress) },
    logs: logs.map(({ address, topics, data }) => [address, ...topics, data].map(lower)),
  } satisfies JsonObject);
}

function lower(value: unknown): string {
  return typeof value === "string" ? value.toLowerCase() : "";
}

function count(value: unknown): string {
  return String(readQuantity(value) ?? "");
}
