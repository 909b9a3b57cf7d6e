import type { Checks } from "../model/explanation.ts";

/** The record of the lookups: none is configured, so none claims to have run. */
export function recordChecks(): Checks {
  return {
    contract_verification: "unavailable",
    first_interaction: "unavailable",
    drainer_blacklist: "unavailable",
    unchecked_addresses: [],
    note: "No lookup source is configured: contract verification, first interaction and drainer lists were not checked.",
  };
}
