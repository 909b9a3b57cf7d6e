import type { ChainState } from "../../../src/gather/preview/chain-state.ts";
import type { PreviewRequest } from "../../../src/gather/preview/preview-request.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import { alice, bob } from "../../support/case-of.ts";

/** The hash of the newest block, and any other 32 bytes. */
export const hash = `0x${"7".repeat(64)}` as Hash;

/** What alice asks to be told before she signs. */
export const request: PreviewRequest = {
  ...{ from: alice, to: bob, value: 0n, data: "0x", gas: null, nonce: null, authorizations: [] },
};

/** The same with ether and calldata. */
export const sending: PreviewRequest = { ...request, value: 26n, data: "0x12" };

/** What a node says of the newest block and of alice. */
export const chainState: ChainState = {
  ...{ number: 99n, hash, time: 1_700_000_000n, baseFee: 8_000_000n, gasLimit: 60_000_000n, miner: "0x00" },
  ...{ prevRandao: hash, nonce: 5n, balance: 10n ** 18n, isContract: false },
};

/** A number or an address as a word of the ABI. */
export const word = (value: bigint | string) =>
  `0x${(typeof value === "string" ? value.slice(2) : value.toString(16)).padStart(64, "0")}`;
