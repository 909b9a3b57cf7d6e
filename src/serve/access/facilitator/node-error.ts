import {
  BaseError,
  ContractFunctionRevertedError,
  ExecutionRevertedError,
  RpcRequestError,
  TransactionReceiptNotFoundError,
} from "viem";

/** Also with an error of the contract. */
export function isAnswer(error: unknown): boolean {
  return isRefusal(error) || walk(error, (one) => one.name === "ContractFunctionZeroDataError");
}

/** It would revert; nothing was sent. */
export function isRefusal(error: unknown): boolean {
  return walk(
    error,
    (one) =>
      one instanceof ContractFunctionRevertedError ||
      one instanceof ExecutionRevertedError ||
      (one instanceof RpcRequestError && /revert|out ?of ?gas/i.test(one.details)),
  );
}

/** undefined: no receipt. */
export function ignoreMissing(error: unknown): undefined {
  if (error instanceof TransactionReceiptNotFoundError) return undefined;
  throw error;
}

function walk(error: unknown, test: (one: Error) => boolean): boolean {
  return error instanceof BaseError && error.walk((one) => one instanceof Error && test(one)) !== null;
}

/** null: it may have accepted it. */
export function readRefusal(error: unknown): "poor" | "taken" | null {
  const said = error instanceof BaseError ? error.walk((one) => one instanceof RpcRequestError) : error;
  if (!(said instanceof RpcRequestError)) return null;
  if (/insufficient funds/i.test(said.details)) return "poor";
  return /nonce too low|underpriced|nonce has already/i.test(said.details) ? "taken" : null;
}
