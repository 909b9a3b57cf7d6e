import type { x402ResourceServer } from "@x402/core/server";
import type { PaymentRequired, PaymentRequirements, ResourceInfo } from "@x402/core/types";
import type { ChallengeReason } from "../../kernel/error.ts";
import type { Product } from "../ledger/rows.ts";
import type { Payment } from "./payment.ts";

/** The path of a resource that is sold. */
export type ResourcePath = "/explain" | "/pass" | "/mcp";

/** Why a payment is asked for: our codes, or a reason of the facilitator as it is. */
export type Reason = ChallengeReason | (string & {});

/** The answer that asks for a payment (x402), in every form that a transport needs. */
export interface Challenge {
  kind: "challenged";
  required: PaymentRequired;
  /** UTF-8 JSON of `required`. */
  body: Buffer;
  /** base64 of the same JSON: the PAYMENT-REQUIRED header. */
  header: string;
}

export interface Offers {
  requirements(product: Product): PaymentRequirements;
  challenge(product: Product, resource: ResourcePath, reasons: readonly Reason[]): Challenge;
  /** Whether the payment is made out for this product, or why not. */
  match(product: Product, payment: Payment): Reason | null;
}

export interface OffersOptions {
  server: x402ResourceServer;
  publicUrl: string;
  requirements: Readonly<Record<Product, PaymentRequirements>>;
  descriptions: Readonly<Record<Product, string>>;
}

/** What is sold, for how much and where. */
export function createOffers({ server, publicUrl, requirements, descriptions }: OffersOptions): Offers {
  const made = new Map<string, Challenge>();

  function make(product: Product, resource: ResourcePath, error: string): Challenge {
    const info: ResourceInfo = {
      url: `${publicUrl}${resource}`,
      description: descriptions[product],
      mimeType: "application/json",
    };
    const required = { x402Version: 2, error, resource: info, accepts: [requirements[product]] };
    const body = Buffer.from(JSON.stringify(required));
    return { kind: "challenged", required, body, header: body.toString("base64") };
  }

  return {
    requirements: (product) => requirements[product],
    challenge(product, resource, reasons) {
      const error = reasons.join(", ");
      const key = `${product} ${resource} ${error}`;
      const known = made.get(key);
      if (known !== undefined) return known;
      const challenge = make(product, resource, error);
      if (made.size < challengesMax) made.set(key, challenge);
      return challenge;
    },
    match(product, { payload, authorization }) {
      if (authorization === null) return "unsupported_payload_type";
      const offered = requirements[product];
      if (server.findMatchingRequirements([offered], withCaseOf(payload, offered)) === undefined)
        return "payment_mismatch";
      const url = payload.resource?.url;
      const places = [product === "explain" ? "/explain" : "/pass", "/mcp"];
      if (url !== undefined && !places.some((place) => url === `${publicUrl}${place}`)) return "resource_mismatch";
      return null;
    },
  };
}

/** Facilitators have few reasons. The bound keeps invented ones from filling the memory. */
const challengesMax = 500;

/** A client may write addresses in lower case. */
function withCaseOf(payload: Payment["payload"], { asset, payTo }: PaymentRequirements): Payment["payload"] {
  const { accepted } = payload;
  const same = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();
  return {
    ...payload,
    accepted: {
      ...accepted,
      asset: same(accepted.asset, asset) ? asset : accepted.asset,
      payTo: same(accepted.payTo, payTo) ? payTo : accepted.payTo,
    },
  };
}
