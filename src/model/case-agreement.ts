import { readAddress } from "../kernel/address.ts";
import { readHash, readQuantity } from "../kernel/hex.ts";
import type { CaseFile } from "./case-file.ts";

interface Shared {
  from?: unknown;
  to?: unknown;
  blockNumber?: unknown;
  blockHash?: unknown;
  transactionIndex?: unknown;
  type?: unknown;
}

/**
 * How a receipt shows that it is of another transaction (no full stop): by sender, receiver, type, block or place in it. What one of them
 * lacks is not compared; a null `to` differs from any receiver.
 */
export function findDisagreement(transaction: Shared, receipt: Shared): string | undefined {
  const parts: [name: keyof Shared, read: (value: unknown) => unknown][] = [
    ["from", readAddress],
    ["to", readReceiver],
    ["blockNumber", readQuantity],
    ["blockHash", readHash],
    ["transactionIndex", readQuantity],
    ["type", readQuantity],
  ];
  for (const [name, read] of parts) {
    const [own, its] = [read(transaction[name]), read(receipt[name])];
    if (own !== undefined && its !== undefined && own !== its)
      return `\`${name}\` of the transaction is ${own}, and of the receipt ${its}`;
  }
  return undefined;
}

export function findCaseDisagreement({
  tx_hash,
  transaction,
  receipt,
}: Pick<CaseFile, "tx_hash" | "transaction" | "receipt">): string | undefined {
  const hash = readHash(transaction.hash);
  if (hash !== readHash(tx_hash)) return `tx_hash is ${tx_hash}, and \`hash\` of the transaction ${hash}`;
  return findDisagreement(transaction, receipt);
}

function readReceiver(value: unknown): unknown {
  return value === null ? null : readAddress(value);
}
