import { limits } from "../../kernel/limits.ts";
import type { Value } from "../../rules/abi/abi-type.ts";
import { compileReader, decode, type Reader } from "../../rules/abi/decoder.ts";
import type {
  CompiledUnwrapper,
  EachSource,
  PackedField,
  UnwrapContext,
} from "../../rules/ruleset/compiled-unwrapper.ts";
import { isExact } from "./exact-encoding.ts";
import type { ProgramSource } from "./steps.ts";

/** undefined unless canonical (an ERC-8021 suffix may follow): data that reads in two ways is not read. */
export function readsExactly(unwrapper: CompiledUnwrapper, input: string): Value[] | undefined {
  const args = unwrapper.call.read(input);
  if (args === undefined) return undefined;
  return isExact(input.slice(10), unwrapper.call.inputs.items, args, unwrapper.suffix) ? args : undefined;
}

/** undefined: not exact. */
export function readItems(
  each: Exclude<EachSource, ProgramSource>,
  context: UnwrapContext,
): (Value | undefined)[] | undefined {
  if (each.kind === "single") return [undefined];
  if (each.kind === "zip") return zipItems(each.gets.map((get) => get(context)));
  const value = each.get(context);
  if (each.kind === "array") return Array.isArray(value) ? value : undefined;
  if (typeof value !== "string") return undefined;
  return each.kind === "packed" ? readPacked(each.layout, value.slice(2), each.repeat) : readDecoded(each, value);
}

/** Unequal lengths are no list of calls. */
function zipItems(columns: (Value | undefined)[]): Value[] | undefined {
  const [first] = columns;
  if (!Array.isArray(first) || !columns.every((column) => Array.isArray(column) && column.length === first.length))
    return undefined;
  return first.map((_, row) => columns.map((column) => (column as Value[])[row] as Value));
}

const readers = new WeakMap<EachSource, Reader>();

function readDecoded(each: EachSource & { kind: "decode" }, data: string): Value[] | undefined {
  let reader = readers.get(each);
  if (reader === undefined) {
    reader = compileReader(each.types);
    readers.set(each, reader);
  }
  const values = decode(reader, data, 2);
  if (values === undefined || !isExact(data.slice(2), each.types.items, values)) return undefined;
  return each.array ? (values[0] as Value[]) : [values];
}

/** Without padding; must fill the data. */
function readPacked(layout: PackedField[], digits: string, repeat: boolean): Value[] | undefined {
  const items: Value[] = [];
  let at = 0;
  while (at < digits.length) {
    if (items.length >= limits.unwrappedCallsMax) return undefined;
    const record: Value[] = [];
    for (const field of layout) {
      const size = sizeOf(field, layout, record, digits.length - at);
      if (size === undefined || at + size > digits.length) return undefined;
      const part = digits.slice(at, at + size);
      record.push(field.kind === "uint" ? BigInt(`0x${part || "0"}`) : `0x${part}`);
      at += size;
    }
    items.push(record);
    if (!repeat) return at === digits.length ? items : undefined;
  }
  return items;
}

/** Hex digits; undefined: too large. */
function sizeOf(field: PackedField, layout: PackedField[], record: Value[], left: number): number | undefined {
  if (field.size === "rest") return left;
  if (typeof field.size === "number") return field.size * 2;
  const { lengthIn } = field.size;
  const length = record[layout.findIndex((other) => other.name === lengthIn)];
  return typeof length === "bigint" && length <= BigInt(left) ? Number(length) * 2 : undefined;
}
