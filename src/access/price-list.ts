import { decimalText } from "../kernel/amount.ts";
import type { PaymentSettings } from "../settings/payment-settings.ts";

/** What calls cost here and where they are sold, for whoever looks for services. Amounts are USD as decimal text. */
export interface PriceList {
  publicUrl: string;
  /** One call of any kind. */
  call: string;
  pass: string;
  passCalls: number;
  passDays: number;
  freeCallsPerDay: number;
}

export function priceListOf(settings: PaymentSettings): PriceList {
  const { publicUrl, priceExplain, pricePass, passCalls, passDays, freeCallsPerDay } = settings;
  const usd = (units: bigint) => decimalText(units, usdcDecimals);
  return { publicUrl, call: usd(priceExplain), pass: usd(pricePass), passCalls, passDays, freeCallsPerDay };
}

/** Prices are settings in base units of USDC. */
const usdcDecimals = 6;
