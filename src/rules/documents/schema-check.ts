import type { ErrorObject } from "ajv/dist/2020.js";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { createReporter, type Reporter } from "./reporter.ts";
import type { DocumentPath, SourceDocument } from "./source-document.ts";
import { suggest } from "./suggest.ts";
import { type DocumentSchema, findValidator } from "./validator.ts";

/** Violations become diagnostics with the codes `form` or `field`. Gives the paths of wrong values. */
export function checkSchema(schema: DocumentSchema, source: SourceDocument, diagnostics: Diagnostic[]): DocumentPath[] {
  const validate = findValidator(schema);
  if (validate(source.value)) return [];
  const report: Report = (kind, ...rest) => createReporter(source, diagnostics).report(source.codes[kind], ...rest);
  const places = Map.groupBy(validate.errors ?? [], (error) => error.instancePath);
  return [...places].map(([pointer, errors]) => {
    const path = pathOf(pointer, source.value);
    reportPlace(path, errorsOfClosest(withoutNone(errors)), [...places.keys()], report);
    return path;
  });
}

/** The word `none` may stand for a mapping or a list. Who wrote one of these meant no `none`. */
function withoutNone(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const others = errors.filter(({ parentSchema }) => (parentSchema as { pattern?: string }).pattern !== "^none$");
  return others.some(({ keyword }) => keyword !== "anyOf" && keyword !== "oneOf") ? others : errors;
}

/**
 * A mapping that fits none of several forms gets complaints of all. Those of the forms that refuse the fewest fields remain: these are
 * probably meant.
 */
function errorsOfClosest(errors: readonly ErrorObject[]): ErrorObject[] {
  const refused = new Map<string | undefined, number>();
  for (const error of errors) {
    const form = formOf(error);
    refused.set(form, (refused.get(form) ?? 0) + (isUnknownField(error) ? 1 : 0));
  }
  // A form of another type, such as text, does not count. Complaints that hold for all forms have no form.
  for (const error of errors) if (error.keyword === "type") refused.delete(formOf(error));
  refused.delete(undefined);
  const least = Math.min(...refused.values());
  return errors.filter((error) => (refused.get(formOf(error)) ?? least) === least);
}

/** The branch of a `oneOf` or `anyOf`; undefined outside of them. */
function formOf({ schemaPath }: ErrorObject): string | undefined {
  return /^.*\/(?:oneOf|anyOf)\/\d+(?=\/)/.exec(schemaPath)?.[0];
}

function isUnknownField({ keyword }: ErrorObject): boolean {
  return keyword === "additionalProperties" || keyword === "unevaluatedProperties";
}

type ReportArguments = Parameters<Reporter["report"]> extends [string, ...infer Rest] ? Rest : never;
type Report = (kind: "form" | "field", ...rest: ReportArguments) => void;
type Path = (string | number)[];

/** `pointers`: the places of all values with a mistake. */
function reportPlace(path: Path, errors: readonly ErrorObject[], pointers: readonly string[], report: Report): void {
  const unknown = reportUnknownFields(path, errors, report);
  const value = errors[0]?.data;
  const types = new Set<string>();
  /** With its help. */
  const told = new Map<string, string | undefined>();
  const described = errors.map(({ parentSchema }) => (parentSchema as Described).description);
  const help = described.find((said) => said !== undefined);
  for (const error of errors) {
    if (error.keyword === "type") types.add(String(error.params.type));
    const sentence = spokenFor.has(error.keyword) ? undefined : sentenceOf(error, unknown);
    if (sentence !== undefined) told.set(sentence, error.keyword === "required" ? helpOfMissing(error) : help);
  }
  // Each branch of a oneOf complains about the type that another branch accepts. So one sentence names all types. It is left out when the
  // value has one of the types and the mistake is inside of it.
  const deeper =
    value !== null &&
    typeof value === "object" &&
    pointers.some((other) => other.startsWith(`${errors[0]?.instancePath}/`));
  const insideTold = deeper || unknown.size > 0 || told.size > 0;
  const words = [...types].map((type) => typeWords[type] ?? type).join(" or ");
  if (types.size > 0 && !insideTold) told.set(`${describe(value)} stands here; ${words} was expected`, help);
  for (const error of errors)
    if (error.propertyName !== undefined)
      report("form", [...path, error.propertyName], keySentence(error, error.propertyName), {
        key: true,
        help: "Compare the key with its source: it may be cut off, or a letter may be wrong.",
      });
  for (const [text, said] of told) report("form", path, text, { ...(said !== undefined && { help: said }) });
}

