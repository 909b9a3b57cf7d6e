import type { Address } from "../../../kernel/address.ts";
import type { Facts, Holding, Move } from "./facts.ts";
import { sumOf } from "./losses.ts";

/** What an account gave and got of one asset, from the moves alone. Base units. */
export interface StatementLine extends Holding {
  account: Address;
  gave: bigint;
  got: bigint;
}

/** The statement of an account: one line for each asset of which it has more or less in the end, in the order of the first move. */
export function statementOf(account: Address, { moves }: Facts): StatementLine[] {
  const own = moves.filter(({ from, to }) => from === account || to === account);
  return [...Map.groupBy(own, ({ key }) => key).values()].flatMap((list) => {
    const [{ key, token, id }] = list as [Move];
    const gave = sumOf(list.filter(({ from }) => from === account));
    const got = sumOf(list.filter(({ to }) => to === account));
    return gave === got ? [] : [{ key, token, id, account, gave, got }];
  });
}
