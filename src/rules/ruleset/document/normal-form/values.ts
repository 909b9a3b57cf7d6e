import { builtinCaptures } from "../../compile/template.ts";
import type { Place, WrittenPlaces } from "../written-places.ts";
import { saidCondition } from "./condition.ts";
import { isEntry, mapEntry, type SaidEntry } from "./entry.ts";
import { readExpression } from "./expression.ts";
import { NameMistake } from "./name-mistake.ts";
import { fullPath, isArgument, type Names, typeOf, valuePath } from "./names.ts";

type Path = readonly (string | number)[];

/** Where a value is in the normal form, and in the author's text. */
export interface ValuePlace {
  places: WrittenPlaces;
  at: Path;
  from: Place;
}

/** Fields of a capture that hold paths. */
const pathFields: ReadonlySet<string> = new Set([
  ...["address", "other", "token", "amount", "at_least", "at_most", "integer", "number", "hash", "bytes", "text"],
  ...["boolean", "time", "chain", "enum", "percent", "quantity", "duration", "nft", "of", "id", "pieces"],
]);

/**
 * A value of a sentence as a capture: an expression, a bare name, a map or a list of these. `optional`: it is told only in a clause. Throws
 * NameMistake.
 */
export function captureOf(value: unknown, names: Names, optional: boolean, place: ValuePlace): unknown {
  if (Array.isArray(value)) return value.map((one, i) => captureOf(one, names, optional, inside(place, i)));
  if (isEntry(value)) return longCapture(value, names, place);
  place.places.mark(place.at, place.from.inside === undefined ? { ...place.from, fixed: true } : place.from);
  const text = String(value);
  const said = readExpression(text);
  if (said !== undefined) return longCapture(said, names, undefined);
  if (Object.hasOwn(names.legs, text) && !isArgument(text, names)) return legCapture(text, names);
  const told = place.from.inside === undefined ? [] : [...builtinCaptures, ...Object.keys(names.shared)];
  const path = fullPath(text, names, told);
  return { [formatOf(typeOf(path, names), optional) ?? noFormat(text)]: path };
}

/** What a leg is worth in the sentence: its stated fields are read from the anchor, the others from the movement. */
function legCapture(name: string, names: Names): SaidEntry {
  const leg = names.legs[name] as SaidEntry;
  const token = leg.token === undefined ? `legs.${name}.token` : valuePath(leg.token, names);
  if (leg.id !== undefined) return { nft: token, id: valuePath(leg.id, names) };
  return { amount: leg.amount === undefined ? `legs.${name}.amount` : valuePath(leg.amount, names), of: token };
}

function longCapture(capture: SaidEntry, names: Names, place: ValuePlace | undefined): SaidEntry {
  const event = names.items.get(String(capture.count));
  const counted: Names = { ...names, args: event?.inputs ?? null, legs: {}, anchor: "event" };
  const condition = (logic: unknown, field: string, here: Names) => {
    if (place === undefined) return logic;
    const { places, at, from } = inside(place, field);
    return saidCondition(logic, here, places, at, from.path);
  };
  return mapEntry(capture, (value, field) => {
    if (field === "where") return condition(value, field, counted);
    if (field === "when") return condition(value, field, names);
    if (field === "each" && isEntry(value))
      return { zip: mapEntry(value.zip as SaidEntry, (path) => valuePath(path, names)) };
    if (field === "with" && place !== undefined)
      return mapEntry(value as SaidEntry, (one, name) =>
        captureOf(one, names, false, inside(inside(place, field), name)),
      );
    return field === "each" || pathFields.has(field) ? valuePath(value, names) : value;
  });
}

function inside({ places, at, from }: ValuePlace, step: string | number): ValuePlace {
  return { places, at: [...at, step], from: { ...from, path: [...from.path, step] } };
}

/**
 * How a bare name is told. In a clause, an address that is the account's own leaves the clause out. A number has no format: an amount must
 * not be told raw because somebody left something out.
 */
function formatOf(type: string | undefined, optional: boolean): string | undefined {
  if (type === "address") return optional ? "other" : "address";
  return { bool: "boolean", string: "text", bytes: "hash" }[type ?? ""];
}

function noFormat(text: string): never {
  throw new NameMistake(
    `\`${text}\` has no format of its own; \`${text} of TOKEN\`, or \`as id\`, \`count\`, \`time\`, \`duration\`, \`percent\` or \`chain\` was expected`,
  );
}
