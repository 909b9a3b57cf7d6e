import type { x402ResourceServer } from "@x402/core/server";
import type { PaymentRequired, PaymentRequirements } from "@x402/core/types";
import { serviceLimits } from "../../../kernel/limits.ts";
import type { Product } from "../ledger/rows.ts";
import { discoveryOf, givenBy, type ToolName } from "./discovery.ts";
import type { Payment, Reason } from "./payment.ts";

/** Answers that cost one call. */
const callPaths = ["/explain", "/view", "/preview", "/tx"] as const;
const ownPaths = { batch: "/explain/batch", pass: "/pass" } as const;

/** A tool: endpoint, `#`, name. */
export type ResourcePath = (typeof callPaths)[number] | (typeof ownPaths)[keyof typeof ownPaths] | `/mcp#${ToolName}`;

/** x402, for every transport. */
export interface Challenge {
  kind: "challenged";
  required: PaymentRequired;
  /** UTF-8 JSON of `required`. */
  body: Buffer;
  /** base64: PAYMENT-REQUIRED. */
  header: string;
}

export type Offers = ReturnType<typeof createOffers>;

export interface OffersOptions {
  server: x402ResourceServer;
  publicUrl: string;
  requirements: Readonly<Record<Product, PaymentRequirements>>;
  descriptions: Readonly<Record<Product, { gives: string; costs: string }>>;
}

/** For catalogs of paid services. */
export type SoldAs = Required<Pick<PaymentRequired, "resource">> & Pick<PaymentRequired, "extensions">;

export function createOffers({ server, publicUrl, requirements, descriptions }: OffersOptions) {
  const made = new Map<string, Challenge>();

  function soldAs(product: Product, path: ResourcePath): SoldAs {
    const { gives, costs } = descriptions[product];
    const description = `${givenBy(path) ?? gives} ${costs}`;
    const extensions = discoveryOf(path);
    return {
      resource: { url: `${publicUrl}${path.split("#")[0]}`, description, mimeType: "application/json", ...service },
      ...(extensions && { extensions }),
    };
  }

  const unitOf = (product: Product) => BigInt(requirements[product].amount);
  const priced = (product: Product, amount: bigint) => ({ ...requirements[product], amount: amount.toString() });

  return {
    soldAs,
    /** Only a batch has no fixed price. */
    requirements: (product: Product, amount: bigint) =>
      product === "batch" ? priced(product, amount) : requirements[product],
    /** null: no batch has this price. */
    linesOf(amount: bigint): number | null {
      const lines = amount / unitOf("batch");
      const isPrice = amount > 0n && amount % unitOf("batch") === 0n && lines <= BigInt(serviceLimits.batchLinesMax);
      return isPrice ? Number(lines) : null;
    },
    /** `lines`: to be paid, of a batch. */
    challenge(product: Product, resource: ResourcePath, reasons: readonly Reason[], lines = 1): Challenge {
      const error = reasons.join(", ");
      const key = `${product} ${resource} ${lines} ${error}`;
      const known = made.get(key);
      if (known !== undefined) return known;
      const accepts = [priced(product, unitOf(product) * BigInt(lines))];
      const required = { x402Version: 2, error, ...soldAs(product, resource), accepts };
      const body = Buffer.from(JSON.stringify(required));
      const challenge: Challenge = { kind: "challenged", required, body, header: body.toString("base64") };
      if (made.size < challengesMax) made.set(key, challenge);
      return challenge;
    },
    /** null: for this product. */
    match(product: Product, { payload, authorization }: Payment, offered: PaymentRequirements): Reason | null {
      if (authorization === null) return "unsupported_payload_type";
      if (server.findMatchingRequirements([offered], withCaseOf(payload, offered)) === undefined)
        return "payment_mismatch";
      return isMadeOutFor(product, payload.resource?.url, publicUrl) ? null : "resource_mismatch";
    },
  };
}

/** By its URL, which may be missing. */
function isMadeOutFor(product: Product, url: string | undefined, publicUrl: string): boolean {
  const places: string[] = product === "explain" ? [...callPaths] : [ownPaths[product]];
  // MCP has no batches.
  if (product !== "batch") places.push("/mcp");
  return url === undefined || places.some((place) => url === `${publicUrl}${place}`);
}

/** How catalogs name the service. */
const service = { serviceName: "txgloss", tags: ["base", "transactions", "explain", "wallet", "security"] };

/** So that invented reasons cannot fill the memory. */
const challengesMax = 500;

/** Clients may write lower case. */
function withCaseOf(payload: Payment["payload"], { asset, payTo }: PaymentRequirements): Payment["payload"] {
  const { accepted } = payload;
  const inCase = (given: string, ours: string) => (given.toLowerCase() === ours.toLowerCase() ? ours : given);
  const written = { asset: inCase(accepted.asset, asset), payTo: inCase(accepted.payTo, payTo) };
  return { ...payload, accepted: { ...accepted, ...written } };
}
