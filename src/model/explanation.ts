/** The answer (schemas/explanation.schema.json); keys in the order of the JSON. */
export interface Explanation {
  /** Begins with the account that acted. Every fact in it is a field too: do not parse it. */
  summary: string;
  /** Of rules/actions.yaml. */
  action_type: string;
  status: "success" | "reverted";
  /** In the order of the transaction. */
  assets_moved: AssetMoved[];
  /** Others that took part, the most relevant first. */
  counterparties: Counterparty[];
  risk_flags: RiskFlag[];
  checks: Checks;
  /** USD, six decimals; null when fee or price is unknown. */
  gas_paid_usd: number | null;
  /** ISO 8601 in UTC; null when unknown. */
  timestamp: string | null;
  block_number: number;
  /** Lower case. */
  tx_hash: string;
  explorer_url: string;
  /** Something that matters could not be seen, was cut or stays unexplained. */
  partial: boolean;
  provenance: Provenance;
}

/** EIP-55 addresses. */
export interface AssetMoved {
  /** Symbol, or the short address. */
  token: string;
  /** Exact; the raw integer when decimals are unknown. */
  amount: string;
  from: string;
  to: string;
  /** null: ether. */
  token_address: string | null;
  /** Decimal; NFTs only. */
  token_id?: string;
  standard: "native" | "erc20" | "erc721" | "erc1155";
}

export interface Counterparty {
  /** EIP-55. */
  address: string;
  /** From rules or labels. */
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
  /** No text from the chain. */
  detail: string;
}

/** See docs/risk.md. The lack of a flag means something only where its check is `ok`. */
export type CheckStatus = "ok" | "partial" | "unavailable" | "inconclusive" | "not_applicable";

export interface Checks {
  contract_verification: CheckStatus;
  first_interaction: CheckStatus;
  drainer_blacklist: CheckStatus;
  /** Beyond the limit of lookups, EIP-55. */
  unchecked_addresses: string[];
  /** null when every check ran. */
  note: string | null;
}

export interface Provenance {
  /** Paths whose text an attacker may have chosen, e.g. `assets_moved[0].token`. */
  untrusted_fields: string[];
  note: string;
}
