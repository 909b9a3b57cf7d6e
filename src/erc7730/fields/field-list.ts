import { isObject } from "../descriptor/json.ts";
import { orLeaveOut, type Part, unsupported } from "../descriptor/part.ts";
import { plainPath } from "./path.ts";

/** One field of a format, references and groups resolved. */
export interface Field {
  part: Part;
  /** Its whole path; undefined where a constant stands instead. */
  path: string | undefined;
  /** Path of the group that it stands in; paths of its parameters may be relative to it. */
  group: string;
  /** The author wants it shown whenever there is room for it. */
  wanted: boolean;
}

/** References that follow one another, and fields inside of fields. */
const depthMax = 3;
/** Fields of one function. */
const fieldsMax = 64;

/** The fields of one format in order, without those that are never shown; what cannot be read is listed. */
export function readFields(format: Part, root: Part): Field[] {
  const fields = format.get("fields");
  const all = fields === undefined ? [] : flatten(fields, "", { root, depth: 0 });
  const required = readPaths(format.get("required"));
  const excluded = new Set(readPaths(format.get("excluded"))?.map(([path]) => path));
  const present = new Set(all.map(({ path }) => path));
  for (const [path, part] of required ?? []) if (!present.has(path)) part.leaveOut("a required field without a format");
  const wanted = required === undefined ? undefined : new Set(required.map(([path]) => path));
  return all.flatMap((field): Field[] => {
    if (field.path !== undefined && excluded.has(field.path)) {
      hide(field.part);
      return [];
    }
    return [{ ...field, wanted: field.wanted && (wanted === undefined || wanted.has(field.path ?? "")) }];
  });
}

interface Walk {
  root: Part;
  depth: number;
}

function flatten(fields: Part, prefix: string, walk: Walk): Field[] {
  if (!Array.isArray(fields.value)) {
    fields.leaveOut("fields that are no list");
    return [];
  }
  const parts = fields.entries().map(([, part]) => part);
  if (parts.length === 0) fields.take();
  for (const part of parts.slice(fieldsMax)) part.leaveOut(`more than ${fieldsMax} fields`);
  return parts.slice(0, fieldsMax).flatMap((part) => orLeaveOut(part, () => readField(part, prefix, walk)) ?? []);
}

function readField(part: Part, prefix: string, walk: Walk): Field[] {
  const whole = dereference(part, walk.root);
  const stated = whole.get("path")?.value;
  if (stated !== undefined && typeof stated !== "string") unsupported("a path that is no text", whole.get("path"));
  const path = stated === undefined ? undefined : joinPath(prefix, stated);
  const inner = whole.get("fields");
  if (inner !== undefined) {
    if (walk.depth >= depthMax) unsupported("fields that nest too deep");
    whole.get("path")?.take();
    whole.get("label")?.leaveOut("a label for several fields");
    return flatten(inner, path ?? prefix, { ...walk, depth: walk.depth + 1 });
  }
  const visible = whole.get("visible");
  if (visible?.value === "never") {
    hide(whole);
    return [];
  }
  const wanted = visible?.value !== "optional";
  if (visible?.value === "always" || visible?.value === "optional") visible.take();
  whole.get("path")?.take();
  return [{ part: whole, path: path === undefined ? undefined : plainPath(path), group: prefix, wanted }];
}

/** The field with the definitions that it refers to, one behind the other. Throws UnsupportedError. */
function dereference(field: Part, root: Part, seen: readonly string[] = []): Part {
  if (!isObject(field.value)) unsupported("a field that is no object");
  const reference = field.get("$ref");
  if (reference === undefined) return field;
  const [, name] = /^(?:\$\.|#\/)display[./]definitions[./]([A-Za-z_][\w-]{0,63})$/.exec(String(reference.value)) ?? [];
  if (name === undefined) unsupported("a reference to something else than a definition", reference);
  if (seen.includes(name)) unsupported("references that go in a circle", reference);
  if (seen.length >= depthMax) unsupported("references that follow one another too long", reference);
  const definition = root.at("display", "definitions", name);
  if (definition === undefined || !isObject(definition.value))
    unsupported("a reference to a definition that is not there", reference);
  reference.take();
  return field.withDefinition(dereference(definition, root, [...seen, name]));
}

function readPaths(part: Part | undefined): [path: string, part: Part][] | undefined {
  if (part === undefined) return undefined;
  if (!Array.isArray(part.value)) {
    part.leaveOut("paths that are no list");
    return undefined;
  }
  part.take();
  return part.entries().map(([, one]) => [typeof one.value === "string" ? plainPath(one.value) : "", one]);
}

function joinPath(prefix: string, path: string): string {
  return prefix === "" || /^[#@$]/.test(path) ? path : `${prefix}.${path}`;
}

/** Counts everything as used that says how a field is shown which is never shown. */
export function hide(part: Part): void {
  for (const key of ["path", "value", "label", "format", "separator", "encryption", "$ref"]) part.get(key)?.take();
  const params = part.get("params");
  for (const [key] of params?.entries() ?? []) params?.get(key)?.take();
  const visible = part.get("visible");
  if (typeof visible?.value === "string") visible.take();
}
