import type { FastifyInstance } from "fastify";
import batchErrorSchema from "../../../schemas/batch-error.schema.json" with { type: "json" };
import batchRequestSchema from "../../../schemas/batch-request.schema.json" with { type: "json" };
import errorSchema from "../../../schemas/error.schema.json" with { type: "json" };
import evidenceSchema from "../../../schemas/evidence.schema.json" with { type: "json" };
import explanationSchema from "../../../schemas/explanation.schema.json" with { type: "json" };
import healthSchema from "../../../schemas/health.schema.json" with { type: "json" };
import messageSchema from "../../../schemas/message.schema.json" with { type: "json" };
import template from "../../../schemas/openapi.json" with { type: "json" };
import passSchema from "../../../schemas/pass.schema.json" with { type: "json" };
import paymentRequiredSchema from "../../../schemas/payment-required.schema.json" with { type: "json" };
import previewSchema from "../../../schemas/preview.schema.json" with { type: "json" };
import previewRequestSchema from "../../../schemas/preview-request.schema.json" with { type: "json" };
import requestSchema from "../../../schemas/request.schema.json" with { type: "json" };
import shortSchema from "../../../schemas/short-explanation.schema.json" with { type: "json" };
import viewSchema from "../../../schemas/view.schema.json" with { type: "json" };
import viewRequestSchema from "../../../schemas/view-request.schema.json" with { type: "json" };
import { tagged } from "../../gather/explain/explain.ts";
import { challengeTable, type ErrorCode, errorTable, ServiceError } from "../../kernel/error.ts";
import type { PriceList } from "../access/price-list.ts";
import { defaultRetryAfterSeconds } from "../service/failure.ts";
import { acceptsJson } from "./accept.ts";
import { type CountStatic, createStaticResponse } from "./static-response.ts";

type Json = Record<string, unknown>;

export interface OpenapiOptions {
  version: string;
  actionTypes: readonly string[];
  /** null: nothing is charged. */
  prices?: PriceList | null;
}

/** `GET /openapi.json`, built once. */
export function addOpenapiRoute(
  app: FastifyInstance,
  { ruleset, service, ...options }: OpenapiOptions & { ruleset: string; service: CountStatic },
): void {
  const file = createStaticResponse(service, { "x-ruleset": ruleset, "cache-control": "public, max-age=300" });
  const document = tagged(JSON.stringify(buildOpenapi(options), null, 2));
  app.get("/openapi.json", (request, reply) => {
    if (!acceptsJson(request.headers.accept)) throw new ServiceError("not_acceptable");
    return file.send(request, reply, document);
  });
}

/** OpenAPI 3.1.0: schemas/openapi.json, in which texts in braces, `errors` and schemas are filled in. Paid operations have their price. */
export function buildOpenapi({ version, actionTypes, prices = null }: OpenapiOptions): Json {
  const texts: Record<string, string> = { version, challenge_reasons: listReasons() };
  const document = JSON.parse(JSON.stringify(template), (key, value) => {
    if (key === "x-payment-info") return prices === null ? undefined : tellPrice(value, prices);
    if (typeof value === "string") return value.replace(/\{(\w+)\}/, (_brace, name: string) => texts[name] ?? "");
    if (key !== "responses" || value.errors === undefined) return value;
    const { errors, ...responses } = value;
    return { ...responses, ...errorResponses(errors) };
  });
  document.components.schemas = {
    ...document.components.schemas,
    ExplainRequest: toPart(requestSchema),
    BatchRequest: toPart(batchRequestSchema),
    BatchError: toPart(batchErrorSchema),
    Explanation: explanationPart(actionTypes),
    ShortExplanation: withActionTypes(shortSchema, actionTypes),
    Evidence: toPart(evidenceSchema),
    ViewRequest: toPart(viewRequestSchema),
    View: withActionTypes(viewSchema, actionTypes),
    PreviewRequest: toPart(previewRequestSchema),
    Preview: withActionTypes(previewSchema, actionTypes),
    Message: withActionTypes(messageSchema, actionTypes),
    Error: toPart(errorSchema),
    Health: toPart(healthSchema),
    Pass: toPart(passSchema),
    PaymentRequired: toPart(paymentRequiredSchema),
  };
  return document;
}

/** `x-payment-info` (Agentcash Discovery, section 7). `sold`: call, pass, either, or lines. */
function tellPrice(sold: "call" | "pass" | "either" | "lines", { call, batch, pass }: PriceList): Json {
  const isFixed = sold === "call" || sold === "pass";
  const range = { mode: "dynamic", currency: "USD", min: call, max: sold === "lines" ? batch : pass };
  const price = isFixed ? { mode: "fixed", currency: "USD", amount: sold === "call" ? call : pass } : range;
  return { price, protocols: [{ x402: {} }] };
}

export function listOperations({ paths }: Json): { method: string; path: string; summary: string }[] {
  return Object.entries(paths as Record<string, Record<string, { summary?: string }>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary = "" }]) => ({ method: method.toUpperCase(), path, summary })),
  );
}

/** Without `$schema` and `$id`. */
export function toPart({ $schema: _dialect, $id: _id, ...schema }: Json): Json {
  return schema;
}

/** The file leaves `action_type` open: the list is data (rules/actions.yaml). */
export function explanationPart(actionTypes: readonly string[]): Json {
  return withActionTypes(explanationSchema, actionTypes);
}

/** `action_type` lists all types. */
export function withActionTypes<T extends { properties: { action_type: object } }>(
  { properties, ...schema }: T,
  actionTypes: readonly string[],
): Json {
  const actionType = { ...properties.action_type, enum: [...actionTypes] };
  return toPart({ ...schema, properties: { ...properties, action_type: actionType } });
}

/** By status, with its error codes as examples. */
function errorResponses(codes: readonly ErrorCode[]): Json {
  const responses: Json = {};
  for (const status of new Set(codes.map((code) => errorTable[code].status))) {
    const here = codes.filter((code) => errorTable[code].status === status);
    const waits = here.some((code) => code in defaultRetryAfterSeconds || code === "rate_limited");
    const examples = Object.fromEntries(here.map((code) => [code, { value: exampleOf(code) }]));
    responses[status] = {
      description: here.map((code) => `\`${code}\`: ${errorTable[code].meaning}`).join(" "),
      ...(waits ? { headers: { "Retry-After": { $ref: "#/components/headers/RetryAfter" } } } : {}),
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" }, examples } },
    };
  }
  return responses;
}

function exampleOf(code: ErrorCode): Json {
  const { meaning, retryable } = errorTable[code];
  const id = code === "internal" ? { request_id: "0b8f8f7e-4c1c-4d6e-9c58-6f2f1f0a3f11" } : {};
  return { error: code, message: meaning, retryable, ...id };
}

function listReasons(): string {
  return Object.entries(challengeTable)
    .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
    .join(" ");
}
