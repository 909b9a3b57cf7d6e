import { suggest } from "../../../documents/suggest.ts";
import type { WrittenPlaces } from "../written-places.ts";
import { isEntry } from "./entry.ts";
import { NameMistake } from "./name-mistake.ts";
import { findPath, isArgument, type Names, typeOf, valuePath } from "./names.ts";
import { operators, signOf } from "./operators.ts";

type Path = readonly (string | number)[];

/** By the type of the first path; of two numbers, `int` where one is. */
function operatorOf(name: string, operand: unknown, names: Names): string {
  const known = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (known === undefined || !Array.isArray(operand)) return name;
  const types = operand.flatMap((one) => {
    const path = isEntry(one) && typeof one.var === "string" ? findPath(one.var, names) : undefined;
    return path === undefined ? [] : (typeOf(path, names) ?? []);
  });
  const isNegative = operand.some((one) => /^-\d/.test(String(isEntry(one) ? "" : one)));
  const type = types.includes("int") || (types[0] === "uint" && isNegative) ? "int" : types[0];
  return known[type ?? ""] ?? (name === "==" || name === "in" ? name : (known.int ?? known.bytes ?? name));
}

const largest = (2n ** 256n - 1n).toString();

/** Operators that an author may write. */
const authorsOperators: readonly string[] = ["and", "or", "!", "!=", ...Object.keys(operators)];

/** A condition of the normal form. `at`: its place there; `from`: its place in the author's text. Throws NameMistake. */
export function saidCondition(logic: unknown, names: Names, places: WrittenPlaces, at: Path, from: Path): unknown {
  if (Array.isArray(logic)) return logic.map((one, i) => saidCondition(one, names, places, [...at, i], [...from, i]));
  if (!isEntry(logic)) return logic === "max" ? largest : logic;
  const [[name = "", operand] = []] = Object.entries(logic);
  const read = (path: unknown) => placedPath(path, names, [...from, name]);
  if (name === "var") return { var: read(operand) };
  if (name === "not_subject") {
    places.mark([...at, "!"], { path: [...from, name], fixed: true });
    return { "!": { addr_eq: [{ var: read(operand) }, { var: "subject" }] } };
  }
  if (!authorsOperators.includes(name)) throw noOperator(name, [...from, name]);
  const text = (Array.isArray(operand) ? operand : []).find(
    (one) => ordered.has(name) && isArgument(String(isEntry(one) ? "" : one), names),
  );
  if (text !== undefined) throw plainText(String(text), [...from, name]);
  const own = operatorOf(name, operand, names);
  if (own !== name) places.mark([...at, own], { path: [...from, name] });
  return { [own]: saidCondition(operand, names, places, [...at, own], [...from, name]) };
}

/** A path whose mistake stands where it is written. */
function placedPath(path: unknown, names: Names, place: Path): unknown {
  try {
    return valuePath(path, names);
  } catch (error) {
    if (!(error instanceof NameMistake)) throw error;
    throw new NameMistake(error.message, error.suggest, { place: { path: place }, code: "RL401" });
  }
}

const ordered: ReadonlySet<string> = new Set([">", ">=", "<", "<="]);

/** Text is compared with no number. */
function plainText(text: string, path: Path): NameMistake {
  return new NameMistake(`\`${text}\` is plain text here; \`{ var: ${text} }\` reads the argument`, undefined, {
    place: { path },
    code: "RL403",
  });
}

/** Also for the operators of version 2, such as `uint_gt`. */
function noOperator(name: string, path: Path): NameMistake {
  return new NameMistake(`\`${name}\` is no operator`, signOf(name) ?? suggest(name, authorsOperators), {
    place: { path, key: true },
    code: "RL402",
  });
}
