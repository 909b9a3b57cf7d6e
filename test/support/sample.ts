import { type Hash, readHash } from "../../src/kernel/hex.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import type { Evidence } from "../../src/model/evidence.ts";
import type { Explanation } from "../../src/model/explanation.ts";
import type { AccountView } from "../../src/model/told/account-view.ts";
import type { PictureFacts } from "../../src/model/told/picture-facts.ts";

/** A distinct transaction hash for each number. */
export function hashOf(number: number): Hash {
  return readHash(`0x${number.toString(16).padStart(64, "0")}`) as Hash;
}

/** The smallest case file: a plain call in block 1. */
export function caseFileOf(hash: Hash): CaseFile {
  const from = `0x${"a".repeat(40)}`;
  return {
    version: 2,
    chain_id: 8453,
    tx_hash: hash,
    gathered_at: "2024-01-01T00:00:00Z",
    transaction: { hash, from, to: `0x${"b".repeat(40)}`, value: "0x0", input: "0x" },
    receipt: { status: "0x1", logs: [] },
    block: { number: "0x1", timestamp: "0x6553f100" },
    trace: { source: "debug_traceTransaction", root: { type: "CALL", from } },
    tokens: {},
    reads: [],
    price: { status: "absent", source: "none", eth_usd: null },
  };
}

/** An explanation that satisfies its schema. `parts` replaces the parts that matter to a test. */
export function explanationOf(hash: Hash, parts: Partial<Explanation> = {}): Explanation {
  return {
    summary: "0x1111…1111 sent 1.5 USDC to 0x2222…2222.",
    action_type: "token_transfer",
    status: "success",
    assets_moved: [
      {
        token: "USDC",
        amount: "1.5",
        from: `0x${"1".repeat(40)}`,
        to: `0x${"2".repeat(40)}`,
        token_address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
        standard: "erc20",
      },
    ],
    counterparties: [{ address: `0x${"2".repeat(40)}`, label: null }],
    risk_flags: [],
    checks: {
      contract_verification: "unavailable",
      first_interaction: "unavailable",
      drainer_blacklist: "unavailable",
      unchecked_addresses: [],
      note: "No check ran.",
    },
    gas_paid_usd: 0.001234,
    timestamp: "2023-11-14T22:13:20Z",
    block_number: 1,
    tx_hash: hash,
    explorer_url: `https://basescan.org/tx/${hash}`,
    partial: false,
    provenance: {
      untrusted_fields: ["summary", "assets_moved[0].token"],
      note: "Token names are chosen by their issuers.",
    },
    ...parts,
  };
}

/** The view of the account whose act {@link explanationOf} tells. */
export function viewOf(hash: Hash): AccountView {
  const { summary, action_type, status, risk_flags, checks, provenance, ...rest } = explanationOf(hash);
  const { timestamp, block_number, explorer_url } = rest;
  return {
    ...{ tx_hash: hash, account: `0x${"1".repeat(40)}`, role: "sender", summary, action_type, status },
    ...{ balance_changes: [], grants: [], risk_flags, checks, paid_gas_usd: 0, timestamp, block_number, explorer_url },
    ...{ partial: false, provenance },
  };
}

/** Of the explanation of {@link explanationOf}. */
export function pictureFactsOf(): PictureFacts {
  const [subject, target] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`];
  return {
    ...{ subject, sender: subject, target },
    legs: [{ movement: 0, fee: false, raw: false, inferred: false }],
    ...{ cut: 0, changes: [], grants: [], labels: {}, failures: [], logs: [] },
  };
}

export function evidenceOf(ruleset = "r1"): Evidence {
  const subject = `0x${"1".repeat(40)}` as Evidence["subject"];
  return {
    ruleset,
    subject,
    calls: [],
    actions: [],
    superseded: [],
    unexplained: [],
    unexplained_calls: [],
    unclaimed_logs: [],
    completeness: { movements: { explained: 0, total: 0 }, calls: { explained: 0, total: 0 } },
    partial: [],
    risk: { examined: [], findings: [], lookups: [] },
  };
}
