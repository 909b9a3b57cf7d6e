import type { ConstantScope } from "../descriptor/constant.ts";
import { type DescriptorPart, isObject, orLeaveOut, unsupported } from "../descriptor/part.ts";
import type { ActItem } from "../function-text.ts";
import { joinPath, plainPath } from "./path.ts";

export interface FieldScope extends ConstantScope {
  item: ActItem;
}

/** A field with references and groups resolved. */
export interface Field {
  part: DescriptorPart;
  scope: FieldScope;
  /** undefined: a constant instead. */
  path: string | undefined;
  /** Paths of parameters may be relative to it. */
  group: string;
  /** Shown whenever there is room. */
  wanted: boolean;
  /** Values for the descriptor to apply (`mustMatch`; `mustBe` in version 2). */
  must: DescriptorPart | undefined;
}

/** References, and fields inside fields. */
const depthMax = 3;
/** Fields of one list. */
const fieldsMax = 64;

/** Leaves out fields that are never shown. Unreadable ones are reported. */
export function readFields(format: DescriptorPart, scope: FieldScope): Field[] {
  const fields = format.get("fields");
  const all = fields === undefined ? [] : readList(fields, { scope, group: "", depth: 0 });
  const required = readPaths(format.get("required"));
  const excluded = readPaths(format.get("excluded"));
  for (const { path, part } of required ?? [])
    if (all.every((field) => field.path !== path)) part.leaveOut("a required field without a format");
  const isExcluded = (field: Field): boolean => excluded?.some(({ path }) => path === field.path) === true;
  for (const { part } of all.filter(isExcluded)) hide(part);
  const isWanted = (field: Field): boolean =>
    field.wanted && (required === undefined || required.some(({ path }) => path === field.path));
  return all.filter((field) => !isExcluded(field)).map((field) => ({ ...field, wanted: isWanted(field) }));
}

interface Place {
  scope: FieldScope;
  group: string;
  depth: number;
}

function readList(fields: DescriptorPart, place: Place): Field[] {
  const parts = fields.elements();
  if (parts === undefined) fields.leaveOut("fields that are no list");
  if (parts?.length === 0) fields.take();
  for (const part of parts?.slice(fieldsMax) ?? []) part.leaveOut(`more than ${fieldsMax} fields`);
  return (parts ?? []).slice(0, fieldsMax).flatMap((part) => orLeaveOut(part, () => readField(part, place)) ?? []);
}

/** Reads a field or a group. Throws UnsupportedError. */
function readField(stated: DescriptorPart, { scope, group, depth }: Place): Field[] {
  const part = dereference(stated, scope.root);
  const path = part.get("path");
  if (path !== undefined && typeof path.value !== "string") unsupported("a path that is no text", path);
  const whole = path && joinPath(group, path.value as string);
  const inner = part.get("fields");
  if (inner !== undefined) {
    if (depth >= depthMax) unsupported("fields that nest too deep");
    path?.take();
    part.get("label")?.leaveOut("a label for several fields");
    return readList(inner, { scope, group: whole ?? group, depth: depth + 1 });
  }
  const visible = part.get("visible");
  if (visible?.value === "never") {
    hide(part);
    return [];
  }
  if (visible?.value === "always" || visible?.value === "optional") visible.take();
  path?.take();
  const must = visible?.get("mustMatch") ?? visible?.get("mustBe");
  return [{ part, scope, path: whole && plainPath(whole), group, wanted: visible?.value !== "optional", must }];
}

/** Completed by its definitions in turn. Throws UnsupportedError. */
function dereference(field: DescriptorPart, root: DescriptorPart, seen: readonly string[] = []): DescriptorPart {
  if (!isObject(field.value)) unsupported("a field that is no object");
  const reference = field.get("$ref");
  if (reference === undefined) return field;
  const [, name] = /^(?:\$\.|#\/)display[./]definitions[./]([A-Za-z_][\w-]{0,63})$/.exec(String(reference.value)) ?? [];
  if (name === undefined) unsupported("a reference to something else than a definition", reference);
  if (seen.includes(name)) unsupported("references that go in a circle", reference);
  if (seen.length >= depthMax) unsupported("references that follow one another too long", reference);
  const definition = root.get("display", "definitions", name);
  if (!isObject(definition?.value)) unsupported("a reference to a definition that is not there", reference);
  reference.take();
  return field.withDefinition(dereference(definition as DescriptorPart, root, [...seen, name]));
}

function readPaths(list: DescriptorPart | undefined): { path: string; part: DescriptorPart }[] | undefined {
  const parts = list?.elements();
  if (parts === undefined) list?.leaveOut("paths that are no list");
  else list?.take();
  return parts?.map((part) => ({ path: typeof part.value === "string" ? plainPath(part.value) : "", part }));
}

/** Marks as used what says how to show a field that is never shown. */
export function hide(part: DescriptorPart): void {
  for (const key of ["path", "value", "label", "format", "separator", "encryption", "$ref"]) part.get(key)?.take();
  const params = part.get("params");
  for (const [key] of params?.entries() ?? []) params?.get(key)?.take();
  const visible = part.get("visible");
  if (typeof visible?.value === "string") visible.take();
}
