import { type FacilitatorClient, x402ResourceServer } from "@x402/core/server";
import type { Network, PaymentRequirements } from "@x402/core/types";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { checksum } from "../../../kernel/address.ts";
import { decimalText } from "../../../kernel/amount.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import { assert } from "../../../kernel/error.ts";
import type { Hex } from "../../../kernel/hex.ts";
import { serviceLimits } from "../../../kernel/limits.ts";
import type { PaymentSettings } from "../../settings/payment-settings.ts";
import type { Product } from "../ledger/rows.ts";
import { askedSeconds, usualWorkMs } from "./attempt.ts";
import { createOffers } from "./offers.ts";

/** CAIP-2. */
export const network: Network = chain.caip2;

/** As the x402 packages know it. */
export interface Currency {
  asset: Hex;
  decimals: number;
  /** EIP-712: name, version. */
  domain: Record<string, unknown>;
}

/** USDC of Base. */
export async function readCurrency(): Promise<Currency> {
  const scheme = new ExactEvmScheme();
  const { asset, extra } = await scheme.parsePrice("1", network);
  const decimals = scheme.getAssetDecimals(asset, network);
  assert(decimals !== undefined, "the x402 packages know the token of Base");
  return { asset: asset as Hex, decimals, domain: extra ?? {} };
}

/** Asks the facilitator nothing. */
export async function openX402Server(settings: PaymentSettings, currency: Currency, client: FacilitatorClient) {
  const facilitator = { verify: client.verify.bind(client), settle: client.settle.bind(client) };
  const server = new x402ResourceServer({ ...facilitator, getSupported: async () => ourKind });
  server.register(network, new ExactEvmScheme());
  await server.initialize();
  const requirements = {
    explain: requirementsFor(settings, settings.priceExplain, currency),
    batch: requirementsFor(settings, settings.priceExplain, currency),
    pass: requirementsFor(settings, settings.pricePass, currency),
  };
  const usd = (units: bigint) => decimalText(units, currency.decimals);
  const descriptions: Record<Product, { gives: string; costs: string }> = {
    explain: {
      gives: "One Base transaction explained in plain English, as JSON.",
      costs: `${settings.freeCallsPerDay} a day are free; one costs ${usd(settings.priceExplain)} USDC, or take a pass (POST /pass).`,
    },
    batch: {
      gives: `Up to ${serviceLimits.batchLinesMax} Base transactions explained in plain English, one JSON line each,`,
      costs: `at ${usd(settings.priceExplain)} USDC a line. What is paid for and not answered stays as credit on the payment.`,
    },
    pass: {
      gives: `A pass for ${settings.passCalls} explanations within ${settings.passDays} days,`,
      costs: `for ${usd(settings.pricePass)} USDC.`,
    },
  };
  return { server, offers: createOffers({ server, publicUrl: settings.publicUrl, requirements, descriptions }) };
}

/** Fixed: asking at the start would make the facilitator's outage ours. */
const ourKind = { kinds: [{ x402Version: 2, scheme: "exact", network }], extensions: [], signers: {} };

function requirementsFor(
  { payTo, deadlineMs = usualWorkMs }: PaymentSettings,
  amount: bigint,
  { asset, domain }: Currency,
): PaymentRequirements {
  return {
    scheme: "exact",
    network,
    amount: amount.toString(),
    asset,
    payTo: checksum(payTo),
    maxTimeoutSeconds: askedSeconds(deadlineMs),
    extra: domain,
  };
}
