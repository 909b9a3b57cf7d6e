import type { Address } from "../kernel/address.ts";
import { parseDecimal } from "../kernel/amount.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { Labels } from "../model/label.ts";

/** USD for one ETH where no price is known: more than it ever was. */
const highestPrice = "10000";

const oneEther = 10n ** 18n;

/**
 * Base units of wrapped ether and of dollars that one ether is worth, by token: the only ones whose worth is known. Of dollars only
 * those that are `listed` in the transaction.
 */
export function etherWorth(
  { price }: CaseFile,
  labels: Labels,
  listed: ReadonlySet<Address>,
): ReadonlyMap<Address, bigint> {
  const moved = labels.system("dollars").filter((token) => listed.has(token));
  if (moved.length === 0) return wrappedWorth(labels);
  const worth = new Map(wrappedWorth(labels));
  const dollars = price.status === "found" && price.eth_usd !== null ? price.eth_usd : highestPrice;
  const units = parseDecimal(dollars, 18);
  for (const token of moved) {
    const decimals = labels.token(token)?.decimals;
    if (units !== undefined && decimals !== undefined) worth.set(token, units / 10n ** BigInt(18 - decimals));
  }
  return worth;
}

/** A pure cache: the same labels have the same wrapped ether. */
const wrapped = new WeakMap<Labels, ReadonlyMap<Address, bigint>>();

function wrappedWorth(labels: Labels): ReadonlyMap<Address, bigint> {
  let worth = wrapped.get(labels);
  if (worth === undefined) {
    worth = new Map(labels.system("weth").map((token) => [token, oneEther]));
    wrapped.set(labels, worth);
  }
  return worth;
}
