import type { SourceDocument } from "../../documents/source-document.ts";

type Path = readonly (string | number)[];

export interface Place {
  path: Path;
  /** In the original. */
  inherited?: boolean;
  key?: boolean;
  /** Everything inside the value stands there too. */
  fixed?: boolean;
  /** Characters of the text there; of a sentence, as a change of those in the normal form. */
  inside?: Inside | ((inside: Inside) => Inside);
  /** Where a key of the normal form is a value here. */
  asKey?: Place;
}

export type Inside = Readonly<{ offset: number; length: number }>;

/** Places of values that are not at their own path. */
export class WrittenPlaces {
  readonly #places: Map<string, Place> = new Map();

  /** With everything inside it. */
  mark(path: Path, place: Place): void {
    this.#places.set(path.join("\n"), place);
  }

  /** By the closest marked value around it. */
  placeOf(path: Path): Place {
    for (let length = path.length; length > 0; length--) {
      const place = this.#places.get(path.slice(0, length).join("\n"));
      if (place === undefined) continue;
      const rest = path.slice(length);
      const isFixed = place.key === true || place.fixed === true || typeof place.inside === "object";
      return isFixed ? place : { ...place, path: [...place.path, ...rest] };
    }
    return { path };
  }

  /** Finds places by resolved paths. Copied values are reported at `like`, with the other file as origin. */
  translate(source: SourceDocument, original: SourceDocument | undefined): SourceDocument {
    return {
      ...source,
      rangeOf: (path, options = {}) => {
        const found = this.placeOf(path);
        const place = (options.key === true && found.asKey) || found;
        if (place.inherited === true) return source.rangeOf(["like"]);
        return source.rangeOf(place.path, placedOptions(place, options));
      },
      originOf: (path) => {
        const place = this.placeOf(path);
        if (original === undefined || place.inherited !== true) return undefined;
        return { file: original.file, range: original.rangeOf(place.path), message: "It is taken over from here" };
      },
    };
  }
}

function placedOptions({ key, fixed, inside }: Place, options: RangeOptions): RangeOptions {
  if (key === true) return { ...options, key: true };
  if (fixed === true) return {};
  if (typeof inside === "object") return { inside };
  return inside === undefined || options.inside === undefined
    ? options
    : { ...options, inside: inside(options.inside) };
}

type RangeOptions = NonNullable<Parameters<SourceDocument["rangeOf"]>[1]>;
