/** What a caller gets. Described by schemas/explanation.schema.json; key order here is the order of the JSON. */
export interface Explanation {
  summary: string;
  /** A value of rules/actions.yaml. */
  action_type: string;
  status: "success" | "reverted";
  assets_moved: AssetMoved[];
  counterparties: Counterparty[];
  risk_flags: RiskFlag[];
  checks: Checks;
  /** USD, six decimals; null when the fee or the price is unknown. */
  gas_paid_usd: number | null;
  /** ISO 8601 UTC, seconds; null when the block's time is unknown. */
  timestamp: string | null;
  block_number: number;
  tx_hash: string;
  explorer_url: string;
  /** True when something that matters could not be seen, was cut or stays unexplained. */
  partial: boolean;
  provenance: Provenance;
}

export interface AssetMoved {
  /** Symbol, or the short address when there is no usable symbol. */
  token: string;
  /** Exact decimal text; the raw integer when the token's decimals are unknown. */
  amount: string;
  from: string;
  to: string;
  token_address: string | null;
  /** Decimal text; NFTs only. */
  token_id?: string;
  standard: "native" | "erc20" | "erc721" | "erc1155";
}

export interface Counterparty {
  address: string;
  label: string | null;
}

export type FlagCode =
  | "unverified_contract"
  | "first_time_counterparty"
  | "approval_for_all"
  | "unlimited_approval"
  | "known_drainer"
  | "nonstandard_token_symbol"
  | "impersonated_token"
  | "transaction_reverted";

export interface RiskFlag {
  flag: FlagCode;
  /** One sentence; no text from the chain in it. */
  detail: string;
}

export type CheckStatus = "ok" | "partial" | "unavailable" | "inconclusive" | "not_applicable";

export interface Checks {
  contract_verification: CheckStatus;
  first_interaction: CheckStatus;
  drainer_blacklist: CheckStatus;
  unchecked_addresses: string[];
  /** Why coverage is incomplete; null when every check ran. */
  note: string | null;
}

export interface Provenance {
  /** Paths of this answer whose text an attacker may have chosen, e.g. `assets_moved[0].token`. */
  untrusted_fields: string[];
  note: string;
}
