import type { RefusalReason, RpcReceipt, Trace } from "../../../model/case-file.ts";
import { isRevert, type RpcAnswer } from "../../network/rpc/endpoint.ts";
import { isMissingMethod } from "../../network/rpc/trace-method.ts";

/** `missing`: no such method. `failed`: useless answer. */
export type SimulatedRun =
  | { kind: "ran"; receipt: RpcReceipt; trace: Trace }
  | { kind: "refused"; reason: RefusalReason }
  | { kind: "missing" }
  | { kind: "failed" };

/** A revert is a result; an error is about transaction or method. */
export function readUnrun(answer: RpcAnswer | undefined): SimulatedRun {
  if (answer === undefined || answer.ok) return { kind: "failed" };
  const { code, message } = answer;
  const byCode = code === null ? undefined : simulationErrors[code];
  if (byCode !== undefined) return { kind: "refused", reason: byCode };
  const [, reason] = refusalWords.find(([words]) => words.test(message)) ?? [];
  if (reason !== undefined) return { kind: "refused", reason };
  return { kind: isMissingMethod(answer) && !isRevert(answer) ? "missing" : "failed" };
}

/** execution-apis, about the transaction. */
const simulationErrors: Readonly<Record<number, RefusalReason>> = {
  [-38010]: "nonce_low",
  [-38011]: "nonce_high",
  [-38012]: "fee_low",
  [-38013]: "gas_low",
  [-38014]: "funds",
  [-38015]: "gas_high",
  [-38024]: "sender_code",
  [-38025]: "code_size",
};

/** In messages of geth, reth and anvil. */
const refusalWords: readonly [RegExp, RefusalReason][] = [
  [/nonce too low|nonce is too low|already been used/i, "nonce_low"],
  [/nonce too high|nonce is too high|nonce gap/i, "nonce_high"],
  [
    /insufficient funds|lack of funds|out ?of ?funds|balance to (?:cover|pay)|insufficient balance for transfer/i,
    "funds",
  ],
  [/intrinsic gas|floor (?:data )?gas|call gas cost .*exceeds the gas limit/i, "gas_low"],
  [
    /gas limit (?:reached|too high|exceeds)|exceeds (?:block|transaction|tx|max\w*) gas limit|gas limit.*cap/i,
    "gas_high",
  ],
  [
    /max(?:imum)? ?fee per gas less|fee cap less|less than block base fee|gas price is less than basefee|underpriced/i,
    "fee_low",
  ],
  [/init ?code size|initcode/i, "code_size"],
  [/sender not an eoa|reject transactions from senders with deployed code|EIP-3607/i, "sender_code"],
];
