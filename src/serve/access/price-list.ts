import { decimalText } from "../../kernel/amount.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { PaymentSettings } from "../settings/payment-settings.ts";

/** For callers and catalogs; USD as decimal text. */
export interface PriceList extends Pick<PaymentSettings, "publicUrl" | "passCalls" | "passDays" | "freeCallsPerDay"> {
  /** One call of any kind. */
  call: string;
  /** The longest batch. */
  batch: string;
  pass: string;
}

export function priceListOf(settings: PaymentSettings): PriceList {
  const { publicUrl, priceExplain, pricePass, passCalls, passDays, freeCallsPerDay } = settings;
  const usd = (units: bigint) => decimalText(units, usdcDecimals);
  const batch = usd(priceExplain * BigInt(serviceLimits.batchLinesMax));
  return { publicUrl, call: usd(priceExplain), batch, pass: usd(pricePass), passCalls, passDays, freeCallsPerDay };
}

/** Settings are base units of USDC. */
const usdcDecimals = 6;
