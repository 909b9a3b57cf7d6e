import type { SimulationMethod } from "../case-file.ts";
import type { AssetMoved, Checks, Counterparty, FlagCode, Provenance } from "../explanation.ts";

/**
 * The answer about a transaction before it is signed. Its format is schemas/preview.schema.json; the order of the keys here is their order
 * in the JSON.
 */
export interface Preview {
  summary: string;
  /** A value of rules/actions.yaml. */
  action_type: string;
  /** `rejected`: no node would accept it as it is. `not_simulated`: no endpoint ran it, and only its calldata is told. */
  outcome: "success" | "reverted" | "rejected" | "not_simulated";
  /** What the calldata asks for, in base form; empty when it was simulated. */
  asks: string[];
  assets_moved: AssetMoved[];
  counterparties: Counterparty[];
  risk_flags: PreviewFlag[];
  checks: Checks;
  /** What a reader must know about the preview, the most important first. */
  notes: PreviewNote[];
  simulation: SimulationRecord;
  /** In USD, with six decimals; null when the fee or the price is unknown. */
  fee_estimate_usd: number | null;
  /** True when something that matters could not be seen, was cut or stays unexplained. Always true when it was not simulated. */
  partial: boolean;
  provenance: Provenance;
}

/** The flags of an explanation, but `simulation_reverted` replaces `transaction_reverted`. */
export interface PreviewFlag {
  flag: Exclude<FlagCode, "transaction_reverted"> | "simulation_reverted";
  /** One sentence; no text from the chain in it. */
  detail: string;
}

export interface PreviewNote {
  code:
    | (
        | "rejected"
        | "simulations_differ"
        | "simulation_reverted"
        | "unpriced"
        | "no_code"
        | "upgradeable"
        | "token_terms"
      )
    | ("method_missing" | "method_failed" | "not_simulated" | "can_change");
  /** One sentence; no text from the chain in it. */
  detail: string;
}

/** What the preview is based on. */
export interface SimulationRecord {
  method: SimulationMethod;
  block_number: number;
  block_hash: string;
  /** Gas that the simulation used; null when there was no simulation. */
  gas_used: number | null;
  /** Whether the run had a gas price, a gas limit and a block, like a real transaction. */
  priced: boolean;
  /** Whether a run without these ended differently; null: there was no second run. */
  differs: boolean | null;
}

/** The parts of a preview that are not in the explanation of its facts. */
export interface ToldPreview {
  asks: string[];
  notes: PreviewNote[];
  /** Positions of `asks` whose text an attacker may have chosen. */
  untrustedAsks: number[];
}
