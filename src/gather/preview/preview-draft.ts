import { chain } from "../../kernel/chain-profile.ts";
import type { CaseFile, RpcReceipt, RpcTransaction } from "../../model/case-file.ts";
import { quantityHex } from "../network/rpc/rpc-objects.ts";
import type { ChainState } from "./chain-state.ts";
import type { Ran, Simulated } from "./runs/simulate.ts";
import { signingHash, type UnsignedTransaction } from "./unsigned-transaction.ts";

export interface DraftParts {
  transaction: UnsignedTransaction;
  chainState: ChainState;
}

/** Before the lookups; its block is that of the simulation. */
export function draftOf(
  { transaction, chainState }: DraftParts,
  simulated: Simulated,
  run: Ran,
  differs: boolean | null,
): CaseFile {
  const { told, priced, unavailable, refusal, fees } = simulated;
  const price = priceOf(transaction, chainState);
  return {
    ...baseOf({ transaction, chainState }),
    receipt: {
      ...run.receipt,
      ...(run.receipt.gasUsed === undefined
        ? {}
        : { gasUsed: quantityHex(BigInt(run.receipt.gasUsed) + authorizing(transaction)) }),
      effectiveGasPrice: quantityHex(price),
      ...feesOf(fees),
    },
    trace: run.trace,
    simulation: { method: told?.method ?? "none", priced, differs, unavailable, refusal },
  };
}

/** Only the calldata is known. */
export function requestDraft(parts: DraftParts, simulated?: Pick<Simulated, "unavailable" | "refusal">): CaseFile {
  const { unavailable = [], refusal = null } = simulated ?? {};
  return {
    ...baseOf(parts),
    receipt: { status: "0x0", logs: [] },
    trace: { source: "none", reason: refusal === null ? "nobody simulated" : "a node would refuse it" },
    simulation: { method: "none", priced: false, differs: null, unavailable, refusal },
  };
}

function baseOf({ transaction, chainState }: DraftParts): Omit<CaseFile, "receipt" | "trace" | "simulation"> {
  const hash = signingHash(transaction);
  const { request, nonce, gas, authorizations } = transaction;
  const asked: RpcTransaction = {
    hash,
    type: authorizations.length === 0 ? "0x2" : "0x4",
    from: request.from,
    to: request.to,
    value: quantityHex(request.value),
    input: request.data,
    nonce: quantityHex(nonce),
    gas: quantityHex(gas),
    ...(authorizations.length === 0 ? {} : { authorizationList: authorizations }),
  };
  return {
    version: 2,
    chain_id: chain.id,
    tx_hash: hash,
    gathered_at: "",
    transaction: asked,
    block: { number: quantityHex(chainState.number), hash: chainState.hash, timestamp: quantityHex(chainState.time) },
    tokens: {},
    reads: [],
    price: { status: "unavailable", source: "not asked yet", eth_usd: null },
  };
}

function priceOf({ maxFeePerGas, maxPriorityFeePerGas }: UnsignedTransaction, { baseFee }: ChainState): bigint {
  const price = baseFee + maxPriorityFeePerGas;
  return price < maxFeePerGas ? price : maxFeePerGas;
}

/** Unknown ones are left out. */
function feesOf({ l1Fee, operator }: Simulated["fees"]): Partial<RpcReceipt> {
  return {
    ...(l1Fee === null ? {} : { l1Fee: quantityHex(l1Fee) }),
    ...(operator === null
      ? {}
      : { operatorFeeScalar: quantityHex(operator.scalar), operatorFeeConstant: quantityHex(operator.constant) }),
  };
}

/** EIP-7702: 12,500 for each existing account. A simulation omits it, as an override sets the delegation. */
function authorizing({ authorizations }: UnsignedTransaction): bigint {
  return BigInt(authorizations.length) * 12_500n;
}
