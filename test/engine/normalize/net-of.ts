import { balanceChanges } from "../../../src/engine/normalize/balance-changes.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { alice } from "../../support/case-of.ts";
import { moved } from "../../support/movements.ts";

/** The net changes of alice, as plain numbers by the key of the asset. */
export const net = (moves: readonly Movement[], without?: number[]) => {
  const { gives, gets, neutral, ...rest } = balanceChanges(moved(moves), alice, without && new Set(without));
  const short = (list: typeof gives) => list.map(({ key, amount, movements }) => [key, Number(amount), movements]);
  const even = neutral.flatMap(({ movements }) => movements);
  return { gives: short(gives), gets: short(gets), neutral: even, ...rest };
};

/** Of whom nothing moved. */
export const noChange = {
  ...{ account: alice, gives: [], gets: [], neutral: [], recipients: [], senders: [] },
  ...{ minted: false, burned: false, wraps: false, complete: true },
};
