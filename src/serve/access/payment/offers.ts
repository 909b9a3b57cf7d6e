import type { x402ResourceServer } from "@x402/core/server";
import type { PaymentRequired, PaymentRequirements } from "@x402/core/types";
import { serviceLimits } from "../../../kernel/limits.ts";
import type { Product } from "../ledger/rows.ts";
import { discoveryOf, givenBy, type ToolName } from "./discovery.ts";
import type { Payment, Reason } from "./payment.ts";

/** The paths of answers that cost one call. */
const callPaths = ["/explain", "/view", "/preview", "/tx"] as const;
/** The path of each other product. */
const ownPaths = { batch: "/explain/batch", pass: "/pass" } as const;

/** The path of a sold resource. For a tool: the path of its endpoint, `#` and its name. */
export type ResourcePath = (typeof callPaths)[number] | (typeof ownPaths)[keyof typeof ownPaths] | `/mcp#${ToolName}`;

/** The answer that asks for a payment (x402), in every form that a transport needs. */
export interface Challenge {
  kind: "challenged";
  required: PaymentRequired;
  /** UTF-8 JSON of `required`. */
  body: Buffer;
  /** base64 of the same JSON: the PAYMENT-REQUIRED header. */
  header: string;
}

/** What is sold, for how much and where. */
export type Offers = ReturnType<typeof createOffers>;

export interface OffersOptions {
  server: x402ResourceServer;
  publicUrl: string;
  requirements: Readonly<Record<Product, PaymentRequirements>>;
  descriptions: Readonly<Record<Product, { gives: string; costs: string }>>;
}

/** What a payment is for, in the form that catalogs of paid services read. */
export type SoldAs = Required<Pick<PaymentRequired, "resource">> & Pick<PaymentRequired, "extensions">;

export function createOffers({ server, publicUrl, requirements, descriptions }: OffersOptions) {
  const made = new Map<string, Challenge>();
  const sold = new Map<string, SoldAs>();

  function soldAs(product: Product, path: ResourcePath): SoldAs {
    const known = sold.get(path) ?? nameSold(product, path);
    sold.set(path, known);
    return known;
  }

  function nameSold(product: Product, path: ResourcePath): SoldAs {
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
    /** The requirements for a payment of this amount. Only a batch has no fixed price. */
    requirements: (product: Product, amount: bigint) =>
      product === "batch" ? priced(product, amount) : requirements[product],
    /** How many lines of a batch the amount pays for; null: it is not the price of any batch. */
    linesOf(amount: bigint): number | null {
      const lines = amount / unitOf("batch");
      const isPrice = amount > 0n && amount % unitOf("batch") === 0n && lines <= BigInt(serviceLimits.batchLinesMax);
      return isPrice ? Number(lines) : null;
    },
    /** The challenge for a resource. `lines`: for a batch, how many have to be paid for. */
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
    /** null where the payment is for this product; else the reason why not. */
    match(product: Product, { payload, authorization }: Payment, offered: PaymentRequirements): Reason | null {
      if (authorization === null) return "unsupported_payload_type";
      if (server.findMatchingRequirements([offered], withCaseOf(payload, offered)) === undefined)
        return "payment_mismatch";
      return isMadeOutFor(product, payload.resource?.url, publicUrl) ? null : "resource_mismatch";
    },
  };
}

/** Whether a payment is for the product, by the URL that it names. It may name none. */
function isMadeOutFor(product: Product, url: string | undefined, publicUrl: string): boolean {
  const places: string[] = product === "explain" ? [...callPaths] : [ownPaths[product]];
  // MCP has no batches.
  if (product !== "batch") places.push("/mcp");
  return url === undefined || places.some((place) => url === `${publicUrl}${place}`);
}

/** How catalogs name the service. */
const service = { serviceName: "txgloss", tags: ["base", "transactions", "explain", "wallet", "security"] };

/** How many challenges are remembered. Facilitators have few reasons; the limit keeps invented ones from filling the memory. */
const challengesMax = 500;

/** The payload with addresses in our spelling, because a client may write them in lower case. */
function withCaseOf(payload: Payment["payload"], { asset, payTo }: PaymentRequirements): Payment["payload"] {
  const { accepted } = payload;
  const inCase = (given: string, ours: string) => (given.toLowerCase() === ours.toLowerCase() ? ours : given);
  const written = { asset: inCase(accepted.asset, asset), payTo: inCase(accepted.payTo, payTo) };
  return { ...payload, accepted: { ...accepted, ...written } };
}
