import type { AssetMoved, Checks, Explanation, RiskFlag } from "../explanation.ts";

/** What a transaction did to one account (schemas/view.schema.json). */
export interface AccountView {
  tx_hash: string;
  account: string;
  /** `bystander`: neither moved nor named. */
  role: "sender" | "subject" | "counterparty" | "bystander";
  /** For this account. */
  summary: string;
  action_type: string;
  status: Explanation["status"];
  balance_changes: BalanceChange[];
  grants: ViewGrant[];
  risk_flags: RiskFlag[];
  checks: Checks;
  /** USD; 0 when another account sent the transaction. */
  paid_gas_usd: number | null;
  timestamp: string | null;
  block_number: number;
  explorer_url: string;
  partial: boolean;
  provenance: Explanation["provenance"];
}

/** Net, without the sender's gas. 0 only where the balances differ all the same. */
export interface BalanceChange {
  token: string;
  /** null: ether. */
  token_address: string | null;
  standard: AssetMoved["standard"];
  token_id?: string;
  /** Exact, signed, in whole tokens; base units where decimals are unknown. */
  delta: string;
  /** USD at the block; null: no price. Never guessed. */
  usd: number | null;
  price_source: string | null;
  /** `differs`: a fee on transfers, rebasing, or another transaction of the block. */
  balance_check: "equal" | "differs" | "not_checked";
}

/** A right that remains at the end of the transaction. */
export interface ViewGrant {
  token: string;
  token_address: string;
  spender: string;
  /** Whole tokens; null over NFTs. */
  amount: string | null;
  unlimited: boolean;
}
