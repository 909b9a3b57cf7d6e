import type { WrittenPlaces } from "../written-places.ts";
import { isEntry } from "./entry.ts";
import { NameMistake } from "./name-mistake.ts";
import { isArgument, type Names, valuePath } from "./names.ts";

type Path = readonly (string | number)[];

const largest = (2n ** 256n - 1n).toString();

/** A condition of the normal form. `at`: its place there; `from`: its place in the author's text. Throws NameMistake. */
export function saidCondition(logic: unknown, names: Names, places: WrittenPlaces, at: Path, from: Path): unknown {
  if (Array.isArray(logic)) return logic.map((one, i) => saidCondition(one, names, places, [...at, i], [...from, i]));
  if (!isEntry(logic)) return logic === "max" ? largest : logic;
  const [[name = "", operand] = [], ...others] = Object.entries(logic);
  // The compiler refuses more than one operator; here none is left out.
  if (others.length > 0) return logic;
  const read = (path: unknown) => placedPath(path, names, [...from, name]);
  if (name === "var") return { var: read(operand) };
  if (name === "not_subject") {
    places.mark([...at, "!"], { path: [...from, name], fixed: true });
    return { "!": { "==": [{ var: read(operand) }, { var: "subject" }] } };
  }
  const text = (ordered.has(name) && Array.isArray(operand) ? operand : []).find(
    (one) => typeof one === "string" && isArgument(one, names),
  );
  if (text !== undefined) throw plainText(text, [...from, name]);
  return { [name]: saidCondition(operand, names, places, [...at, name], [...from, name]) };
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
