import errorSchema from "../../schemas/error.schema.json" with { type: "json" };
import explanationSchema from "../../schemas/explanation.schema.json" with { type: "json" };
import healthSchema from "../../schemas/health.schema.json" with { type: "json" };
import requestSchema from "../../schemas/request.schema.json" with { type: "json" };
import { type ErrorCode, errorTable } from "../kernel/error.ts";
import { defaultRetryAfterSeconds } from "../service/failure.ts";
import {
  challengeResponse,
  meteredHeaders,
  passOperation,
  paymentHeaderComponents,
  paymentParameters,
  paymentSchemas,
} from "./openapi-payments.ts";

type Json = Record<string, unknown>;

/** The OpenAPI 3.1.0 document. It is made of the schema files, the list of actions and the error table. */
export function buildOpenapi({ version, actionTypes }: { version: string; actionTypes: readonly string[] }): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "txgloss",
      version,
      summary: "Explains Base transactions in plain English.",
      description:
        "A transaction hash goes in; a deterministic, evidence-backed explanation comes out. The same transaction, rules and labels always give the same bytes.",
      license: { name: "MIT", identifier: "MIT" },
    },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    servers: [{ url: "/" }],
    paths: {
      "/explain": { post: explainOperation() },
      "/pass": { post: passOperation(errorResponses(passErrors)) },
      "/openapi.json": { get: documentOperation() },
      "/healthz": { get: healthOperation() },
      "/metrics": { get: metricsOperation() },
    },
    components: {
      schemas: {
        ExplainRequest: asComponent(requestSchema),
        Explanation: listActions(asComponent(explanationSchema), actionTypes),
        Error: asComponent(errorSchema),
        Health: asComponent(healthSchema),
        ...Object.fromEntries(Object.entries(paymentSchemas).map(([name, schema]) => [name, asComponent(schema)])),
      },
      headers: {
        Ruleset: header("Hash of rules, labels and engine version: equal hashes give equal explanations."),
        ETag: header("Changes exactly when the body changes."),
        RetryAfter: header("Seconds to wait before the same request is worth repeating."),
        ...paymentHeaderComponents,
      },
    },
  };
}

/** Codes that a request to `POST /explain` can end with, in the order of the table. */
export const explainErrors = (Object.keys(errorTable) as ErrorCode[]).filter(
  (code) => code !== "not_found" && code !== "method_not_allowed" && code !== "payments_not_configured",
);

/** Codes that a request to `POST /pass` can end with. */
const passErrors: readonly ErrorCode[] = [
  "invalid_payment",
  "not_acceptable",
  "body_too_large",
  "unsupported_media_type",
  "rate_limited",
  "headers_too_large",
  "internal",
  "payments_not_configured",
  "payments_unavailable",
  "settlement_pending",
  "ledger_unavailable",
];

function explainOperation(): Json {
  return {
    operationId: "explain",
    summary: "Explain one transaction",
    description: "The body holds tx_hash and nothing else: an unknown field is answered with `invalid_json`.",
    parameters: [ifNoneMatch, ...paymentParameters],
    requestBody: { required: true, content: { "application/json": { schema: ref("schemas", "ExplainRequest") } } },
    responses: {
      "200": {
        description: "The explanation.",
        headers: { "X-Ruleset": ref("headers", "Ruleset"), ETag: ref("headers", "ETag"), ...meteredHeaders },
        content: { "application/json": { schema: ref("schemas", "Explanation") } },
      },
      "304": notModified,
      "402": challengeResponse,
      ...errorResponses(explainErrors),
    },
  };
}

function documentOperation(): Json {
  return {
    operationId: "openapi",
    summary: "This document",
    parameters: [ifNoneMatch],
    responses: {
      "200": {
        description: "OpenAPI 3.1.0.",
        headers: { "X-Ruleset": ref("headers", "Ruleset"), ETag: ref("headers", "ETag") },
        content: { "application/json": { schema: { type: "object" } } },
      },
      "304": notModified,
      ...errorResponses(["not_acceptable"]),
    },
  };
}

function healthOperation(): Json {
  return {
    operationId: "health",
    summary: "State of the service",
    responses: {
      "200": {
        description: "The process serves.",
        headers: { "X-Ruleset": ref("headers", "Ruleset") },
        content: { "application/json": { schema: ref("schemas", "Health") } },
      },
      ...errorResponses(["not_acceptable"]),
    },
  };
}

function metricsOperation(): Json {
  return {
    operationId: "metrics",
    summary: "The counters for Prometheus",
    responses: { "200": { description: "Text.", content: { "text/plain": { schema: { type: "string" } } } } },
  };
}

/** One response per status. The examples show which codes share it. */
function errorResponses(codes: readonly ErrorCode[]): Json {
  const responses: Record<string, { description: string; headers?: Json; content: Json }> = {};
  for (const status of new Set(codes.map((code) => errorTable[code].status))) {
    const here = codes.filter((code) => errorTable[code].status === status);
    const waits = here.some((code) => code in defaultRetryAfterSeconds || code === "rate_limited");
    responses[String(status)] = {
      description: here.map((code) => `\`${code}\`: ${errorTable[code].meaning}`).join(" "),
      ...(waits ? { headers: { "Retry-After": ref("headers", "RetryAfter") } } : {}),
      content: {
        "application/json": {
          schema: ref("schemas", "Error"),
          examples: Object.fromEntries(here.map((code) => [code, { value: exampleOf(code) }])),
        },
      },
    };
  }
  return responses;
}

function exampleOf(code: ErrorCode): Json {
  const { meaning, retryable } = errorTable[code];
  const id = code === "internal" ? { request_id: "0b8f8f7e-4c1c-4d6e-9c58-6f2f1f0a3f11" } : {};
  return { error: code, message: meaning, retryable, ...id };
}

/** Without `$schema` and `$id`, which belong to a schema file and not to a part of a document. */
function asComponent({ $schema: _dialect, $id: _id, ...schema }: Json): Json {
  return schema;
}

/** The schema file leaves action_type open, because the list is data: rules/actions.yaml. */
function listActions(schema: Json, actionTypes: readonly string[]): Json {
  const properties = schema.properties as Record<string, Json>;
  return {
    ...schema,
    properties: { ...properties, action_type: { ...properties.action_type, enum: [...actionTypes] } },
  };
}

const ifNoneMatch: Json = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of an answer that you have: while it still holds you get 304 and no body.",
  schema: { type: "string" },
};

const notModified: Json = {
  description: "Your copy is current.",
  headers: { ETag: { $ref: "#/components/headers/ETag" } },
};

function header(description: string): Json {
  return { description, schema: { type: "string" } };
}

function ref(kind: "schemas" | "headers", name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}
