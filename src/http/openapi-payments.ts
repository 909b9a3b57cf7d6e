import passSchema from "../../schemas/pass.schema.json" with { type: "json" };
import paymentRequiredSchema from "../../schemas/payment-required.schema.json" with { type: "json" };
import { challengeTable } from "../kernel/error.ts";

type Json = Record<string, unknown>;

/** The schemas that paying adds. */
export const paymentSchemas: Record<string, Json> = { Pass: passSchema, PaymentRequired: paymentRequiredSchema };

/** The headers that paying adds. */
export const paymentHeaderComponents: Json = {
  PaymentRequired: describe("The challenge of the body, as base64 of its JSON."),
  PaymentResponse: describe("Proof of settlement: base64 of a JSON object with transaction, network and payer."),
  RateLimit: describe(
    'What is left of the free explanations today: `"free";r=49;t=3600` (seconds until the day ends).',
  ),
  RateLimitPolicy: describe('The free allowance: `"free";q=50;w=86400`.'),
  PassRemaining: describe("Calls that the pass has left."),
  PassStatus: describe("What became of the pass that was shown: valid, unknown, expired or exhausted."),
};

/** Request headers by which a caller pays. */
export const paymentParameters: readonly Json[] = [
  parameter(
    "PAYMENT-SIGNATURE",
    "An x402 version 2 payment for one of the offers of a 402 answer, as base64 of its JSON.",
  ),
  parameter("X-SVC-Pass", "The token of a pass; one call is taken from it."),
];

/** The 402 response, for explanations and passes. */
export const challengeResponse: Json = {
  description: `Where calls are metered: pay and repeat the request. The body's \`error\` says why: ${listReasons()}; or the facilitator's own reason.`,
  headers: {
    "PAYMENT-REQUIRED": ref("PaymentRequired"),
    RateLimit: ref("RateLimit"),
    "RateLimit-Policy": ref("RateLimitPolicy"),
    "X-SVC-Pass-Status": ref("PassStatus"),
  },
  content: { "application/json": { schema: { $ref: "#/components/schemas/PaymentRequired" } } },
};

/** Headers of a metered response. */
export const meteredHeaders: Json = {
  RateLimit: ref("RateLimit"),
  "RateLimit-Policy": ref("RateLimitPolicy"),
  "PAYMENT-RESPONSE": ref("PaymentResponse"),
  "X-SVC-Pass-Remaining": ref("PassRemaining"),
  "X-SVC-Pass-Status": ref("PassStatus"),
};

/** `POST /pass`. */
export function passOperation(errors: Json): Json {
  return {
    operationId: "buyPass",
    summary: "Buy a prepaid pass",
    description: "The body is not read. Sending the same payment again gives the same pass again, and charges nothing.",
    parameters: [paymentParameters[0]],
    responses: {
      "200": {
        description: "The pass, paid and active.",
        headers: { "PAYMENT-RESPONSE": ref("PaymentResponse"), RateLimit: ref("RateLimit") },
        content: { "application/json": { schema: { $ref: "#/components/schemas/Pass" } } },
      },
      "402": challengeResponse,
      ...errors,
    },
  };
}

function listReasons(): string {
  return Object.entries(challengeTable)
    .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
    .join(" ");
}

function parameter(name: string, description: string): Json {
  return { name, in: "header", description, schema: { type: "string" } };
}

function describe(description: string): Json {
  return { description, schema: { type: "string" } };
}

function ref(name: string): Json {
  return { $ref: `#/components/headers/${name}` };
}
