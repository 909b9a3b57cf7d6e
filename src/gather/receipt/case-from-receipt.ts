import { readAddress } from "../../kernel/address.ts";
import { type JsonObject, readObject } from "../../kernel/canonical.ts";
import { chain } from "../../kernel/chain-profile.ts";
import { type Hash, readHash, readQuantity } from "../../kernel/hex.ts";
import { findDisagreement } from "../../model/case-agreement.ts";
import type { CaseFile, TokenLookup, Trace } from "../../model/case-file.ts";
import { buildCallTree, readCallFrame } from "../network/rpc/call-tree.ts";
import { readBlock, readReceipt, readTransaction } from "../network/rpc/rpc-objects.ts";
import { toRpcBlock, toRpcReceipt, toRpcTransaction } from "./rpc-form.ts";

/** Of viem, ethers v6 or JSON-RPC (`eth_getTransactionByHash`, …). */
export interface CaseInput {
  transaction: object;
  receipt: object;
  /** For the time only. */
  block?: object;
  /** callTracer (`debug_traceTransaction`) or `trace_transaction`. Without it ether inside is not seen. */
  trace?: object;
  /** By address, for unlisted tokens; without it amounts are base units. */
  tokens?: Readonly<Record<string, TokenInput>>;
}

/** As the contract answers; a missing field is unknown. */
export interface TokenInput {
  symbol?: string | null;
  name?: string | null;
  decimals?: number | bigint | null;
  standard?: "erc721" | "erc1155" | null;
}

/**
 * `invalid_…`: this part is malformed. `not_in_block`: pending. `wrong_chain`: of another chain. `wrong_transaction`: the receipt is of
 * another transaction.
 */
export type CaseInputErrorCode =
  | `invalid_${"transaction" | "receipt" | "block" | "trace" | "token"}`
  | "not_in_block"
  | "wrong_chain"
  | "wrong_transaction";

/** The message says what is wrong. */
export class CaseInputError extends Error {
  readonly code: CaseInputErrorCode;

  constructor(code: CaseInputErrorCode, message: string) {
    super(message);
    this.name = "CaseInputError";
    this.code = code;
  }
}

/**
 * Asks no source and assumes nothing: without a trace ether inside is unknown, without a price there are no dollars, and no risk check
 * counts as done. Throws CaseInputError.
 */
export function caseFromReceipt(given: CaseInput): CaseFile {
  const { transaction, source, hash } = readGivenTransaction(given?.transaction);
  const { receipt, place } = readGivenReceipt(given.receipt, hash);
  const disagreement = findDisagreement(source, place);
  if (disagreement !== undefined)
    throw new CaseInputError("wrong_transaction", `The receipt is of another transaction: ${disagreement}.`);
  return {
    version: 2,
    chain_id: chain.id,
    tx_hash: hash,
    // Not read by stages; a real time would make equal cases differ.
    gathered_at: "1970-01-01T00:00:00Z",
    transaction,
    receipt,
    block: blockOf(given.block, { ...source, ...place }),
    trace: traceOf(given.trace, transaction.from),
    tokens: tokensOf(given.tokens ?? {}),
    reads: [],
    price: { status: "unavailable", source: "not given", eth_usd: null },
  };
}

function readGivenTransaction(given: unknown) {
  const source = toRpcTransaction(readObject(given) ?? {});
  const hash = readHash(source.hash);
  const transaction = hash === undefined ? undefined : readTransaction(source, hash);
  if (hash === undefined || transaction === undefined)
    throw new CaseInputError("invalid_transaction", "The transaction needs hash, from, to, value and input.");
  const chainId = readQuantity(source.chainId);
  if (chainId !== undefined && chainId !== BigInt(chain.id))
    throw new CaseInputError("wrong_chain", `The transaction is of chain ${chainId}; ${chain.name} is ${chain.id}.`);
  return { transaction, source, hash };
}

function readGivenReceipt(given: unknown, hash: Hash) {
  const place = toRpcReceipt(readObject(given) ?? {});
  const other = readHash(place.transactionHash);
  if (other !== undefined && other !== hash)
    throw new CaseInputError("wrong_transaction", `The receipt is of ${other}, and the transaction is ${hash}.`);
  const receipt = readReceipt(place, hash);
  if (receipt === undefined)
    throw new CaseInputError("invalid_receipt", "The receipt needs its logs, each with address, topics and data.");
  return { receipt, place };
}

/** Number and hash of receipt or transaction; time only of the block. */
function blockOf(given: unknown, { blockNumber, blockHash }: JsonObject): CaseFile["block"] {
  const number = readQuantity(blockNumber);
  if (number === undefined) throw new CaseInputError("not_in_block", "The transaction is not in a block yet.");
  const hash = readHash(blockHash);
  const expected = { number: `0x${number.toString(16)}`, ...(hash && { hash }) } as const;
  if (given === undefined || given === null) return expected;
  const block = readBlock(toRpcBlock(readObject(given) ?? {}), expected);
  if (block === undefined)
    throw new CaseInputError("invalid_block", `The block is not block ${number} of the receipt.`);
  return block;
}

function traceOf(given: unknown, sender: string): Trace {
  if (given === undefined || given === null) return { source: "none", reason: "not given" };
  const isFlat = Array.isArray(given);
  const root = isFlat ? buildCallTree(given, sender) : readCallFrame(given, sender);
  if (root === undefined)
    throw new CaseInputError("invalid_trace", `The trace is no call tree of a transaction from ${sender}.`);
  return { source: isFlat ? "trace_transaction" : "debug_traceTransaction", root };
}

function tokensOf(given: Readonly<Record<string, TokenInput>>): Record<string, TokenLookup> {
  const tokens: Record<string, TokenLookup> = {};
  for (const [text, { symbol = null, name = null, standard = null, ...more }] of Object.entries(given)) {
    const address = readAddress(text);
    const decimals = more.decimals === null || more.decimals === undefined ? null : Number(more.decimals);
    const fits = decimals === null || (Number.isInteger(decimals) && decimals >= 0 && decimals <= 255);
    if (address === undefined || !fits)
      throw new CaseInputError("invalid_token", `The token ${text} needs an address, and decimals from 0 to 255.`);
    tokens[address] = { status: "found", source: "given", symbol, name, decimals, standard };
  }
  return tokens;
}
