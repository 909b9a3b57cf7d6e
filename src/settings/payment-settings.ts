import { type Address, checksum, isBurnAddress, readAddress } from "../kernel/address.ts";
import { parseDecimal } from "../kernel/amount.ts";
import type { Hex } from "../kernel/hex.ts";
import { readNetworks } from "../kernel/network.ts";
import { type ReadSetting, readInteger, readItems, readPath, readUrl, type SettingRow } from "./setting-value.ts";

/** How the service charges. Amounts are base units of USDC. */
export interface PaymentSettings {
  readonly payTo: Address;
  readonly publicUrl: string;
  readonly priceExplain: bigint;
  readonly pricePass: bigint;
  readonly passDays: number;
  readonly passCalls: number;
  readonly freeCallsPerDay: number;
  /** How many requests of one client may end without a charge; 0 means no limit. */
  readonly rateLimitPerMinute: number;
  readonly trustProxy: readonly string[];
  /** The key that pass tokens and hashed client addresses are made with. */
  readonly passSecret: string;
  readonly facilitator: FacilitatorSettings;
}

export type FacilitatorSettings =
  | { readonly kind: "http"; readonly url: string }
  | { readonly kind: "cdp"; readonly url: string; readonly keyId: string; readonly keySecret: string }
  | { readonly kind: "local"; readonly key: Hex };

/** Where the ledger is: a directory for SQLite, or the URL of a Postgres database. */
export type LedgerSettings = { readonly dataDir: string } | { readonly databaseUrl: string };

/** The settings of charging, in the order of the table in docs/operating.md. */
export const paymentTable = {
  X402_PAY_TO: { default: "", meaning: "Address that is paid, and the switch: without it nothing is metered." },
  PUBLIC_URL: { default: "", meaning: "Address under which callers reach this service; default http://HOST:PORT." },
  PRICE_EXPLAIN_USD: { default: "0.02", meaning: "Price of one explanation in USDC." },
  PRICE_PASS_USD: { default: "9", meaning: "Price of a pass in USDC." },
  PASS_DAYS: { default: "30", meaning: "Days for which a pass is good." },
  PASS_CALLS: { default: "10000", meaning: "Explanations in a pass." },
  PASS_SECRET: {
    default: "",
    meaning: "Key of pass tokens, 32 characters or more; needed to charge. Keep it for good.",
  },
  FREE_CALLS_PER_DAY: { default: "50", meaning: "Free explanations per UTC day and IPv4 address or IPv6 /64." },
  RATE_LIMIT_PER_MINUTE: {
    default: "120",
    meaning: "Requests of one client a minute that end without an explanation, when charging; 0 means no limit.",
  },
  TRUST_PROXY: {
    default: "",
    meaning: "Proxies whose X-Forwarded-For is believed: addresses, networks (10.0.0.0/8) or loopback, by commas.",
  },
  X402_FACILITATOR: { default: "", meaning: "Who settles payments: http (any URL), cdp (Coinbase) or local." },
  X402_FACILITATOR_URL: { default: "", meaning: "URL of the http facilitator; for cdp only to replace the usual one." },
  X402_FACILITATOR_KEY: { default: "", meaning: "Private key of a wallet that holds only gas, for local." },
  CDP_API_KEY_ID: { default: "", meaning: "Key for cdp." },
  CDP_API_KEY_SECRET: { default: "", meaning: "Its secret: base64 (Ed25519) or PEM (EC)." },
  DATA_DIR: { default: "data", meaning: "Directory of the ledger, when charging." },
  DATABASE_URL: { default: "", meaning: "postgres://… of a ledger that several instances share, instead of DATA_DIR." },
} as const satisfies Record<string, SettingRow>;

export type PaymentSetting = keyof typeof paymentTable;

/** Settings whose text is never shown. */
export const secretSettings: ReadonlySet<string> = new Set<PaymentSetting>([
  "PASS_SECRET",
  "X402_FACILITATOR_KEY",
  "CDP_API_KEY_ID",
  "CDP_API_KEY_SECRET",
]);

