import { encodeFunctionData, parseAbi } from "viem";
import type { Address } from "../../kernel/address.ts";
import { type Hex, readHex } from "../../kernel/hex.ts";
import type { RpcAnswer, RpcCall } from "../../network/rpc/endpoint.ts";
import { ethCall } from "../../network/rpc/multicall.ts";
import { quantityHex } from "../../network/rpc/rpc-objects.ts";
import { serialize, type UnsignedTransaction } from "../unsigned-transaction.ts";

/** What a transaction pays beside the gas that it uses, by the GasPriceOracle of OP Stack chains. No simulation tells it. */
export interface OracleFees {
  /** What its data costs on Ethereum, in wei; null: not told. */
  l1Fee: bigint | null;
  /** The operator fee (Isthmus); null: not told, or the chain takes none. */
  operator: OperatorFee | null;
}

/** gas used × scalar / 1,000,000 + constant, in wei: as receipts have it. */
export interface OperatorFee {
  scalar: bigint;
  constant: bigint;
}

export const noFees: OracleFees = { l1Fee: null, operator: null };

const oracleAbi = parseAbi([
  "function getL1Fee(bytes unsignedTransaction) view returns (uint256)",
  "function getOperatorFee(uint256 gasUsed) view returns (uint256)",
]);

/** The operator fee grows evenly with the gas: what it is for none and for so much tells what it is for any. */
const gasStep = 1_000_000n;

/** The questions to the oracle: at the same block, in the batch of the simulation, whose gas is not known yet. */
export function feeCalls(oracle: Address, transaction: UnsignedTransaction, block: bigint): RpcCall[] {
  const ask = (data: Hex) => ethCall({ to: oracle, data }, quantityHex(block));
  const operatorFee = (gas: bigint) =>
    ask(encodeFunctionData({ abi: oracleAbi, functionName: "getOperatorFee", args: [gas] }));
  const l1Fee = encodeFunctionData({ abi: oracleAbi, functionName: "getL1Fee", args: [serialize(transaction)] });
  return [ask(l1Fee), operatorFee(0n), operatorFee(gasStep)];
}

/** Reads the answers to {@link feeCalls}. A chain before Isthmus has no operator fee, and its oracle no such function. */
export function readFees([l1Fee, none, step]: readonly (RpcAnswer | undefined)[]): OracleFees {
  const [constant, withStep] = [wordIn(none), wordIn(step)];
  const known = constant !== null && withStep !== null && withStep >= constant;
  return { l1Fee: wordIn(l1Fee), operator: known ? { scalar: withStep - constant, constant } : null };
}

function wordIn(answer: RpcAnswer | undefined): bigint | null {
  const word = answer?.ok === true ? readHex(answer.result) : undefined;
  return word?.length === 66 ? BigInt(word) : null;
}
