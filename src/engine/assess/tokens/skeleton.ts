/** How texts look (confusables.txt of UTS #39). */
export interface Skeletons {
  /**
   * UTS #39, "Confusable Detection": equal skeletons look alike. Invisible characters go, others become their prototype, between two NFD
   * normalizations. Not for display.
   */
  skeleton(text: string): string;
  /** Shared by lookalikes: case, width, marks and invisible characters make no difference. */
  lookalikeKeys(text: string): string[];
}

/** `prototypes`: without an entry a character looks like itself only. */
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
      // Folding first joins what differs in case; folding last joins `I` and `l`. Neither does both.
      return [...new Set([foldCase(plain), plain, plain.toUpperCase()].map(bare))];
    },
  };
}

/** Upper case first: `ß` = `ss`, `ſ` = `s`. */
export function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase();
}

/** One form only, nothing invisible. */
const ascii = /^[\x20-\x7e]*$/;
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** Also marks that fit any letter. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Me}[\p{Mn}&&\p{Script=Inherited}]]/gv;
