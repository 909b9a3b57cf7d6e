import { parseDecimal } from "../kernel/amount.ts";

const priceDecimals = 18;

/** Wei at a USD price as a number with six decimals (rounded half up); null when either is unknown. The product is exact until the last step. */
export function usdOf(wei: bigint | null, price: string | null): number | null {
  if (wei === null || price === null) return null;
  const scaled = parseDecimal(price, priceDecimals);
  if (scaled === undefined) return null;
  const unit = 10n ** 30n;
  const micros = (wei * scaled + unit / 2n) / unit;
  return Number(micros) / 1_000_000;
}