/** Reads the settings of charging. null: the service is free for everybody. `listen` is the default of PUBLIC_URL. */
export function readPaymentSettings(read: ReadSetting<PaymentSetting>, listen: string): PaymentSettings | null {
  const payTo = read("X402_PAY_TO", (text) => (text === "" ? null : readPayTo(text)));
  if (payTo === null) return null;
  return Object.freeze({
    payTo,
    publicUrl: read("PUBLIC_URL", (text) => (text === "" ? listen : readUrl(text))),
    priceExplain: read("PRICE_EXPLAIN_USD", readPrice),
    pricePass: read("PRICE_PASS_USD", readPrice),
    passDays: read("PASS_DAYS", (text) => readInteger(text, 1, 3_650)),
    passCalls: read("PASS_CALLS", (text) => readInteger(text, 1, 1_000_000_000)),
    freeCallsPerDay: read("FREE_CALLS_PER_DAY", (text) => readInteger(text, 0, 1_000_000_000)),
    rateLimitPerMinute: read("RATE_LIMIT_PER_MINUTE", (text) => readInteger(text, 0, 1_000_000)),
    trustProxy: read("TRUST_PROXY", readProxies),
    passSecret: read("PASS_SECRET", readSecret),
    facilitator: readFacilitator(read),
  });
}

/** Reads where the ledger is. It is read even where nothing is charged, because the operator's command needs it. */
export function readLedgerSettings(read: ReadSetting<PaymentSetting>): LedgerSettings {
  const databaseUrl = read("DATABASE_URL", (text) => {
    if (text === "" || /^postgres(?:ql)?:\/\/./.test(text)) return text;
    throw new Error("expected postgres://….");
  });
  return databaseUrl ? { databaseUrl } : { dataDir: read("DATA_DIR", readPath) };
}

function readFacilitator(read: ReadSetting<PaymentSetting>): FacilitatorSettings {
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
      url: read("X402_FACILITATOR_URL", (text) => readUrl(text === "" ? cdpUrl : text)),
      keyId: read("CDP_API_KEY_ID", readPresent),
      keySecret: read("CDP_API_KEY_SECRET", readPresent),
    };
  }
  // There is no default: the one of the x402 packages serves test networks only.
  return { kind: "http", url: kind === "http" ? read("X402_FACILITATOR_URL", readUrl) : "" };
}

/** https://docs.cdp.coinbase.com/x402/seller/facilitator */
const cdpUrl = "https://api.cdp.coinbase.com/platform/v2/x402";

function readPayTo(text: string): Address {
  const address = readAddress(text);
  if (address === undefined) throw new Error("expected 0x and 40 hex digits.");
  // Mixed case is a checksum (EIP-55). Money sent to a mistyped address is lost.
  if (text !== checksum(address) && text.slice(2) !== address.slice(2)) throw new Error("its checksum is wrong.");
  if (isBurnAddress(address)) throw new Error("what is paid there is gone.");
  return address;
}

function readPrice(text: string): bigint {
  const units = parseDecimal(text, usdcDecimals);
  if (units === undefined || units <= 0n || units > 10n ** 12n) {
    throw new Error("expected an amount such as 0.02, with at most 6 decimals.");
  }
  return units;
}

const usdcDecimals = 6;

function readSecret(text: string): string {
  if (text.length < 32) throw new Error("expected 32 characters or more, such as `openssl rand -hex 32` prints.");
  return text;
}

function readPrivateKey(text: string): Hex {
  const key = /^0x[0-9a-fA-F]{64}$/.test(text) ? BigInt(text) : 0n;
  if (key === 0n || key >= curveOrder) throw new Error("expected a private key: 0x and 64 hex digits.");
  return text as Hex;
}

/** Of secp256k1 (SEC 2, section 2.4.1). */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function readPresent(text: string): string {
  if (text === "") throw new Error("is needed for cdp.");
  return text;
}

function readProxies(text: string): string[] {
  const items = readItems(text);
  readNetworks(items);
  return items;
}
