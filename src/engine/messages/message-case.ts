import type { Address } from "../../kernel/address.ts";
import { chain } from "../../kernel/chain-profile.ts";
import type { Hash } from "../../kernel/hex.ts";
import type { CaseFile, ReadLookup } from "../../model/case-file.ts";
import type { RiskLookups } from "../../model/risk-lookups.ts";
import type { AskedForms } from "../../rules/typed-data/asked.ts";

/** With the answers of its lookups. */
export interface MessageInput extends AskedForms {
  /** Asked to sign. */
  from: string;
  /** As planned. */
  tokens?: CaseFile["tokens"];
  /** As planned. */
  reads?: readonly ReadLookup[];
  /** Absent: the checks are `unavailable`. */
  risk?: RiskLookups;
  /** Of the lookups, with the signer's next nonce there. */
  block_number?: number;
  nonce?: number;
}

const noHash = `0x${"0".repeat(64)}` as Hash;

/** Without value and data it is no call. */
interface AskedCall {
  from: Address;
  to: Address;
  value?: bigint;
  data?: string;
}

/** Nothing happened in it. For a message, or the call that it carries. */
export function messageCase(input: MessageInput, { from, to, value = 0n, data = "0x" }: AskedCall): CaseFile {
  const { tokens = {}, reads = [], risk, block_number = 0, nonce } = input;
  const carries = value > 0n || data !== "0x";
  return {
    version: 2,
    chain_id: chain.id,
    tx_hash: noHash,
    gathered_at: "1970-01-01T00:00:00Z",
    transaction: {
      hash: noHash,
      from,
      to,
      value: `0x${value.toString(16)}`,
      input: data,
      ...(nonce !== undefined && { nonce: `0x${nonce.toString(16)}` }),
    },
    // A requested call moved nothing: reverted.
    receipt: { status: carries ? "0x0" : "0x1", logs: [] },
    block: { number: `0x${block_number.toString(16)}` },
    trace: { source: "none", reason: "it is not signed yet" },
    tokens,
    reads: [...reads],
    price: { status: "absent", source: "", eth_usd: null },
    ...(risk !== undefined && { risk }),
  };
}
