import type { Value } from "../abi/abi-type.ts";
import type { Address } from "../kernel/address.ts";
import { limits } from "../kernel/limits.ts";
import type { MatchContext } from "../model/match.ts";
import type { CompiledCapture, Elements, FieldCapture } from "./compiled.ts";

/** A capture of one value, with the context that it is read from. */
export interface CapturePart {
  capture: Exclude<CompiledCapture, FieldCapture | { kind: "list" | "phrase" }>;
  context: MatchContext;
}

/** The single values that a capture tells. Lists and arrays are taken apart; elements beyond the limit are left out. */
export function partsOf(capture: CompiledCapture, context: MatchContext): CapturePart[] {
  if (capture.kind === "list") return capture.items.flatMap((item) => partsOf(item, context));
  if (capture.kind === "phrase") return [...capture.values.values()].flatMap((value) => partsOf(value, context));
  if (capture.kind !== "field") return [{ capture, context }];
  return toldElements(capture, context).told.flatMap((one) => partsOf(capture.value, one));
}

/** Whether an address is a constant that a router takes for the sender of the call (`sender` of the capture). It is nobody's account. */
export function isSender(capture: CompiledCapture, address: Address): boolean {
  return capture.kind === "address" && capture.sender.includes(address);
}

/** A context for each element of the field's array that is told, and `more`: how many further elements there are. */
export function toldElements({ each, when }: FieldCapture, context: MatchContext) {
  const all = each === null ? [context] : elementsOf(each, context).map((item) => ({ ...context, item }));
  const told = when === null ? all : all.filter(when);
  return { told: told.slice(0, limits.toldElementsMax), more: Math.max(0, told.length - limits.toldElementsMax) };
}

/** The elements of an array, or rows of parallel arrays. Empty where an array is missing, or where parallel arrays differ in length. */
export function elementsOf(each: Elements, context: MatchContext): readonly Value[] {
  if (each.kind === "array") {
    const found = each.get(context);
    return Array.isArray(found) ? found : [];
  }
  const columns = each.gets.map((get) => get(context));
  const [first] = columns;
  if (!Array.isArray(first) || !columns.every((one) => Array.isArray(one) && one.length === first.length)) return [];
  return first.map((_, row) => columns.map((column) => (column as Value[])[row] as Value));
}
