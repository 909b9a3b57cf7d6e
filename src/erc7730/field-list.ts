import { type Listing, printable } from "./finding.ts";
import { isObject, type JsonObject, mergeObjects, own, ownAt } from "./json-tree.ts";

/** References that follow one another, and fields inside of fields. */
const depthMax = 3;
/** Fields of one function. */
const fieldsMax = 64;

/** The fields of one format in order, references to definitions replaced, groups flattened; what cannot be is listed. */
export function readFields(format: JsonObject, descriptor: JsonObject, list: Listing): JsonObject[] {
  const fields = flatten(own(format, "fields"), "", { descriptor, list, depth: 0 });
  if (fields.length > fieldsMax) list("", `more than ${fieldsMax} fields`);
  return fields.slice(0, fieldsMax);
}

interface Walk {
  descriptor: JsonObject;
  list: Listing;
  depth: number;
}

function flatten(fields: unknown, prefix: string, walk: Walk): JsonObject[] {
  const { descriptor, list, depth } = walk;
  if (fields === undefined) return [];
  if (!Array.isArray(fields)) {
    list(printable(prefix), "fields that are no list");
    return [];
  }
  // One more than are taken shows that there are more.
  return fields.slice(0, fieldsMax + 1).flatMap((field): JsonObject[] => {
    const whole = readField(field, descriptor);
    if (typeof whole === "string") {
      list(printable(own(field, "path") ?? own(field, "$ref") ?? own(field, "label")), whole);
      return [];
    }
    const path = joinPath(prefix, own(whole, "path"));
    const inner = own(whole, "fields");
    if (inner === undefined) return [{ ...whole, path }];
    if (depth < depthMax)
      return flatten(inner, typeof path === "string" ? path : prefix, { ...walk, depth: depth + 1 });
    list(printable(path), "fields that nest too deep");
    return [];
  });
}

/** The field with the definition that it refers to; a sentence when it cannot be had. */
function readField(field: unknown, descriptor: JsonObject): JsonObject | string {
  let whole = field;
  const seen = new Set<string>();
  while (true) {
    if (!isObject(whole)) return "a field that is no object";
    const reference = own(whole, "$ref");
    if (reference === undefined) return whole;
    const [, name] = /^(?:\$\.|#\/)display[./]definitions[./]([A-Za-z_][\w-]{0,63})$/.exec(String(reference)) ?? [];
    if (name === undefined) return "a reference to something else than a definition";
    if (seen.has(name)) return "references that go in a circle";
    if (seen.size >= depthMax) return "references that follow one another too long";
    seen.add(name);
    const definition = ownAt(descriptor, "display", "definitions", name);
    if (!isObject(definition)) return "a reference to a definition that is not there";
    const { $ref: _, ...rest } = whole;
    whole = mergeObjects(definition, rest);
  }
}

function joinPath(prefix: string, path: unknown): unknown {
  if (prefix === "" || typeof path !== "string" || /^[#@$]/.test(path)) return path;
  return `${prefix}.${path}`;
}
