import prototypes from "unhomoglyph/data.json" with { type: "json" };

/**
 * Skeleton of UTS #39, "Confusable Detection": texts with equal skeletons look alike. Invisible characters are dropped, every
 * character is replaced by its prototype (confusables.txt), between two NFD normalizations. For comparing only, not for display.
 */
export function skeleton(text: string): string {
  let out = "";
  for (const char of text.normalize("NFD").replace(invisible, "")) out += table[char] ?? char;
  return out.normalize("NFD");
}

/** Keys under which lookalikes of a symbol or name meet: letter case, forms, marks and invisible characters do not count. */
export function lookalikeKeys(text: string): string[] {
  const plain = text.normalize("NFKD").replace(unseen, "").normalize("NFKC").trim();
  // Folding first keeps what differs in case only together; folding last keeps `I` and `l` together. Neither does both.
  return [...new Set([skeleton(foldCase(plain)), foldCase(skeleton(plain))])];
}

/** Case folding: upper case first, so that `ß` and `ss`, `ſ` and `s` fall together. */
export function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase();
}

const table: Readonly<Record<string, string>> = prototypes;
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** The same, and marks that can be put on any letter. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Me}[\p{Mn}&&\p{Script=Inherited}]]/gv;
