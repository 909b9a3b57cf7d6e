import type { Place } from "../written-places.ts";

/** A name that cannot be read. No `Error`: attempts try many names, and recording stacks takes long. */
export class NameMistake {
  readonly message: string;
  readonly suggest: string | undefined;
  /** Where the name stands, and the code, if these are not those of the field. */
  readonly place: Place | undefined;
  readonly code: string | undefined;

  constructor(message: string, suggest?: string, { place, code }: { place?: Place; code?: string } = {}) {
    this.message = message;
    this.suggest = suggest;
    this.place = place;
    this.code = code;
  }
}

/** Undefined where a name cannot be read. */
export function unlessMistaken<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof NameMistake) return undefined;
    throw error;
  }
}
