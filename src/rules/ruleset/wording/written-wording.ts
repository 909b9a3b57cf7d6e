import type { PhraseForms, PhraseParts, Wording } from "./wording.ts";

/** A form that JSON can hold. */
export interface WrittenWording {
  /** Both forms only where they differ. */
  phrases: Readonly<Record<string, PhraseParts | PhraseForms>>;
  /** Solidity's panic codes. */
  panics: Readonly<Record<string, string>>;
}

export function writeWording({ phrases, panics }: Wording): WrittenWording {
  const written = Object.entries(phrases).map(([id, forms]) => [id, forms.one === forms.other ? forms.one : forms]);
  return { phrases: Object.fromEntries(written), panics: Object.fromEntries(panics) };
}

export function readWording({ phrases, panics }: WrittenWording): Wording {
  const read = Object.entries(phrases).map(([id, forms]) => [
    id,
    "one" in forms ? forms : { one: forms, other: forms },
  ]);
  return {
    phrases: Object.fromEntries(read),
    panics: new Map(Object.entries(panics).map(([code, words]) => [BigInt(code), words])),
  };
}
