import type { Address } from "../../kernel/address.ts";
import { oneEther, parseDecimal } from "../../kernel/amount.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Labels } from "../../model/label.ts";

/** USD, where no price is known; higher than ever. */
const highestPrice = "10000";

/** Base units of a token that are worth one ether; known for wrapped ether and `listed` dollars only. Lazy, as rarely asked. */
export function etherWorth(
  { price }: CaseFile,
  labels: Labels,
  listed: Pick<ReadonlySet<Address>, "has">,
): (token: Address) => bigint | undefined {
  return (token) => {
    if (labels.system("weth").includes(token)) return oneEther;
    const decimals = labels.token(token)?.decimals;
    if (decimals === undefined || !listed.has(token) || !labels.system("dollars").includes(token)) return undefined;
    const dollars = price.status === "found" && price.eth_usd !== null ? price.eth_usd : highestPrice;
    const units = parseDecimal(dollars, 18);
    return units === undefined ? undefined : units / 10n ** BigInt(18 - decimals);
  };
}
