import { encodeFunctionData, parseAbi } from "viem";
import type { Address } from "../../../kernel/address.ts";
import { type Hex, readHex } from "../../../kernel/hex.ts";
import type { RpcAnswer, RpcCall } from "../../network/rpc/endpoint.ts";
import { ethCall } from "../../network/rpc/multicall.ts";
import { quantityHex } from "../../network/rpc/rpc-objects.ts";
import { serialize, type UnsignedTransaction } from "../unsigned-transaction.ts";

/** Fees beside the gas that a transaction uses, from the GasPriceOracle of OP Stack chains. Simulations do not tell them. */
export interface OracleFees {
  /** The fee for its data on Ethereum, in wei; null: not known. */
  l1Fee: bigint | null;
  /** The operator fee (since the Isthmus upgrade); null: not known, or the chain has none. */
  operator: OperatorFee | null;
}

/** The fee in wei is gas used × scalar / 1,000,000 + constant, as in receipts. */
export interface OperatorFee {
  scalar: bigint;
  constant: bigint;
}

export const noFees: OracleFees = { l1Fee: null, operator: null };

const oracleAbi = parseAbi([
  "function getL1Fee(bytes unsignedTransaction) view returns (uint256)",
  "function getOperatorFee(uint256 gasUsed) view returns (uint256)",
]);

/** The operator fee is linear in the gas, so two answers tell it for any gas: that for 0 and that for this amount. */
const gasStep = 1_000_000n;

/** The questions to the oracle, for the same block. They go in the batch of the simulation, so the gas that is used is not known yet. */
export function feeCalls(oracle: Address, transaction: UnsignedTransaction, block: bigint): RpcCall[] {
  const ask = (data: Hex) => ethCall({ to: oracle, data }, quantityHex(block));
  const operatorFee = (gas: bigint) =>
    ask(encodeFunctionData({ abi: oracleAbi, functionName: "getOperatorFee", args: [gas] }));
  const l1Fee = encodeFunctionData({ abi: oracleAbi, functionName: "getL1Fee", args: [serialize(transaction)] });
  return [ask(l1Fee), operatorFee(0n), operatorFee(gasStep)];
}

/** Reads the answers to {@link feeCalls}. Before Isthmus, a chain has no operator fee and its oracle has no such function. */
export function readFees([l1Fee, none, step]: readonly (RpcAnswer | undefined)[]): OracleFees {
  const [constant, withStep] = [wordIn(none), wordIn(step)];
  const known = constant !== null && withStep !== null && withStep >= constant;
  return { l1Fee: wordIn(l1Fee), operator: known ? { scalar: withStep - constant, constant } : null };
}

function wordIn(answer: RpcAnswer | undefined): bigint | null {
  const word = answer?.ok === true ? readHex(answer.result) : undefined;
  return word?.length === 66 ? BigInt(word) : null;
}
