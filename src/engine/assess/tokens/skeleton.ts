/** Compares how texts look, by the prototype of each character (confusables.txt of UTS #39). */
export interface Skeletons {
  /**
   * Skeleton of UTS #39, "Confusable Detection": texts with equal skeletons look alike. Invisible characters are dropped and every
   * character is replaced by its prototype, between two NFD normalizations. For comparing only, not for display.
   */
  skeleton(text: string): string;
  /** Keys that lookalikes of a symbol or name share: letter case, width forms, marks and invisible characters make no difference. */
  lookalikeKeys(text: string): string[];
}

/** `prototypes`: by character, the one that it looks like. A character without an entry only looks like itself. */
export function createSkeletons(prototypes: Readonly<Record<string, string>>): Skeletons {
  function skeleton(text: string): string {
    let out = "";
    const decomposed = ascii.test(text) ? text : text.normalize("NFD").replace(invisible, "");
    for (const char of decomposed) out += prototypes[char] ?? char;
    return ascii.test(out) ? out : out.normalize("NFD");
  }

  return {
    skeleton,
    lookalikeKeys(text) {
      const plain = text.normalize("NFKD").replace(unseen, "").normalize("NFKC").trim();
      const bare = (one: string) => foldCase(skeleton(one).replace(unseen, ""));
      // Folding first keeps what differs in case only together; folding last keeps `I` and `l` together. Neither does both.
      return [...new Set([foldCase(plain), plain, plain.toUpperCase()].map(bare))];
    },
  };
}

/** Folds letter case. Upper case first, so that `ß` and `ss`, and `ſ` and `s`, become equal. */
export function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase();
}

/** Printable ASCII: it has one form only and nothing invisible. */
const ascii = /^[\x20-\x7e]*$/;
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** Invisible characters, and marks that can be put on any letter. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Me}[\p{Mn}&&\p{Script=Inherited}]]/gv;
