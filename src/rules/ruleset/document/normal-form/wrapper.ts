import type { WrittenPlaces } from "../written-places.ts";
import { saidCondition } from "./condition.ts";
import { NormalDraft } from "./draft.ts";
import { isEntry, mapEntry, type SaidEntry } from "./entry.ts";
import type { FileNames } from "./file-names.ts";
import { namesOfCall } from "./file-names.ts";
import { type Names, valuePath } from "./names.ts";

/** Fields with paths, and of those with several which. */
const pathFields: Readonly<Record<string, readonly string[] | "all">> = {
  each: ["packed", "decode", "codes", "inputs", "input", "zip"],
  inner: "all",
  actor: "all",
  fees_to: "all",
  proof: ["emitter", "join"],
};

/** An entry of `wrappers` in the normal form. */
export function wrapperOf(
  entry: SaidEntry,
  at: readonly (string | number)[],
  from: readonly (string | number)[],
  file: FileNames,
  places: WrittenPlaces,
  reporter: NormalDraft["reporter"],
): SaidEntry | undefined {
  const names: Names = { ...namesOfCall(String(entry.call), file), anchor: "unwrap" };
  const draft = new NormalDraft(at, places, reporter);
  places.mark(at, { path: from });
  for (const [field, value] of Object.entries(entry))
    draft.put(field, { path: [...from, field] }, (own, place) => {
      if (field === "when" || (field === "bubbles" && value !== true))
        return saidCondition(value, names, places, own, place.path);
      return longField(value, pathFields[field] ?? [], names);
    });
  return draft.mistaken ? undefined : draft.entry;
}

function longField(value: unknown, fields: readonly string[] | "all", names: Names): unknown {
  if (!isEntry(value)) return fields.length > 0 ? valuePath(value, names) : value;
  return mapEntry(value, (one, field) => {
    if (fields !== "all" && !fields.includes(field)) return one;
    return isEntry(one) ? mapEntry(one, (path) => valuePath(path, names)) : valuePath(one, names);
  });
}
