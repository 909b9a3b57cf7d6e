import type { SourceDocument } from "../../documents/source-document.ts";

type Path = readonly (string | number)[];

/** Where a value of a resolved file is written. */
export interface Place {
  path: Path;
  /** In the file that this one is like. */
  inherited?: boolean;
  /** Its key says it, not its value. */
  key?: boolean;
}

/** Remembers where the values of a resolved file are written, wherever that is not their own path. */
export class Trail {
  readonly #places: Map<string, Place> = new Map();

  /** The value at `path`, with everything in it, is written at `place`. */
  mark(path: Path, place: Place): void {
    this.#places.set(path.join("\n"), place);
  }

  /** The place of the closest value around the path that was marked. */
  placeOf(path: Path): Place {
    for (let length = path.length; length > 0; length--) {
      const place = this.#places.get(path.slice(0, length).join("\n"));
      if (place === undefined) continue;
      const rest = path.slice(length);
      return place.key === true ? place : { ...place, path: [...place.path, ...rest] };
    }
    return { path };
  }

  /** The same source for paths of the resolved file. What is taken over stands at `like`. */
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
