import type { Address } from "../kernel/address.ts";
import { parseDecimal } from "../kernel/amount.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { Labels } from "../model/label.ts";

/** USD for one ETH where no price is known: more than it ever was. */
const highestPrice = "10000";

/** Base units of wrapped ether and of dollars that one ether is worth, by token: the only ones whose worth is known. */
export function etherWorth({ price }: CaseFile, labels: Labels): ReadonlyMap<Address, bigint> {
  const worth = new Map<Address, bigint>();
  for (const token of labels.system("weth")) worth.set(token, 10n ** 18n);
  const dollars = price.status === "found" && price.eth_usd !== null ? price.eth_usd : highestPrice;
  const units = parseDecimal(dollars, 18);
  for (const token of labels.system("dollars")) {
    const decimals = labels.token(token)?.decimals;
    if (units !== undefined && decimals !== undefined) worth.set(token, units / 10n ** BigInt(18 - decimals));
  }
  return worth;
}
