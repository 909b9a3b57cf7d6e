import type { Address } from "../../kernel/address.ts";
import type { Log } from "../../model/transaction.ts";

/** Tells from the logs of a transaction which contracts are precompiles: the node runs them itself. */
export type ReadPrecompiles = (logs: readonly Log[]) => (address: Address) => boolean;

/** Where no contract is known to be one. */
export const noPrecompiles: ReadPrecompiles = () => () => false;
