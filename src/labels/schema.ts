import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import schema from "../../schemas/label.schema.json" with { type: "json" };
import type { Diagnostic } from "../model/diagnostic.ts";
import { type LabelDocument, type Path, report } from "./document.ts";
import { type DecimalsEntry, emptyEntries, type LabelEntries, type Located, type SchemeEntry } from "./entry.ts";

/**
 * Takes the entries out of a document, as far as schemas/label.schema.json accepts them (LB105 to LB107).
 * An entry with a mistake is left out; the others stay, so that one run finds every mistake.
 */
export function readEntries(document: LabelDocument): { entries: LabelEntries; diagnostics: Diagnostic[] } {
  const entries = emptyEntries();
  const content = asObject(document.data);
  const kind = typeof content?.schema === "string" ? content.schema : "";
  const validator = findValidator(kind);
  if (content === undefined || validator === undefined) {
    const known = [...definitions.keys()].map((name) => `\`${name}\``).join(", ");
    const there = content?.schema === undefined ? "`schema` is missing" : `\`schema\` is ${show(content.schema)}`;
    const range = document.valueRange(["schema"]);
    const message = `${there}; one of ${known} was expected.`;
    return { entries, diagnostics: [report("LB105", document.path, range, { message })] };
  }
  const errors = validator(content) ? [] : (validator.errors ?? []);
  const wrong = new Set(errors.map((error) => stepsOf(error).slice(0, 2).join("/")));
  const diagnostics = errors.flatMap((error) => toDiagnostic(document, error) ?? []);
  collect(document, content, (path) => wrong.has(String(path[0])) || wrong.has(path.join("/")), entries);
  return { entries, diagnostics };
}

/** File kinds (the value of `schema`) and their part of the schema. */
const definitions: ReadonlyMap<string, string> = new Map([
  ["tokens/v1", "tokens_file"],
  ["names/v1", "names_file"],
  ["system/v1", "system_file"],
  ["chains/v1", "chains_file"],
  ["decimals/v1", "decimals_file"],
]);

let ajv: Ajv2020 | undefined;

/** Compiles on first use, because compiling is the dearest step of loading. A test checks the schema itself. */
function findValidator(kind: string): ValidateFunction | undefined {
  const definition = definitions.get(kind);
  if (definition === undefined) return undefined;
  ajv ??= new Ajv2020({ allErrors: true, verbose: true, strict: true, validateSchema: false }).addSchema(schema);
  return ajv.getSchema(`${schema.$id}#/$defs/${definition}`);
}

function collect(
  document: LabelDocument,
  content: Record<string, unknown>,
  isWrong: (path: Path) => boolean,
  entries: LabelEntries,
): void {
  const used = new Set<unknown>();
  const take = <T>(into: Located<T>[], key: string): void => {
    const items = Array.isArray(content[key]) ? content[key] : [];
    items.forEach((value: T, index) => {
      const path = [key, index];
      used.add(asObject(value)?.source);
      if (!isWrong(path)) into.push({ document, path, value });
    });
  };
  take(entries.tokens, "tokens");
  take(entries.names, "names");
  take(entries.roles, "roles");
  for (const [scheme, value] of Object.entries(asObject(content.schemes) ?? {})) {
    const path = ["schemes", scheme];
    used.add(asObject(value)?.source);
    if (!isWrong(path))
      entries.schemes.push({ document, path, value: { scheme, ...(value as object) } as SchemeEntry });
  }
  for (const [decimals, value] of Object.entries(asObject(content.decimals) ?? {})) {
    const path = ["decimals", decimals];
    used.add(asObject(value)?.source);
    if (!isWrong(path))
      entries.decimals.push({
        document,
        path,
        value: { decimals: Number(decimals), ...(value as object) } as DecimalsEntry,
      });
  }
  const sources = asObject(content.sources);
  if (sources !== undefined) {
    entries.sources.push({ document, path: ["sources"], value: { defined: Object.keys(sources), used } });
  }
}

function toDiagnostic(document: LabelDocument, error: ErrorObject): Diagnostic | undefined {
  // The failing rule for a key is reported once more by `propertyNames` itself, which knows the key.
  if (error.propertyName !== undefined && error.keyword !== "propertyNames") return undefined;
  const path = stepsOf(error);
  const field = path.length === 0 ? "the file" : `\`${path.at(-1)}\``;
  if (error.keyword === "additionalProperties") {
    const key = String(error.params.additionalProperty);
    const known = Object.keys(asObject(error.parentSchema?.properties) ?? {}).map((name) => `\`${name}\``);
    const message = `The field \`${key}\` is unknown; ${known.join(", ")} were expected.`;
    return report("LB107", document.path, document.keyRange([...path, key]), { message });
  }
  if (error.keyword === "required") {
    const message = `The field \`${error.params.missingProperty}\` is missing; it was expected here.`;
    return report("LB106", document.path, document.valueRange(path), { message });
  }
  if (error.keyword === "propertyNames") {
    const key = String(error.params.propertyName);
    const message = `The key ${show(key)} has not the form that ${field} expects of its keys.`;
    return report("LB106", document.path, document.keyRange([...path, key]), { message });
  }
  const message = `${field} is ${show(error.data)}; ${expectation(error)} was expected.`;
  return report("LB106", document.path, document.valueRange(path), { message: message.replace(/^t/, "T") });
}

function expectation(error: ErrorObject): string {
  const { keyword, params, parentSchema } = error;
  if (keyword === "type") return params.type === "string" ? "text (in quotes)" : `a value of type ${params.type}`;
  if (keyword === "enum") return `one of ${(params.allowedValues as unknown[]).map(show).join(", ")}`;
  if (keyword === "pattern" && parentSchema?.description !== undefined) return "0x with 40 hex digits";
  if (keyword === "pattern") return `text of the form \`${params.pattern}\``;
  if (keyword === "minLength" || keyword === "minItems") return `at least ${params.limit} of content`;
  return `a value ${params.comparison} ${params.limit}`;
}

function stepsOf(error: ErrorObject): string[] {
  const steps = error.instancePath.split("/").slice(1);
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function show(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a mapping";
  const text = String(value);
  const clipped = text.length <= 48 ? text : `${text.slice(0, 45)}...`;
  if (typeof value === "string") return `\`${clipped.replace(/[^\x20-\x7e]/g, "?")}\``;
  return value === null ? "empty" : `the ${typeof value} \`${clipped}\``;
}
