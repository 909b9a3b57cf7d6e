import { encodeAbiParameters, encodeEventTopics, encodeFunctionData, parseAbi, parseAbiItem } from "viem";
import { toAddress } from "../../src/kernel/address.ts";
import type { Hex } from "../../src/kernel/hex.ts";
import type { CaseFile, RpcFrame, RpcLog, RpcReceipt, RpcTransaction, TokenLookup } from "../../src/model/case-file.ts";
import { caseFileOf, hashOf } from "./sample.ts";

/** Accounts and contracts that only tests use. No rule and no label lists them. */
export const alice = toAddress(`0x${"a1".repeat(20)}`);
export const bob = toAddress(`0x${"b0".repeat(20)}`);
export const carol = toAddress(`0x${"c4".repeat(20)}`);
export const vault = toAddress(`0x${"5a".repeat(20)}`);
export const token = toAddress(`0x${"70".repeat(20)}`);
export const zero = toAddress(`0x${"00".repeat(20)}`);
/** Wrapped ether and USDC on Base. */
export const weth = toAddress("0x4200000000000000000000000000000000000006");
export const usdc = toAddress("0x833589fcd6edb6e08f4c7c32d4f71b54bda02913");

export interface CaseParts {
  transaction?: Partial<RpcTransaction>;
  receipt?: Partial<RpcReceipt>;
  block?: CaseFile["block"];
  /** The native movements that an explorer lists, a call tree, or neither (source `none`). */
  trace?: CaseFile["trace"];
  tokens?: CaseFile["tokens"];
  reads?: CaseFile["reads"];
  price?: CaseFile["price"];
}

/** A case in which alice calls the vault. Tests replace the parts that matter to them. */
export function caseOf(parts: CaseParts = {}): CaseFile {
  const base = caseFileOf(hashOf(1));
  return {
    ...base,
    ...parts,
    transaction: { ...base.transaction, from: alice, to: vault, ...parts.transaction },
    receipt: { ...base.receipt, ...parts.receipt },
    trace: parts.trace ?? { source: "none", reason: "no endpoint offers a trace" },
  };
}

/** A log of an event. The event is given by its signature, its arguments by name. */
export function logOf(address: string, signature: string, args: Record<string, unknown>): RpcLog {
  const event = parseAbiItem(signature as "event Transfer(address indexed from, address indexed to, uint256 value)");
  const plain = event.inputs.filter((input) => !("indexed" in input && input.indexed));
  return {
    address,
    topics: encodeEventTopics({ abi: [event], args } as never) as unknown as Hex[],
    data: encodeAbiParameters(plain, plain.map(({ name }) => args[name as string]) as never),
  };
}

/** Calldata of a function given by its signature. */
export function calldata(signature: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: parseAbi([signature]), args } as never);
}

/** ERC-721: one token. */
export function nftTransferLog(of: string, from: string, to: string, id: bigint): RpcLog {
  return logOf(of, "event Transfer(address indexed from, address indexed to, uint256 indexed id)", { from, to, id });
}

/** ERC-1155: `value` pieces of one token. */
export function piecesTransferLog(
  of: string,
  args: { operator: string; from: string; to: string; id: bigint; value: bigint },
): RpcLog {
  const event =
    "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)";
  return logOf(of, event, args);
}

export function transferLog(of: string, from: string, to: string, value: bigint): RpcLog {
  return logOf(of, "event Transfer(address indexed from, address indexed to, uint256 value)", { from, to, value });
}

/** A frame of a call tree, with the fields of geth's callTracer. */
export function frame(from: string, to: string, rest: Partial<RpcFrame> = {}): RpcFrame {
  return { type: "CALL", from, to, value: "0x0", input: "0x", ...rest };
}

export function traced(root: RpcFrame): CaseFile["trace"] {
  return { source: "debug_traceTransaction", root };
}

/** The explorer answered, and listed no movement of ether inside the call. */
export const listedNothing: CaseParts = {
  trace: { source: "internal_transfers", provider: "explorer.example", internal_transfers: [] },
};

export function metadata(symbol: string | null, decimals: number | null): TokenLookup {
  return { status: "found", source: "test", symbol, name: symbol, decimals, standard: null };
}
