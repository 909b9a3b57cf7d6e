import type { Reporter } from "../../../documents/reporter.ts";
import type { Place, WrittenPlaces } from "../written-places.ts";
import type { SaidEntry } from "./entry.ts";
import { NameMistake } from "./name-mistake.ts";

type Path = readonly (string | number)[];

/** A part of the normal form while it is made. It notes where the author says each field. */
export class NormalDraft {
  readonly entry: SaidEntry = {};
  readonly at: Path;
  readonly places: WrittenPlaces;
  readonly reporter: Reporter | undefined;
  /** A part could not be made; it is reported. */
  mistaken = false;

  constructor(at: Path, places: WrittenPlaces, reporter: Reporter | undefined) {
    this.at = at;
    this.places = places;
    this.reporter = reporter;
  }

  /** Makes a field that the author says at `from`. `code`: of a mistake. */
  put(field: string, from: Place, make: (at: Path, from: Place) => unknown, code = "RL303"): void {
    const at = [...this.at, field];
    this.places.mark(at, from);
    const made = this.attempt(from, () => make(at, from), code);
    if (made !== undefined) this.entry[field] = made;
  }

  /** A mistake is reported at the place. */
  attempt<T>(from: Place, make: () => T, code = "RL303"): T | undefined {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof NameMistake)) throw error;
      this.report(error.place ?? from, error.message, { code: error.code ?? code, suggest: error.suggest });
      return undefined;
    }
  }

  report(
    { path, key, inside }: Place,
    message: string,
    { code = "RL303", suggest }: { code?: string; suggest?: string | undefined } = {},
  ): void {
    this.mistaken = true;
    this.reporter?.report(code, path, message, {
      ...(key && { key }),
      ...(typeof inside === "object" && { inside }),
      ...(suggest !== undefined && { suggest }),
    });
  }
}
