import type { Hex } from "../../../kernel/hex.ts";
import type { RpcCall } from "../../network/rpc/endpoint.ts";
import { quantityHex } from "../../network/rpc/rpc-objects.ts";
import type { ChainState } from "../chain-state.ts";
import { delegationsOf, type UnsignedTransaction } from "../unsigned-transaction.ts";

/**
 * `real`: with price, nonce, gas limit and block of a real transaction. `bare`: without, and with a balance for everything. A contract that
 * detects simulations behaves differently in the two.
 */
export type Manner = "real" | "bare";

/** What is simulated, after which block. */
export interface Basis {
  transaction: UnsignedTransaction;
  chainState: ChainState;
  /** Unix seconds of the simulated block. */
  nextTime: bigint;
}

/** geth; without block overrides it would run inside that block. */
export function traceCall(basis: Basis, manner: Manner, timeoutMs: number): RpcCall {
  const { transaction, chainState } = basis;
  const config = {
    tracer: "callTracer",
    tracerConfig: { withLog: true },
    timeout: `${timeoutMs}ms`,
    blockOverrides: manner === "real" ? nextBlock(basis) : bareBlock,
    ...overridesOf(transaction, chainState, manner),
  };
  return {
    method: "debug_traceCall",
    params: [callOf(transaction, chainState, manner), quantityHex(chainState.number), config],
  };
}

/** execution-apis. */
export function simulateCall(basis: Basis, manner: Manner): RpcCall {
  const { transaction, chainState } = basis;
  const block = {
    calls: [callOf(transaction, chainState, manner)],
    blockOverrides: manner === "real" ? nextBlock(basis) : bareBlock,
    ...overridesOf(transaction, chainState, manner),
  };
  const options = { blockStateCalls: [block], traceTransfers: true, validation: manner === "real" };
  return { method: "eth_simulateV1", params: [options, quantityHex(chainState.number)] };
}

function callOf(
  { request, ...filled }: UnsignedTransaction,
  chainState: ChainState,
  manner: Manner,
): Record<string, unknown> {
  const { from, to, value, data } = request;
  const call = { from, ...(to === null ? {} : { to }), value: quantityHex(value), input: data };
  if (manner === "bare")
    return { ...call, gas: quantityHex(chainState.gasLimit < bareGas ? chainState.gasLimit : bareGas) };
  return {
    ...call,
    gas: quantityHex(filled.gas),
    nonce: quantityHex(filled.nonce),
    maxFeePerGas: quantityHex(filled.maxFeePerGas),
    maxPriorityFeePerGas: quantityHex(filled.maxPriorityFeePerGas),
  };
}

/** What nodes allow a simulation by default. */
const bareGas = 50_000_000n;

function nextBlock({ chainState, nextTime }: Basis): Record<string, Hex> {
  const { number, miner, prevRandao, baseFee, gasLimit } = chainState;
  return {
    // Nodes have different defaults.
    number: quantityHex(number + 1n),
    time: quantityHex(nextTime),
    feeRecipient: miner,
    prevRandao,
    baseFeePerGas: quantityHex(baseFee),
    gasLimit: quantityHex(gasLimit),
  };
}

const bareBlock = {
  feeRecipient: `0x${"0".repeat(40)}`,
  prevRandao: `0x${"0".repeat(64)}`,
  baseFeePerGas: "0x0",
} as const;

/** Delegations (EIP-7702) as code, since not signed yet; bare adds to the sender's balance. */
function overridesOf(
  transaction: UnsignedTransaction,
  chainState: ChainState,
  manner: Manner,
): { stateOverrides?: object } {
  const accounts = new Map<string, Record<string, Hex>>();
  for (const [authority, code] of delegationsOf(transaction)) accounts.set(authority, { code });
  const { from } = transaction.request;
  if (manner === "bare")
    accounts.set(from, { ...accounts.get(from), balance: quantityHex(chainState.balance + bareBalance) });
  return accounts.size === 0 ? {} : { stateOverrides: Object.fromEntries(accounts) };
}

/** A million ether. */
const bareBalance = 10n ** 24n;
