import type { Address } from "../../kernel/address.ts";
import { chain } from "../../kernel/chain-profile.ts";
import type { Hash } from "../../kernel/hex.ts";
import type { CaseFile, ReadLookup } from "../../model/case-file.ts";
import type { RiskLookups } from "../../model/risk-lookups.ts";
import type { AskedForms } from "../../rules/typed-data/asked.ts";

/** A message that somebody is asked to sign, with the answers of its lookups. */
export interface MessageInput extends AskedForms {
  /** The address that is asked to sign. */
  from: string;
  /** Answers of the token contracts that the plan asked for. */
  tokens?: CaseFile["tokens"];
  /** Answers to the reads that the plan asked for. */
  reads?: readonly ReadLookup[];
  /** Answers of the risk lookups. Absent: the checks are `unavailable`. */
  risk?: RiskLookups;
  /** The block of the lookups, and the signer's next nonce at that block. */
  block_number?: number;
  nonce?: number;
}

const noHash = `0x${"0".repeat(64)}` as Hash;

/** The call that the case file is about. Without value and data it is no call. */
interface AskedCall {
  from: Address;
  to: Address;
  value?: bigint;
  data?: string;
}

/** A case file in which nothing happened. The stages read it for a message, or for the call that it carries. */
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
    // A call that is only asked for moved nothing, so it counts as reverted.
    receipt: { status: carries ? "0x0" : "0x1", logs: [] },
    block: { number: `0x${block_number.toString(16)}` },
    trace: { source: "none", reason: "it is not signed yet" },
    tokens,
    reads: [...reads],
    price: { status: "absent", source: "", eth_usd: null },
    ...(risk !== undefined && { risk }),
  };
}
