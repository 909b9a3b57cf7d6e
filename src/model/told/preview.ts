import type { SimulationMethod } from "../case-file.ts";
import type { AssetMoved, Checks, Counterparty, FlagCode, Provenance } from "../explanation.ts";

/** What a caller gets before signing. Described by schemas/preview.schema.json; key order here is the order of the JSON. */
export interface Preview {
  summary: string;
  /** A value of rules/actions.yaml. */
  action_type: string;
  /** `rejected`: no node would take it as it is. `not_simulated`: nobody ran it, and only its calldata is told. */
  outcome: "success" | "reverted" | "rejected" | "not_simulated";
  /** What the calldata asks for, in base form; empty where it was simulated. */
  asks: string[];
  assets_moved: AssetMoved[];
  counterparties: Counterparty[];
  risk_flags: PreviewFlag[];
  checks: Checks;
  /** What must be known beside it, the most telling first. */
  notes: PreviewNote[];
  simulation: SimulationRecord;
  /** USD, six decimals; null when the fee or the price is unknown. */
  fee_estimate_usd: number | null;
  /** True when something that matters could not be seen, was cut or stays unexplained, and wherever nobody simulated. */
  partial: boolean;
  provenance: Provenance;
}

/** The flags of an explanation; `simulation_reverted` takes the place of `transaction_reverted`. */
export interface PreviewFlag {
  flag: Exclude<FlagCode, "transaction_reverted"> | "simulation_reverted";
  /** One sentence; no text from the chain in it. */
  detail: string;
}

export interface PreviewNote {
  code:
    | ("rejected" | "simulations_differ" | "simulation_reverted" | "unpriced" | "no_code" | "upgradeable")
    | ("method_missing" | "method_failed" | "not_simulated" | "can_change");
  /** One sentence; no text from the chain in it. */
  detail: string;
}

/** What the preview stands on. */
export interface SimulationRecord {
  method: SimulationMethod;
  block_number: number;
  block_hash: string;
  /** Gas that the simulation used; null where there was none. */
  gas_used: number | null;
  /** Whether it had a gas price, a gas limit and a block as a real transaction has. */
  priced: boolean;
  /** Whether a run without them ended otherwise; null: there was no second run. */
  differs: boolean | null;
}

/** What is told of a preview beside the explanation that its facts give. */
export interface ToldPreview {
  asks: string[];
  notes: PreviewNote[];
  /** Positions of `asks` whose text an attacker may have chosen. */
  untrustedAsks: number[];
}
