/** What a caller gets. Described by schemas/explanation.schema.json; key order here is the order of the JSON. */
export interface Explanation {
  /** One to three sentences that begin with who acted. Every fact in it is also a field: do not parse it. */
  summary: string;
  /** A value of rules/actions.yaml. */
  action_type: string;
  status: "success" | "reverted";
  /** In the order of the transaction. */
  assets_moved: AssetMoved[];
  /** Who else took part, the most relevant first; at most 25. */
  counterparties: Counterparty[];
  risk_flags: RiskFlag[];
  checks: Checks;
  /** USD, six decimals; null when the fee or the price is unknown. */
  gas_paid_usd: number | null;
  /** ISO 8601 UTC, seconds; null when the block's time is unknown. */
  timestamp: string | null;
  block_number: number;
  /** Lower case. */
  tx_hash: string;
  explorer_url: string;
  /** True when something that matters could not be seen, was cut or stays unexplained. */
  partial: boolean;
  provenance: Provenance;
}

/** One movement of an asset. Addresses are in EIP-55 form. */
export interface AssetMoved {
  /** Symbol, or the short address when there is no usable symbol. */
  token: string;
  /** Exact decimal text; the raw integer when the token's decimals are unknown. */
  amount: string;
  from: string;
  to: string;
  /** null: ether. */
  token_address: string | null;
  /** Decimal text; NFTs only. */
  token_id?: string;
  standard: "native" | "erc20" | "erc721" | "erc1155";
}

export interface Counterparty {
  /** In EIP-55 form. */
  address: string;
  /** A name of the rules or labels; null when there is none. */
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

/** docs/risk.md says what each means. The lack of a flag means something only where its check is `ok`. */
export type CheckStatus = "ok" | "partial" | "unavailable" | "inconclusive" | "not_applicable";

export interface Checks {
  contract_verification: CheckStatus;
  first_interaction: CheckStatus;
  drainer_blacklist: CheckStatus;
  /** Beyond the limit of lookups, in EIP-55 form. */
  unchecked_addresses: string[];
  /** Why coverage is incomplete; null when every check ran. */
  note: string | null;
}

export interface Provenance {
  /** Paths of this answer whose text an attacker may have chosen, e.g. `assets_moved[0].token`. */
  untrusted_fields: string[];
  note: string;
}
