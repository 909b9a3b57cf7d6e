import type { SourceDocument } from "../../documents/source-document.ts";

type Path = readonly (string | number)[];

/** Where a value of a resolved file is written down. */
export interface Place {
  path: Path;
  /** The path is one of the file that this one is like. */
  inherited?: boolean;
  /** The key is meant, not its value. */
  key?: boolean;
}

/** Remembers where values of a resolved file are written, if that is not at their own path. */
export class WrittenPlaces {
  readonly #places: Map<string, Place> = new Map();

  /** Notes that the value at `path`, with everything inside it, is written at `place`. */
  mark(path: Path, place: Place): void {
    this.#places.set(path.join("\n"), place);
  }

  /** The written place of a path, from the closest marked value around it; the path itself where none is marked. */
  placeOf(path: Path): Place {
    for (let length = path.length; length > 0; length--) {
      const place = this.#places.get(path.slice(0, length).join("\n"));
      if (place === undefined) continue;
      const rest = path.slice(length);
      return place.key === true ? place : { ...place, path: [...place.path, ...rest] };
    }
    return { path };
  }

  /**
   * The same source, but its places are found by paths of the resolved file. Values that were taken over are reported at `like`, with their
   * place in the other file as the origin.
   */
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
