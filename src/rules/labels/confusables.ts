import table from "./confusables.json" with { type: "json" };

/**
 * For each character, the prototype that it looks like: confusables.txt of UTS #39. build/confusables.ts makes the table, which has the
 * version of Unicode and the hash of the file.
 */
export function readConfusables(): Record<string, string> {
  // Without a prototype of its own: objects that grow by thousands of keys are slow to make otherwise, and this runs at each start.
  const prototypes: Record<string, string> = Object.create(null);
  for (const [prototype, signs] of Object.entries(table.signs)) for (const sign of signs) prototypes[sign] = prototype;
  return prototypes;
}