function helpOfMissing({ params, parentSchema }: ErrorObject): string | undefined {
  const name = String(params.missingProperty);
  const said = (parentSchema as Described).properties?.[name]?.description;
  return said === undefined ? undefined : `\`${name}\`: ${said}`;
}

interface Described {
  description?: string;
  /** Words about `pattern`, which editors show too. Each pattern of the schemas has them. */
  patternErrorMessage?: string;
  properties?: Record<string, { description?: string } | undefined>;
}

const typeWords: Record<string, string> = {
  string: "text",
  array: "a list",
  object: "a mapping",
  boolean: "true or false",
  integer: "a whole number",
};

function formSentence(value: unknown, { params, parentSchema }: ErrorObject): string {
  const digits = /^(?:0x)?([0-9a-fA-F]{20,})$/.exec(String(value))?.[1];
  if (digits !== undefined && /\{40\}\)?\$$/.test(params.pattern)) {
    return `${describe(value)} has ${digits.length} hex digits${String(value).startsWith("0x") ? "" : " and no 0x"}; 0x and 40 were expected`;
  }
  return `${describe(value)} stands here; ${(parentSchema as Described).patternErrorMessage}`;
}

/** Its form is wrong, or it is not in a list. */
function keySentence(error: ErrorObject, key: string): string {
  if (error.keyword !== "enum") return formSentence(key, error);
  return `\`${key}\` stands here; one of ${(error.params.allowedValues as string[]).join(", ")} was expected`;
}

/** Other errors or sentences cover these. */
const spokenFor = new Set([
  "type",
  "oneOf",
  "anyOf",
  "if",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
]);

/** Gives the names that were probably meant. */
function reportUnknownFields(path: Path, errors: readonly ErrorObject[], report: Report): Set<string> {
  const meant = new Set<string>();
  const seen = new Set<string>();
  for (const error of errors) {
    if (!isUnknownField(error)) continue;
    const name = String(error.params.additionalProperty ?? error.params.unevaluatedProperty);
    if (seen.has(name)) continue;
    seen.add(name);
    const close = suggest(name, Object.keys((error.parentSchema as { properties?: object })?.properties ?? {}));
    meant.add(close ?? "");
    report("field", [...path, name], `\`${name}\` is no known field`, { key: true, suggest: close });
  }
  return meant;
}

/** Undefined when an unknown field beside it says the same. */
function sentenceOf(error: ErrorObject, meant: ReadonlySet<string>): string | undefined {
  const { params, keyword, data } = error;
  // Wrong keys are reported at their own place.
  if (error.propertyName !== undefined) return undefined;
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return meant.has(params.missingProperty) ? undefined : `\`${params.missingProperty}\` is missing`;
    case "enum":
      return `${describe(data)} stands here; one of ${(params.allowedValues as string[]).join(", ")} was expected`;
    case "pattern":
      return formSentence(data, error);
    case "minLength":
    case "maxLength":
      return `the text has ${counted(String(data).length, "character", "characters")}; at ${keyword === "minLength" ? "least" : "most"} ${params.limit} were expected`;
    case "minimum":
    case "maximum":
      return `${describe(data)} stands here; a number of at ${keyword === "minimum" ? "least" : "most"} ${params.limit} was expected`;
    case "minProperties":
    case "minItems":
      return params.limit === 1
        ? "nothing stands here; at least one entry was expected"
        : `${counted(Object.keys(data as object).length, "entry stands", "entries stand")} here; at least ${params.limit} were expected`;
    default:
      return `${describe(data)} ${error.message ?? "is not valid"}`;
  }
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  const text = String(value);
  return `\`${text.length > 40 ? `${text.slice(0, 37)}…` : text}\``;
}

/** JSON pointer: `/rules/0/id` → `["rules", 0, "id"]`. Steps are numbers only in lists. */
function pathOf(pointer: string, root: unknown): Path {
  let node = root;
  const [, ...parts] = pointer.split("/");
  return parts.map((part) => {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    const step = Array.isArray(node) ? Number(key) : key;
    node = (node as Record<string | number, unknown> | undefined)?.[step];
    return step;
  });
}
