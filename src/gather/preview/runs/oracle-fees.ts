import { encodeFunctionData, parseAbi } from "viem";
import type { Address } from "../../../kernel/address.ts";
import { type Hex, readHex } from "../../../kernel/hex.ts";
import type { RpcAnswer, RpcCall } from "../../network/rpc/endpoint.ts";
import { ethCall } from "../../network/rpc/multicall.ts";
import { quantityHex } from "../../network/rpc/rpc-objects.ts";
import { serialize, type UnsignedTransaction } from "../unsigned-transaction.ts";

/** GasPriceOracle of OP Stack chains; simulations omit them. */
export interface OracleFees {
  /** L1 data, wei; null: unknown. */
  l1Fee: bigint | null;
  /** Since Isthmus; null: unknown or none. */
  operator: OperatorFee | null;
}

/** Wei: gas used × scalar / 1,000,000 + constant. */
export interface OperatorFee {
  scalar: bigint;
  constant: bigint;
}

export const noFees: OracleFees = { l1Fee: null, operator: null };

const oracleAbi = parseAbi([
  "function getL1Fee(bytes unsignedTransaction) view returns (uint256)",
  "function getOperatorFee(uint256 gasUsed) view returns (uint256)",
]);

/** Linear in gas: 0 and this amount determine it. */
const gasStep = 1_000_000n;

/** Same block, in the simulation's batch, before the gas is known. */
export function feeCalls(oracle: Address, transaction: UnsignedTransaction, block: bigint): RpcCall[] {
  const ask = (data: Hex) => ethCall({ to: oracle, data }, quantityHex(block));
  const operatorFee = (gas: bigint) =>
    ask(encodeFunctionData({ abi: oracleAbi, functionName: "getOperatorFee", args: [gas] }));
  const l1Fee = encodeFunctionData({ abi: oracleAbi, functionName: "getL1Fee", args: [serialize(transaction)] });
  return [ask(l1Fee), operatorFee(0n), operatorFee(gasStep)];
}

/** Of {@link feeCalls}. Before Isthmus there is no operator fee, nor its function. */
export function readFees([l1Fee, none, step]: readonly (RpcAnswer | undefined)[]): OracleFees {
  const [constant, withStep] = [wordIn(none), wordIn(step)];
  const known = constant !== null && withStep !== null && withStep >= constant;
  return { l1Fee: wordIn(l1Fee), operator: known ? { scalar: withStep - constant, constant } : null };
}

function wordIn(answer: RpcAnswer | undefined): bigint | null {
  const word = answer?.ok === true ? readHex(answer.result) : undefined;
  return word?.length === 66 ? BigInt(word) : null;
}
