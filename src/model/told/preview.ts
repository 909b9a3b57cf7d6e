import type { SimulationMethod } from "../case-file.ts";
import type { AssetMoved, Checks, Counterparty, FlagCode, Provenance } from "../explanation.ts";

/** The answer before signing (schemas/preview.schema.json); keys in the order of the JSON. */
export interface Preview {
  summary: string;
  /** Of rules/actions.yaml. */
  action_type: string;
  /** `rejected`: no node would accept it. `not_simulated`: only its calldata is known. */
  outcome: "success" | "reverted" | "rejected" | "not_simulated";
  /** What the calldata asks for, in base form; empty when simulated. */
  asks: string[];
  assets_moved: AssetMoved[];
  counterparties: Counterparty[];
  risk_flags: PreviewFlag[];
  checks: Checks;
  /** The most important first. */
  notes: PreviewNote[];
  simulation: SimulationRecord;
  /** USD, six decimals; null when fee or price is unknown. */
  fee_estimate_usd: number | null;
  /** As in Explanation. Always true when it was not simulated. */
  partial: boolean;
  provenance: Provenance;
}

/** `simulation_reverted` replaces `transaction_reverted`. */
export interface PreviewFlag {
  flag: Exclude<FlagCode, "transaction_reverted"> | "simulation_reverted";
  /** No text from the chain. */
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
  /** No text from the chain. */
  detail: string;
}

export interface SimulationRecord {
  method: SimulationMethod;
  block_number: number;
  block_hash: string;
  /** null: no simulation. */
  gas_used: number | null;
  /** With a gas price, a gas limit and a block. */
  priced: boolean;
  /** From a run without these; null: no second run. */
  differs: boolean | null;
}

/** What the explanation of the preview's facts does not have. */
export interface ToldPreview {
  asks: string[];
  notes: PreviewNote[];
  /** Positions in `asks` whose text an attacker may have chosen. */
  untrustedAsks: number[];
}
