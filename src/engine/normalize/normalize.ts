import { type Address, readAddress, toAddress } from "../../kernel/address.ts";
import { chain } from "../../kernel/chain-profile.ts";
import { type Hex, lowerHex, readHex, readQuantity } from "../../kernel/hex.ts";
import { limits } from "../../kernel/limits.ts";
import type { CaseFile, RpcLog } from "../../model/case-file.ts";
import type { Labels } from "../../model/label.ts";
import type { Log, Transaction, TransactionType } from "../../model/transaction.ts";
import { standingAuthorizations } from "./authorizations.ts";
import { etherWorth } from "./ether-worth.ts";
import { type Frames, flattenTrace, tieLogs } from "./frames.ts";
import { collectMovements } from "./movements.ts";
import { noPrecompiles, type ReadPrecompiles } from "./precompiles.ts";

/** OP Stack, Isthmus; multiplier since Jovian. */
const operatorScalarBase = 1_000_000n;
const jovianMultiplier = 100n;

/**
 * Wei: execution, L1 data and operator fee (OP Stack exec-engine specification); null when a part is missing. Deposits pay nothing on L2.
 * Jovian (`daFootprintGasScalar`): operator fee = gasUsed × scalar × 100 + constant.
 */
export function feeOf(file: CaseFile): bigint | null {
  const { transaction, receipt } = file;
  if (readQuantity(transaction.type) === 0x7en) return 0n;
  const gasUsed = readQuantity(receipt.gasUsed);
  const price =
    readQuantity(receipt.effectiveGasPrice) ??
    (isLegacy(transaction.type) ? readQuantity(transaction.gasPrice) : undefined);
  const l1Fee = readQuantity(receipt.l1Fee);
  if (gasUsed === undefined || price === undefined || l1Fee === undefined) return null;
  const scalar = readQuantity(receipt.operatorFeeScalar) ?? 0n;
  const constant = readQuantity(receipt.operatorFeeConstant) ?? 0n;
  const scaled =
    receipt.daFootprintGasScalar === undefined
      ? (gasUsed * scalar) / operatorScalarBase
      : gasUsed * scalar * jovianMultiplier;
  return gasUsed * price + l1Fee + scaled + constant;
}

/** Exactly the cost before code runs (EIP-2028), so no ether moved inside. At the floor of EIP-7623 code may have run: false. */
export function ranNoCode(file: CaseFile): boolean {
  if (file.transaction.to === null || file.receipt.logs.length > 0) return false;
  const used = readQuantity(file.receipt.gasUsed);
  const input = readHex(file.transaction.input ?? "0x");
  if (used === undefined || input === undefined) return false;
  let intrinsic = 21_000;
  for (let at = 2; at < input.length; at += 2) intrinsic += input.startsWith("00", at) ? 4 : 16;
  return used === BigInt(intrinsic);
}

function isLegacy(type: string | undefined): boolean {
  const value = type === undefined ? 0n : readQuantity(type);
  return value === 0n || value === 1n;
}

const transactionTypes: Record<string, TransactionType> = {
  "0x0": "legacy",
  "0x1": "eip2930",
  "0x2": "eip1559",
  "0x3": "eip4844",
  "0x4": "eip7702",
  "0x7e": "deposit",
};

