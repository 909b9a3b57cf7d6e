import { canonicalJson, type JsonObject } from "../../kernel/canonical.ts";
import { ServiceError } from "../../kernel/error.ts";
import { readHash, readQuantity } from "../../kernel/hex.ts";
import type { Endpoint } from "../network/rpc/endpoint.ts";
import type { EndpointPool } from "../network/rpc/endpoint-pool.ts";
import type { GivenRecord } from "./contradiction.ts";
import { noteInconsistent } from "./inconsistent.ts";

/** `agrees`: another endpoint gave the same. `differs`: another one gave something else. `silent`: no other one gave anything. */
export type WitnessVerdict = "agrees" | "differs" | "silent";

export interface WitnessQuestion {
  /** The endpoint whose answer is in question. */
  endpoint: Endpoint;
  record: GivenRecord;
  pool: EndpointPool;
  /** Asks one endpoint for transaction and receipt; undefined where it has none that holds. */
  read(endpoint: Endpoint): Promise<GivenRecord | undefined>;
}

/**
 * Asks other endpoints for the same transaction, one after the other, until one of them agrees with the first answer, or two agree with
 * each other. Who stands alone against two is noted as inconsistent. Endpoints that rest are not asked. Never rejects.
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

/** The error for an answer that another endpoint contradicts. */
export function contradictedByWitness(): ServiceError {
  const message = "Two chain sources tell different things about this transaction.";
  return new ServiceError("upstream_unavailable", message, { retryAfterSeconds: 1 });
}

/** What every node gives and tells in the same way. The nonce of a deposit is not among it. */
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
