import type { Checks, Counterparty, FlagCode, Provenance } from "../explanation.ts";

/** The answer about a message to be signed; keys in the order of the JSON. */
export interface MessageExplanation {
  summary: string;
  /** Of rules/actions.yaml. */
  action_type: string;
  /** Always: what others do with the signature later is not known. */
  outcome: "not_simulated";
  assets_moved: [];
  grants: MessageGrant[];
  message: SignedMessage;
  counterparties: Counterparty[];
  risk_flags: MessageFlag[];
  checks: Checks;
  /** Something that matters could not be read, was cut, or is not known. */
  partial: boolean;
  provenance: Provenance;
}

export interface MessageGrant {
  /** Symbol, or the short address. */
  token: string;
  token_address: string;
  spender: string;
  spender_label: string | null;
  /** Exact; base units when decimals are unknown; or `unlimited`. null: over one NFT or all of them. */
  amount: string | null;
  token_id?: string;
  /** ISO 8601 in UTC; null: no end. */
  until: string | null;
}

export interface SignedMessage {
  /** EIP-712 struct; null: no typed data. */
  primary_type: string | null;
  /** Will check the signature. */
  contract: string | null;
  contract_label: string | null;
  /** The first, in order. */
  fields: SignedField[];
}

export interface SignedField {
  /** `details[0].token` */
  path: string;
  type: string;
  /** Cleaned and cut. */
  value: string;
}

/** The flags of explanations, and those that only a message can raise. */
export type MessageFlagCode = FlagCode | "gives_for_nothing" | "unknown_message" | "no_chain";

export interface MessageFlag {
  flag: MessageFlagCode;
  /** No text that strangers chose. */
  detail: string;
}

export interface MessageDecision {
  explanation: MessageExplanation;
  /** null: no rule fits. */
  rule: { id: string; version: string } | null;
}
