import type { Checks, Counterparty, FlagCode, Provenance } from "../explanation.ts";

/** What a caller gets about something that somebody is asked to sign. Key order here is the order of the JSON. */
export interface MessageExplanation {
  summary: string;
  /** A value of rules/actions.yaml. */
  action_type: string;
  /** Nothing happens when it is signed; what others do with the signature later is not known. */
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
  /** Exact decimal text, the raw integer when the token's decimals are unknown, or `unlimited`. null: one NFT, or all of them. */
  amount: string | null;
  token_id?: string;
  /** ISO 8601 UTC; null: without end. */
  until: string | null;
}

/** What is signed, as it is written. */
export interface SignedMessage {
  /** The name of the EIP-712 struct; null for what is no typed data. */
  primary_type: string | null;
  /** The contract that is to check the signature. */
  contract: string | null;
  contract_label: string | null;
  /** The first values, in order. */
  fields: SignedField[];
}

export interface SignedField {
  /** `details[0].token` */
  path: string;
  type: string;
  /** Addresses, bytes and numbers as text; cleaned and cut. */
  value: string;
}

/** The flags of transactions, and those that only a message can raise. */
export type MessageFlagCode = FlagCode | "gives_for_nothing" | "unknown_message" | "no_chain";

export interface MessageFlag {
  flag: MessageFlagCode;
  /** One sentence; no text of strangers in it. */
  detail: string;
}

/** The answer for one message, and the rule that it rests on. */
export interface MessageDecision {
  explanation: MessageExplanation;
  /** null: no rule knows the message. */
  rule: { id: string; version: string } | null;
}
