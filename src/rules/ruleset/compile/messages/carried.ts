import type { HeldCallSource } from "../../compiled.ts";
import type { CarriedEntry } from "../../document/message-entry.ts";
import type { Spot } from "../spot.ts";

/** `carries`; null also for a mistake, which is reported. */
export function compileCarried(spot: Spot, entry: CarriedEntry | undefined): HeldCallSource | null {
  if (entry === undefined) return null;
  const list = entry.each === undefined ? undefined : spot.in("each").path(entry.each, ["array"]);
  const inner = list?.layout?.kind === "array" ? spot.reading({ item: list.layout.item }) : spot;
  const from = inner.in("from").getter(entry.from, "address");
  const to = inner.in("to").getter(entry.to, "address");
  const data = inner.in("data").getter(entry.data, "bytes");
  const value = inner.in("value").getter(entry.value, "uint") ?? null;
  return from && to && data ? { each: list?.get ?? null, from, to, data, value } : null;
}
