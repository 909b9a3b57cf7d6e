/** The answer. Its format is schemas/explanation.schema.json; the order of the keys here is their order in the JSON. */
export interface Explanation {
  /** One to three sentences that begin with the account that acted. Every fact in them is a field too: do not parse them. */
  summary: string;
  /** A value of rules/actions.yaml. */
  action_type: string;
  status: "success" | "reverted";
  /** In the order of the transaction. */
  assets_moved: AssetMoved[];
  /** Other addresses that took part, the most relevant first; at most 25. */
  counterparties: Counterparty[];
  risk_flags: RiskFlag[];
  checks: Checks;
  /** In USD, with six decimals; null when the fee or the price is unknown. */
  gas_paid_usd: number | null;
  /** ISO 8601 in UTC, to the second; null when the block's time is unknown. */
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
  /** A name from rules or labels; null when there is none. */
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
  /** One sentence without text from the chain. */
  detail: string;
}

/** docs/risk.md explains each value. The lack of a flag means something only where its check is `ok`. */
export type CheckStatus = "ok" | "partial" | "unavailable" | "inconclusive" | "not_applicable";

export interface Checks {
  contract_verification: CheckStatus;
  first_interaction: CheckStatus;
  drainer_blacklist: CheckStatus;
  /** Addresses beyond the limit of lookups, in EIP-55 form. */
  unchecked_addresses: string[];
  /** Why the checks are incomplete; null when every check ran. */
  note: string | null;
}

export interface Provenance {
  /** Paths of this answer whose text an attacker may have chosen, e.g. `assets_moved[0].token`. */
  untrusted_fields: string[];
  note: string;
}
