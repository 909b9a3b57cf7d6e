import type { AbiType } from "../../abi/abi-type.ts";
import type { ReadPath, Spot } from "./spot.ts";

type ReadElements = { item: AbiType } & ({ kind: "array"; get: ReadGetter } | { kind: "zip"; gets: ReadGetter[] });
type ReadGetter = ReadPath["get"];

/** An array, or parallel arrays (`zip`), whose element is a tuple with the names of `zip`. */
export function compileElements(spot: Spot, each: unknown): ReadElements | undefined {
  const zip = typeof each === "string" ? null : ((each as { zip?: Record<string, string> }).zip ?? {});
  const columns = zip === null ? [["", each] as const] : Object.entries(zip);
  const paths = columns.flatMap(
    ([name, path]) => (zip === null ? spot : spot.in("zip", name)).path(path, ["array"]) ?? [],
  );
  const items = paths.flatMap(({ layout }) => (layout?.kind === "array" ? [layout.item] : []));
  if (items.length !== columns.length) return undefined;
  const gets = paths.map(({ get }) => get);
  const [get, item] = [gets[0], items[0]];
  if (zip === null) return get && item && { kind: "array", get, item };
  const names = columns.map(([name]) => name);
  return { kind: "zip", gets, item: { kind: "tuple", names, items, dynamic: true, words: 1 } };
}
