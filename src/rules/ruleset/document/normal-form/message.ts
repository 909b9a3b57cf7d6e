import { saidCondition } from "./condition.ts";
import { isEntry, mapEntry } from "./entry.ts";
import { unlessMistaken } from "./name-mistake.ts";
import { findPath, type Names, valuePath } from "./names.ts";
import type { ValuePlace } from "./values.ts";

/** What a rule or message does besides, by its word. Every text that names something here is a path, but for a few fields. */
export function signedOf(word: string, value: unknown, names: Names, place: ValuePlace): unknown {
  return pathWords.has(word) ? longFields(value, word, names, place) : value;
}

const pathWords: ReadonlySet<string> = new Set(["allows", "gives", "gets", "empowers", "carries", "place", "parts"]);
/** Fields with words. */
const plainFields: ReadonlySet<string> = new Set(["rule", "one", "many"]);

function longFields(value: unknown, field: string, names: Names, place: ValuePlace): unknown {
  const deeper = (step: string | number): ValuePlace => {
    const { places, at, from } = place;
    return { places, at: [...at, step], from: { ...from, path: [...from.path, step] } };
  };
  if (field === "when") return saidCondition(value, names, place.places, place.at, place.from.path);
  if (typeof value === "string") return plainFields.has(field) || value === "all" ? value : pathAt(value, names);
  if (Array.isArray(value)) return value.map((one, i) => longFields(one, field, names, deeper(i)));
  return isEntry(value) ? mapEntry(value, (one, name) => longFields(one, name, names, deeper(name))) : value;
}

/** A path; a name that only the compiler knows stays as it is. */
function pathAt(value: string, names: Names): unknown {
  return unlessMistaken(() => findPath(value, names)) ?? (value.startsWith("0x") ? valuePath(value, names) : value);
}