/** Pure; missing parts stay missing. */
export function normalize(file: CaseFile, labels: Labels, precompiles: ReadPrecompiles = noPrecompiles): Transaction {
  const { transaction, receipt, block } = file;
  const truncated: string[] = [];
  const type = readType(transaction.type);
  const input = readHex(transaction.input ?? "0x") ?? "0x";
  const value = readQuantity(transaction.value) ?? 0n;
  const from = toAddress(transaction.from);
  const to = transaction.to === null || transaction.to === undefined ? null : toAddress(transaction.to);
  const status = readQuantity(receipt.status) === 0n ? "reverted" : "success";
  const created = to === null && status === "success" ? (readAddress(receipt.contractAddress) ?? null) : null;
  // Of an unknown type, a missing `to` says nothing.
  const creates = to === null && (type !== "other" || created !== null);
  const outer = { from, to: to ?? created, value, input, creates, ok: status === "success" };
  const frames = flattenTrace(file.trace, outer, truncated);
  const logs = readLogs(receipt.logs, truncated);
  const { calls, traced } = status === "reverted" ? frames : wholeTree(frames, logs, precompiles);
  const ranCode = type === "other" || !ranNoCode(file);
  const internal = file.trace.source === "internal_transfers" ? file.trace.internal_transfers : null;
  const weth = wethOf(labels);
  const depositMint = readQuantity(transaction.mint) ?? 0n;
  const listed = listedAmong(logs, labels);
  const source = { from, to, value, depositMint, calls, logs, traced, internal, weth, listed };
  return {
    hash: file.tx_hash,
    type,
    unknownType: type === "other" ? transaction.type : undefined,
    status,
    mode: modeOf(file),
    blockNumber: Number(readQuantity(block.number) ?? 0n),
    timestamp: readTime(block.timestamp) ?? timeByNumber(file, labels),
    from,
    to,
    value,
    input,
    creates,
    created,
    authorizations: standingAuthorizations(file, truncated),
    depositMint,
    feeWei: feeOf(file),
    calls,
    logs,
    movements: status === "success" ? collectMovements(source, truncated) : [],
    weth,
    listed,
    etherWorth: etherWorth(file, labels, listed),
    traced,
    nativeComplete:
      status === "reverted" ||
      traced ||
      internal !== null ||
      !ranCode ||
      (type === "deposit" && labels.calendar.isSystemDeposit({ from, to, input })) ||
      staysInToken(to, value, logs, labels) ||
      // A precompile calls nobody with ether.
      (to !== null && value === 0n && precompiles(logs)(to)),
    ranCode,
    truncated,
  };
}

/** Must hold every call that wrote a log; of an incomplete tree only the own call stays. */
function wholeTree(
  { calls, traced, emitted }: Pick<Frames, "calls" | "traced" | "emitted">,
  logs: Log[],
  precompiles: ReadPrecompiles,
) {
  if (!traced || tieLogs(logs, calls, emitted, precompiles) || calls.length >= limits.framesMax)
    return { calls, traced };
  for (const log of logs) log.call = -1;
  return { calls: calls.slice(0, 1), traced: false };
}

function modeOf({ simulation }: CaseFile): Transaction["mode"] {
  if (simulation === undefined) return "mined";
  return simulation.method === "none" ? "requested" : "simulated";
}

/** A pure cache. */
const weths = new WeakMap<Labels, ReadonlySet<Address>>();

function wethOf(labels: Labels): ReadonlySet<Address> {
  let weth = weths.get(labels);
  if (weth === undefined) {
    weth = new Set(labels.system("weth"));
    weths.set(labels, weth);
  }
  return weth;
}

function listedAmong(logs: readonly Log[], labels: Labels): Set<Address> {
  const listed = new Set<Address>();
  let last: Address | undefined;
  for (const { address } of logs) {
    if (address !== last && labels.token(address) !== undefined) listed.add(address);
    last = address;
  }
  return listed;
}

/** Unix seconds; null: missing, or after the year 9999. */
function readTime(quantity: string | undefined): number | null {
  const seconds = readQuantity(quantity);
  return seconds === undefined || seconds > lastSecond ? null : Number(seconds);
}

/** Where the node omits it: blocks come at fixed times. null: another chain. */
function timeByNumber({ chain_id, block }: CaseFile, { calendar }: Labels): number | null {
  const number = readQuantity(block.number);
  if (number === undefined || chain_id !== chain.id || calendar.blocks === null) return null;
  return Math.min(calendar.blocks.timeAt(number), Number(lastSecond));
}

/** 9999-12-31T23:59:59Z */
const lastSecond = 253_402_300_799n;

/**
 * The code of a listed token that is called without ether moves none, if no other contract wrote a log. WETH does, but writes its own
 * Withdrawal event.
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
    topics: log.topics.map((topic) => lowerHex(topic) ?? (topic.toLowerCase() as Hex)),
    data: readHex(log.data) ?? "0x",
    call: -1,
  }));
}

/** By number (EIP-2718; some pad: `0x02`) or a library's name. Missing: legacy. */
function readType(type: string | undefined): TransactionType {
  const named = Object.values(transactionTypes).find((name) => name === type);
  if (named !== undefined) return named;
  const number = type === undefined ? 0n : readQuantity(type);
  return (number !== undefined && transactionTypes[`0x${number.toString(16)}`]) || "other";
}
