import type { Address } from "../../kernel/address.ts";
import type { Log } from "../../model/transaction.ts";

/** By the logs: contracts that the node runs itself. */
export type ReadPrecompiles = (logs: readonly Log[]) => (address: Address) => boolean;

export const noPrecompiles: ReadPrecompiles = () => () => false;
