import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { root } from "./shared.ts";

export type SchemaName =
  | "explanation"
  | "short-explanation"
  | "preview"
  | "preview-request"
  | "message"
  | "request"
  | "batch-request"
  | "batch-error"
  | "error"
  | "health"
  | "pass"
  | "payment-required"
  | "view"
  | "view-request"
  | "evidence";

// biome-ignore lint/suspicious/noExplicitAny: a document that is walked by hand.
export type Json = any;

/** A file of schemas/ as JSON. */
export function readSchema(name: SchemaName): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, "schemas", `${name}.schema.json`), "utf8"));
}

/** A validator for a file of schemas/, in Ajv's strict mode: an unknown keyword there fails too. */
export function compileSchema(name: SchemaName): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true });
  return ajv.compile(readSchema(name));
}
