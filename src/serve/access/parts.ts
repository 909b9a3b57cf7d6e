import type { FacilitatorClient } from "@x402/core/server";
import type { Transport } from "viem";
import type { BlockCalendar } from "../../kernel/block-calendar.ts";
import { assert } from "../../kernel/error.ts";
import type { Hex } from "../../kernel/hex.ts";
import type { FacilitatorSettings, LedgerSettings, PaymentSettings } from "../settings/payment-settings.ts";
import { openCdpFacilitator, readCdpKey } from "./facilitator/coinbase.ts";
import { createFacilitator, type Facilitator } from "./facilitator/facilitator.ts";
import { GasWallet } from "./facilitator/gas-wallet.ts";
import { openLocalFacilitator } from "./facilitator/local.ts";
import { openRemoteFacilitator } from "./facilitator/remote.ts";
import { type Ledger, openLedger } from "./ledger/ledger.ts";
import { isServerAway } from "./ledger/server-away.ts";
import type { Offers } from "./payment/offers.ts";
import { openTokenChain, type TokenChain } from "./payment/token-chain.ts";
import { type Currency, network, openX402Server, readCurrency } from "./payment/x402-server.ts";

/** Tests replace them. */
export interface Parts {
  ledger: Ledger;
  facilitator: Facilitator;
  chain: TokenChain;
  offers: Offers;
  currency: Currency;
  /** Pays the gas; null: the facilitator does. */
  gasWallet: Pick<GasWallet, "address" | "stuckSince" | "isGasTooDear" | "hasLostTooMuch"> | null;
  /** Between signs of life; default a second. */
  beatMs?: number;
}

export interface PartsOptions {
  payments: PaymentSettings;
  ledger: LedgerSettings;
  transport: Transport;
  calendar: BlockCalendar;
  /** Single endpoints, asked before a payment counts as lost. */
  witnesses?: readonly Transport[];
  /** An endpoint denies a large transfer that another shows: `believed`: it counts. */
  onDispute?: (believed: boolean) => void;
  /** Ms, for a settlement's receipt. */
  pollingMs?: number;
  /** Ms until resent. */
  resendMs?: number;
}

/** Well formed, yet cannot work. */
export class AccessError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Charging is not possible:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.name = "AccessError";
    this.problems = problems;
  }
}

/** Rejects with AccessError (every problem), or ServiceError `ledger_unavailable` if that is all. */
export async function openParts(options: PartsOptions): Promise<Parts> {
  const { payments, transport } = options;
  const currency = await readCurrency();
  const problems: string[] = [];
  const { facilitator: chosen } = payments;
  const { pollingMs = 200, resendMs = 6_000 } = options;
  const gasWallet =
    chosen.kind === "local"
      ? new GasWallet({ key: chosen.key, transport, priceMax: payments.gasPriceMaxWei, pollingMs, resendMs })
      : null;
  if (gasWallet?.address === payments.payTo) {
    problems.push("X402_PAY_TO: is the address of X402_FACILITATOR_KEY, whose wallet is to hold only gas.");
  }
  if (payments.payTo === currency.asset.toLowerCase()) {
    problems.push("X402_PAY_TO: is the contract of the token, which takes none of its own.");
  }
  let client: FacilitatorClient | undefined;
  try {
    client = openClient(chosen, { transport, asset: currency.asset, wallet: gasWallet });
  } catch (error) {
    problems.push(`CDP_API_KEY_SECRET: ${(error as Error).message}`);
  }
  let outage: Error | undefined;
  const ledger = await openLedger(options.ledger).catch((error: Error) => {
    if (isServerAway(error)) outage = error;
    else problems.push(`${"dataDir" in options.ledger ? "DATA_DIR" : "DATABASE_URL"}: ${reasonOf(error)}`);
  });
  // Waiting makes sense only with right settings.
  if (outage !== undefined && problems.length === 0) throw outage;
  if (client === undefined || ledger === undefined || problems.length > 0) {
    await ledger?.close();
    throw new AccessError(problems);
  }
  const { server, offers } = await openX402Server(payments, currency, client);
  const facilitator = createFacilitator(client, server);
  const { calendar, witnesses, onDispute } = options;
  const chain = openTokenChain({ transport, calendar, witnesses, onDispute, asset: currency.asset });
  return { ledger, facilitator, chain, offers, currency, gasWallet };
}

/** To close payments; needs no facilitator. */
export async function openLedgerAndChain({
  ledger,
  transport,
  calendar,
  witnesses,
}: Omit<PartsOptions, "payments">): Promise<{ ledger: Ledger; chain: TokenChain; currency: Currency }> {
  const currency = await readCurrency();
  const chain = openTokenChain({ transport, calendar, witnesses, asset: currency.asset });
  return { ledger: await openLedger(ledger), chain, currency };
}

function openClient(
  settings: FacilitatorSettings,
  { transport, asset, wallet }: { transport: Transport; asset: Hex; wallet: GasWallet | null },
): FacilitatorClient {
  if (wallet !== null) return openLocalFacilitator({ wallet, network, asset, transport, confirmationMs: 20_000 });
  if (settings.kind === "http") return openRemoteFacilitator({ url: settings.url });
  assert(settings.kind === "cdp", "a local facilitator has a wallet");
  readCdpKey(settings.keySecret);
  return openCdpFacilitator(settings);
}

/** For the operator; no secret. */
function reasonOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  return cause.message === "" ? ((cause as { code?: string }).code ?? "cannot be opened") : cause.message;
}
