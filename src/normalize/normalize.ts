import { type Address, readAddress, toAddress, zeroAddress } from "../kernel/address.ts";
import { type Hex, readHex, readQuantity } from "../kernel/hex.ts";
import { limits } from "../kernel/limits.ts";
import type { CaseFile, RpcLog } from "../model/case-file.ts";
import type { Labels } from "../model/label.ts";
import type { Log, Transaction, TransactionType } from "../model/transaction.ts";
import { flattenTrace, tieLogs } from "./frames.ts";
import { feeOf, ranNoCode } from "./gas.ts";
import { collectMovements } from "./movements.ts";

const envelopeTypes: Record<string, TransactionType> = {
  "0x0": "legacy",
  "0x1": "eip2930",
  "0x2": "eip1559",
  "0x3": "eip4844",
  "0x4": "eip7702",
  "0x7e": "deposit",
};

/** Turns gathered ledger facts into the one shape that the rest of the decoder reads. Pure; missing parts stay missing. */
export function normalize(file: CaseFile, labels: Labels): Transaction {
  const { transaction, receipt, block } = file;
  const truncated: string[] = [];
  const input = readHex(transaction.input ?? "0x") ?? "0x";
  const from = toAddress(transaction.from);
  const to = transaction.to === null || transaction.to === undefined ? null : toAddress(transaction.to);
  const status = readQuantity(receipt.status) === 0n ? "reverted" : "success";
  const created = to === null && status === "success" ? (readAddress(receipt.contractAddress) ?? null) : null;
  const envelope = { from, to: to ?? created, value: readQuantity(transaction.value) ?? 0n, input };
  const frames = flattenTrace(file.trace, { ...envelope, creates: to === null, ok: status === "success" }, truncated);
  const logs = readLogs(receipt.logs ?? [], truncated);
  if (frames.traced) tieLogs(logs, frames);
  const ranCode = !ranNoCode(file);
  const nativeListed = frames.traced || file.trace.source === "internal_transfers";
  const tx: Transaction = {
    hash: file.tx_hash,
    type: envelopeTypes[trimmed(transaction.type)] ?? "other",
    status,
    blockNumber: Number(readQuantity(block.number) ?? 0n),
    timestamp: readTime(block.timestamp),
    ...{ from, to, value: envelope.value, input, created },
    authorizations: (transaction.authorizationList ?? []).map((item) => ({
      delegate: readAddress(item.address) ?? zeroAddress,
      chainId: readQuantity(item.chainId) ?? 0n,
      nonce: readQuantity(item.nonce) ?? 0n,
    })),
    depositMint: readQuantity(transaction.mint) ?? 0n,
    feeWei: feeOf(file),
    calls: frames.calls,
    logs,
    movements: [],
    weth: new Set(labels.system("weth")),
    listed: new Set(logs.map((log) => log.address).filter((address) => labels.token(address) !== undefined)),
    traced: frames.traced,
    nativeComplete: status === "reverted" || nativeListed || !ranCode || staysInToken(to, envelope.value, logs, labels),
    ranCode,
    revertData: status === "reverted" ? frames.revertData : null,
    revertError: status === "reverted" ? frames.error : null,
    truncated,
  };
  if (status === "success") {
    const listed = file.trace.source === "internal_transfers" ? file.trace.internal_transfers : null;
    tx.movements = collectMovements(tx, listed, tx.weth);
  }
  return tx;
}

/** Unix seconds; null where there are none, or none that a four-digit year can tell. */
function readTime(quantity: string | undefined): number | null {
  const seconds = readQuantity(quantity);
  return seconds === undefined || seconds > lastSecond ? null : Number(seconds);
}

/** 9999-12-31T23:59:59Z */
const lastSecond = 253_402_300_799n;

/**
 * A listed token's code is known: called without ether and with nobody else emitting, it moves none.
 * (WETH does, but says so in its own Withdrawal event.)
 */
function staysInToken(to: Address | null, value: bigint, logs: readonly Log[], labels: Labels): boolean {
  if (to === null || labels.token(to) === undefined || logs.length === 0) return false;
  return logs.every((log) => log.address === to) && (value === 0n || labels.system("weth").includes(to));
}

function readLogs(raw: RpcLog[], truncated: string[]): Log[] {
  if (raw.length > limits.logsMax) truncated.push(`${raw.length - limits.logsMax} logs`);
  return raw.slice(0, limits.logsMax).map((log, index) => ({
    index,
    address: toAddress(log.address),
    topics: log.topics.map((topic) => topic.toLowerCase() as Hex),
    data: readHex(log.data) ?? "0x",
    call: -1,
  }));
}

/** `0x02` → `0x2`: some recorders pad the envelope type. */
function trimmed(type: string | undefined): string {
  return `0x${(readQuantity(type) ?? 0n).toString(16)}`;
}
