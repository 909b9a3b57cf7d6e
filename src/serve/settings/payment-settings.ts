import { type Address, checksum, isBurnAddress, readAddress } from "../../kernel/address.ts";
import { parseDecimal } from "../../kernel/amount.ts";
import type { Hex } from "../../kernel/hex.ts";
import { type ReadSetting, readBaseUrl, readPath, readWholeNumber } from "./setting-value.ts";
import type { VisitorSettings } from "./visitor-settings.ts";

/** Base units of USDC. */
export interface PaymentSettings extends Pick<VisitorSettings, "rateLimitPerMinute" | "trustProxy"> {
  readonly payTo: Address;
  readonly publicUrl: string;
  /** For one explanation; default eight seconds. */
  readonly deadlineMs?: number | undefined;
  readonly priceExplain: bigint;
  readonly pricePass: bigint;
  readonly passDays: number;
  readonly passCalls: number;
  readonly freeCallsPerDay: number;
  /** By this instance, for free calls; 0: no limit. */
  readonly freeGatheringsPerDay: number;
  /** For pass tokens and hashes of addresses. */
  readonly passSecret: string;
  /** While things made with it are valid. */
  readonly passSecretPrevious: string | null;
  readonly facilitator: FacilitatorSettings;
  /** Wei; below, the gas wallet is low. */
  readonly gasLowWei: bigint;
  /** Wei per gas. */
  readonly gasPriceMaxWei: bigint;
}

export type FacilitatorSettings =
  | { readonly kind: "http"; readonly url: string }
  | { readonly kind: "cdp"; readonly url: string; readonly keyId: string; readonly keySecret: string }
  | { readonly kind: "local"; readonly key: Hex };

/** SQLite or Postgres. */
export type LedgerSettings = { readonly dataDir: string } | { readonly databaseUrl: string };

/** null: nothing is charged. */
export function readPaymentSettings(
  read: ReadSetting,
  { publicUrl, visitors, deadlineMs }: { publicUrl: string; visitors: VisitorSettings; deadlineMs: number },
): PaymentSettings | null {
  const payTo = read("X402_PAY_TO", (text) => (text === "" ? null : readPayTo(text)));
  if (payTo === null) return null;
  return Object.freeze({
    payTo,
    publicUrl,
    deadlineMs,
    priceExplain: read("PRICE_EXPLAIN_USD", readPrice),
    pricePass: read("PRICE_PASS_USD", readPrice),
    passDays: read("PASS_DAYS", readWholeNumber),
    passCalls: read("PASS_CALLS", readWholeNumber),
    freeCallsPerDay: read("FREE_CALLS_PER_DAY", readWholeNumber),
    freeGatheringsPerDay: read("FREE_GATHERINGS_PER_DAY", readWholeNumber),
    rateLimitPerMinute: visitors.rateLimitPerMinute,
    trustProxy: visitors.trustProxy,
    passSecret: read("PASS_SECRET", readSecret),
    passSecretPrevious: read("PASS_SECRET_PREVIOUS", (text) => (text === "" ? null : readSecret(text))),
    facilitator: readFacilitator(read),
    gasLowWei: read("GAS_LOW_ETH", readEther),
    gasPriceMaxWei: read("GAS_PRICE_MAX_GWEI", readGwei),
  });
}

/** Also where nothing is charged: the operator's command needs it. */
export function readLedgerSettings(read: ReadSetting): LedgerSettings {
  const databaseUrl = read("DATABASE_URL", (text) => {
    if (text === "" || /^postgres(?:ql)?:\/\/./.test(text)) return text;
    throw new Error("expected postgres://….");
  });
  return databaseUrl ? { databaseUrl } : { dataDir: read("DATA_DIR", readPath) };
}

function readFacilitator(read: ReadSetting): FacilitatorSettings {
  const kind = read("X402_FACILITATOR", (text) => {
    if (text === "http" || text === "cdp" || text === "local") return text;
    throw new Error("expected http, cdp or local.");
  });
  if (kind === "local") {
    return { kind, key: read("X402_FACILITATOR_KEY", readPrivateKey) };
  }
  if (kind === "cdp") {
    return {
      kind,
      url: read("X402_FACILITATOR_URL", (text) => readBaseUrl(text === "" ? cdpUrl : text)),
      keyId: read("CDP_API_KEY_ID", readPresent),
      keySecret: read("CDP_API_KEY_SECRET", readPresent),
    };
  }
  // There is no default: the one of the x402 packages serves test networks only.
  return { kind: "http", url: kind === "http" ? read("X402_FACILITATOR_URL", readBaseUrl) : "" };
}

/** https://docs.cdp.coinbase.com/x402/seller/facilitator */
const cdpUrl = "https://api.cdp.coinbase.com/platform/v2/x402";

function readPayTo(text: string): Address {
  const address = readAddress(text);
  if (address === undefined) throw new Error("expected 0x and 40 hex digits.");
  // Mixed case is a checksum (EIP-55). It is checked, because money sent to a mistyped address is lost.
  if (text !== checksum(address) && text.slice(2) !== address.slice(2)) throw new Error("its checksum is wrong.");
  if (isBurnAddress(address)) throw new Error("what is paid there is gone.");
  return address;
}

/** Base units. */
function amountOf(decimals: number, fits: (units: bigint) => boolean, expected: string): (text: string) => bigint {
  return (text) => {
    const units = parseDecimal(text, decimals);
    if (units === undefined || !fits(units)) throw new Error(`expected ${expected}.`);
    return units;
  };
}

const readPrice = amountOf(
  6,
  (units) => units > 0n && units <= 10n ** 12n,
  "an amount such as 0.02, with at most 6 decimals",
);
const readEther = amountOf(18, (wei) => wei >= 0n, "an amount of ether such as 0.0005");
const readGwei = amountOf(9, (wei) => wei > 0n, "a price of gas in gwei such as 10");

function readSecret(text: string): string {
  if (text.length < 32) throw new Error("expected 32 characters or more, such as `openssl rand -hex 32` prints.");
  return text;
}

function readPrivateKey(text: string): Hex {
  const key = /^0x[0-9a-fA-F]{64}$/.test(text) ? BigInt(text) : 0n;
  if (key === 0n || key >= curveOrder) throw new Error("expected a private key: 0x and 64 hex digits.");
  return text as Hex;
}

/** secp256k1 (SEC 2, section 2.4.1); a private key is smaller. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function readPresent(text: string): string {
  if (text === "") throw new Error("is needed for cdp.");
  return text;
}
