import type { Part } from "./part.ts";

/** Settles what is said of how a field is shown that is never shown. */
export function hide(part: Part): void {
  for (const key of ["path", "value", "label", "format", "separator", "encryption", "$ref"]) part.get(key)?.take();
  const params = part.get("params");
  for (const [key] of params?.children() ?? []) params?.get(key)?.take();
  const visible = part.get("visible");
  if (typeof visible?.value === "string") visible.take();
}
