import type { Hex } from "viem";
import { zeroAddress } from "../../../src/kernel/address.ts";
import { someone } from "../../engine/assess/scene.ts";
import { decideAsked, members, type Typed } from "./sample.ts";

export const safe = someone("safe");

/** A Safe transaction that alice is asked to sign. */
export function safeTx(message: Record<string, unknown>): Typed {
  const nothing = { value: "0", operation: 0, safeTxGas: 0, baseGas: 0, gasPrice: 0, nonce: 1 };
  return {
    types: {
      SafeTx: members(
        "address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce",
      ),
    },
    primaryType: "SafeTx",
    domain: { chainId: 8453, verifyingContract: safe },
    message: { ...nothing, gasToken: zeroAddress, refundReceiver: zeroAddress, ...message },
  };
}

/** The answer for alice about a Safe transaction with this call. */
export const inSafe = (to: string, data: Hex) => decideAsked({ typed_data: safeTx({ to, data }) }).explanation;
