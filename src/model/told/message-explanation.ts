import type { Checks, Counterparty, FlagCode, Provenance } from "../explanation.ts";

/** The answer about a message that somebody is asked to sign. The order of the keys here is their order in the JSON. */
export interface MessageExplanation {
  summary: string;
  /** A value of rules/actions.yaml. */
  action_type: string;
  /** Always this value: signing moves nothing, and what others do with the signature later is not known. */
  outcome: "not_simulated";
  assets_moved: [];
  /** Rights that the signature gives to others. */
  grants: MessageGrant[];
  message: SignedMessage;
  counterparties: Counterparty[];
  risk_flags: MessageFlag[];
  checks: Checks;
  /** True when something that matters could not be read, was cut, or is not known. */
  partial: boolean;
  provenance: Provenance;
}

export interface MessageGrant {
  /** Symbol, or the short address when there is no usable symbol. */
  token: string;
  token_address: string;
  spender: string;
  spender_label: string | null;
  /**
   * Exact decimal text; base units when the token's decimals are unknown; or `unlimited`. null: the right is over one NFT, or over all of
   * them.
   */
  amount: string | null;
  token_id?: string;
  /** ISO 8601 in UTC; null: it has no end. */
  until: string | null;
}

/** The content of the message, as it is written. */
export interface SignedMessage {
  /** The name of the EIP-712 struct; null when it is no typed data. */
  primary_type: string | null;
  /** The contract that will check the signature. */
  contract: string | null;
  contract_label: string | null;
  /** The first values, in order. */
  fields: SignedField[];
}

export interface SignedField {
  /** `details[0].token` */
  path: string;
  type: string;
  /** The value as text, cleaned and cut. */
  value: string;
}

/** The flags of explanations, and those that only a message can raise. */
export type MessageFlagCode = FlagCode | "gives_for_nothing" | "unknown_message" | "no_chain";

export interface MessageFlag {
  flag: MessageFlagCode;
  /** One sentence without text that strangers chose. */
  detail: string;
}

/** The answer for one message, and the rule that made it. */
export interface MessageDecision {
  explanation: MessageExplanation;
  /** null: no rule fits the message. */
  rule: { id: string; version: string } | null;
}
