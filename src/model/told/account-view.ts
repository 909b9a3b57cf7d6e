import type { AssetMoved, Checks, Explanation, RiskFlag } from "../explanation.ts";

/** What a transaction did to one account. The format is schemas/view.schema.json. */
export interface AccountView {
  tx_hash: string;
  account: string;
  /** `bystander`: the transaction neither moved anything of the account nor named it. */
  role: "sender" | "subject" | "counterparty" | "bystander";
  /** The summary from the point of view of this account. */
  summary: string;
  action_type: string;
  status: Explanation["status"];
  balance_changes: BalanceChange[];
  grants: ViewGrant[];
  risk_flags: RiskFlag[];
  checks: Checks;
  /** What the account paid for gas, in USD; 0 when another account sent the transaction. */
  paid_gas_usd: number | null;
  timestamp: string | null;
  block_number: number;
  explorer_url: string;
  partial: boolean;
  provenance: Explanation["provenance"];
}

/**
 * The net change of one asset in the transaction, without the sender's gas. A change of 0 is listed only where the balances differ all the
 * same.
 */
export interface BalanceChange {
  token: string;
  /** null: ether. */
  token_address: string | null;
  standard: AssetMoved["standard"];
  token_id?: string;
  /** Exact, with its sign, in whole tokens; in base units where the token's decimals are unknown. */
  delta: string;
  /** Its worth in USD at the block; null when no source has a price. Never guessed. */
  usd: number | null;
  price_source: string | null;
  /**
   * Whether the account's balance before and after the block differs by `delta`. `differs`: the token keeps balances in another way (a fee
   * on transfers, rebasing), or another transaction of the block moved it too.
   */
  balance_check: "equal" | "differs" | "not_checked";
}

/** A right that the account gave and that still stands at the end of the transaction. */
export interface ViewGrant {
  token: string;
  token_address: string;
  spender: string;
  /** In whole tokens; null for rights over NFTs. */
  amount: string | null;
  unlimited: boolean;
}
