import type { PhraseForms, PhraseParts, Wording } from "./wording.ts";

/** A resolved wording in a form that JSON can hold. */
export interface WrittenWording {
  /** The parts of each phrase; both forms only where they differ. */
  phrases: Readonly<Record<string, PhraseParts | PhraseForms>>;
  /** Words for Solidity's panic codes, by number. */
  panics: Readonly<Record<string, string>>;
}

/** Converts a resolved wording to the form that JSON can hold. */
export function writeWording({ phrases, panics }: Wording): WrittenWording {
  const written = Object.entries(phrases).map(([id, forms]) => [id, forms.one === forms.other ? forms.one : forms]);
  return { phrases: Object.fromEntries(written), panics: Object.fromEntries(panics) };
}

/** Converts the written form back to a wording. */
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
