import { type FacilitatorClient, HTTPFacilitatorClient } from "@x402/core/server";
import type { Transport } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import type { Hex } from "../kernel/hex.ts";
import type { FacilitatorSettings, LedgerSettings, PaymentSettings } from "../settings/payment-settings.ts";
import { openCdpFacilitator, readCdpKey, requestTimeoutMs } from "./facilitator/coinbase.ts";
import { createFacilitator, type Facilitator } from "./facilitator/facilitator.ts";
import { openLocalFacilitator } from "./facilitator/local.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { openLedger } from "./ledger/ledger.ts";
import type { Offers } from "./payment/offers.ts";
import { openTokenChain, type TokenChain } from "./payment/token-chain.ts";
import { type Currency, network, openX402Server, readCurrency } from "./payment/x402-server.ts";

/** The outside systems that charging uses. Tests replace them one by one. */
export interface Parts {
  ledger: Ledger;
  facilitator: Facilitator;
  chain: TokenChain;
  offers: Offers;
  currency: Currency;
  /** Our wallet that pays the gas; null: the facilitator pays it. */
  gasWallet: Hex | null;
}

export interface PartsOptions {
  payments: PaymentSettings;
  ledger: LedgerSettings;
  /** Asks the chain. */
  transport: Transport;
  /** Milliseconds between questions for the receipt of a settlement. */
  pollingMs?: number;
}

/** Settings that are well formed and still cannot work. */
export class AccessError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Charging is not possible:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.name = "AccessError";
    this.problems = problems;
  }
}

/** Opens the parts. Rejects with AccessError that lists every problem. */
export async function openParts(options: PartsOptions): Promise<Parts> {
  const { payments, transport } = options;
  const currency = await readCurrency();
  const problems: string[] = [];
  const { facilitator: chosen } = payments;
  const gasWallet = chosen.kind === "local" ? (privateKeyToAddress(chosen.key).toLowerCase() as Hex) : null;
  if (gasWallet === payments.payTo) {
    problems.push("X402_PAY_TO: is the address of X402_FACILITATOR_KEY, whose wallet is to hold only gas.");
  }
  let client: FacilitatorClient | undefined;
  try {
    client = openClient(chosen, { transport, asset: currency.asset, pollingMs: options.pollingMs ?? 500 });
  } catch (error) {
    problems.push(`CDP_API_KEY_SECRET: ${(error as Error).message}`);
  }
  const ledger = await openLedger(options.ledger).catch((error: Error) => {
    problems.push(`${"dataDir" in options.ledger ? "DATA_DIR" : "DATABASE_URL"}: ${reasonOf(error)}`);
  });
  if (client === undefined || ledger === undefined || problems.length > 0) {
    await ledger?.close();
    throw new AccessError(problems);
  }
  const { server, offers } = await openX402Server(payments, currency, client);
  const facilitator = createFacilitator(client, server);
  const chain = openTokenChain({ transport, asset: currency.asset });
  return { ledger, facilitator, chain, offers, currency, gasWallet };
}

/** Opens only what closing payments needs. The operator's command works without a facilitator. */
export async function openLedgerAndChain(
  options: Omit<PartsOptions, "payments">,
): Promise<{ ledger: Ledger; chain: TokenChain; currency: Currency }> {
  const currency = await readCurrency();
  const chain = openTokenChain({ transport: options.transport, asset: currency.asset });
  return { ledger: await openLedger(options.ledger), chain, currency };
}

function openClient(
  settings: FacilitatorSettings,
  { transport, asset, pollingMs }: { transport: Transport; asset: Hex; pollingMs: number },
): FacilitatorClient {
  if (settings.kind === "http") return new HTTPFacilitatorClient({ url: settings.url, timeoutMs: requestTimeoutMs });
  if (settings.kind === "local") {
    return openLocalFacilitator({ key: settings.key, network, asset, transport, pollingMs, confirmationMs: 20_000 });
  }
  readCdpKey(settings.keySecret);
  return openCdpFacilitator(settings);
}

/** The cause tells the operator more than "the ledger does not answer". It contains no secret. */
function reasonOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  return cause.message === "" ? ((cause as { code?: string }).code ?? "cannot be opened") : cause.message;
}
