import type { Address } from "../../kernel/address.ts";
import { limits } from "../../kernel/limits.ts";
import type { MatchContext } from "../../model/match.ts";
import type { Value } from "../abi/abi-type.ts";
import type { CompiledCapture, Elements, FieldCapture } from "./compiled.ts";

/** One value, with the context that it is read from. */
export interface CapturePart {
  capture: Exclude<CompiledCapture, FieldCapture | { kind: "list" | "phrase" }>;
  context: MatchContext;
}

/** Lists, phrases and arrays taken apart. Elements beyond the limit are left out, but not with `whole`. */
export function partsOf(capture: CompiledCapture, context: MatchContext, whole = false): CapturePart[] {
  if (capture.kind === "list") return capture.items.flatMap((item) => partsOf(item, context, whole));
  if (capture.kind === "phrase") return [...capture.values.values()].flatMap((one) => partsOf(one, context, whole));
  if (capture.kind !== "field") return [{ capture, context }];
  const contexts = whole ? allElements(capture, context) : toldElements(capture, context).told;
  return contexts.flatMap((one) => partsOf(capture.value, one, whole));
}

/** A constant that a router replaces by the sender of the call; nobody's account. */
export function isSender(capture: CompiledCapture, address: Address): boolean {
  return capture.kind === "address" && capture.sender.includes(address);
}

/** `more`: how many further elements there are. */
export function toldElements(field: FieldCapture, context: MatchContext) {
  const told = allElements(field, context);
  return { told: told.slice(0, limits.toldElementsMax), more: Math.max(0, told.length - limits.toldElementsMax) };
}

/** Contexts of the elements for which the condition holds. */
function allElements({ each, when }: FieldCapture, context: MatchContext): MatchContext[] {
  const all = each === null ? [context] : elementsOf(each, context).map((item) => ({ ...context, item }));
  return when === null ? all : all.filter(when);
}

/** Elements of an array, or rows of parallel arrays; empty where one is missing or lengths differ. */
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
