import type { SourceDocument } from "../../documents/source-document.ts";

type Path = readonly (string | number)[];

export interface Place {
  path: Path;
  /** In the original. */
  inherited?: boolean;
  key?: boolean;
}

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
      return place.key === true ? place : { ...place, path: [...place.path, ...rest] };
    }
    return { path };
  }

  /** Finds places by resolved paths. Copied values are reported at `like`, with the other file as origin. */
  translate(source: SourceDocument, original: SourceDocument | undefined): SourceDocument {
    return {
      ...source,
      rangeOf: (path, options = {}) => {
        const place = this.placeOf(path);
        if (place.inherited === true) return source.rangeOf(["like"]);
        return source.rangeOf(place.path, place.key === true ? { ...options, key: true } : options);
      },
      originOf: (path) => {
        const place = this.placeOf(path);
        if (original === undefined || place.inherited !== true) return undefined;
        return { file: original.file, range: original.rangeOf(place.path), message: "It is taken over from here" };
      },
    };
  }
}
