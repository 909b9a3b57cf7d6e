import { type FileTrail, wordsOf } from "./trail.ts";

/** A chain by one of its names. */
export interface NamedChain {
  id: number;
  name: string;
}

/** Words that are not part of a chain's name. */
const filler = /^(?:chain|chains|chainid|id|ids|network|networks|mainnet|main|net|evm|eip155|case|const|export)$/;

/** Finds in which chain's section of a file an address is. */
export class ChainSections {
  readonly #own: ReadonlySet<string>;
  /** Such as our test networks: their names contain ours. */
  readonly #siblings: readonly { name: string; words: readonly string[] }[];
  /** By id, and by name without blanks and {@link filler} words. */
  readonly #others: ReadonlyMap<string, string>;

  constructor(own: NamedChain, others: readonly NamedChain[]) {
    const word = own.name.toLowerCase();
    this.#own = new Set([word, `${word}mainnet`, `${word}scan`, String(own.id), `0x${own.id.toString(16)}`]);
    const named = others.map(({ name }) => ({ name, words: wordsOf(name) }));
    this.#siblings = named.filter(({ words }) => words.length > 1 && words.includes(word));
    this.#others = new Map([
      ...others.map(({ id, name }) => [String(id), name] as const),
      ...named.map(({ name, words }) => [bare(words), name] as const),
    ]);
  }

  /** By the first text that names a chain: `own`, or the other chain's name. */
  of(trail: FileTrail): "own" | string | undefined {
    for (const text of trail) {
      const words = wordsOf(text);
      const sibling = this.#siblings.find((one) => one.words.every((word) => words.includes(word)));
      if (sibling !== undefined) return sibling.name;
      if (words.some((word) => this.#own.has(word))) return "own";
      const other = candidatesOf(text).find((name) => this.#others.has(name));
      if (other !== undefined) return this.#others.get(other);
    }
    return undefined;
  }
}

/** A line up to a colon or bracket, values behind `chain` or `network`, and quoted texts. */
function candidatesOf(text: string): string[] {
  const head = /^[^:={(]*/.exec(text)?.[0] ?? "";
  const stated = [...text.matchAll(/(?:chain|network)[\w"']*\s*[:=]\s*["']?([\w -]+)/gi)].map(([, name]) => name ?? "");
  const quoted = [...text.matchAll(/["'`]([A-Za-z][\w -]*)["'`]/g)].map(([, name]) => name ?? "");
  return [head, ...stated, ...quoted].map((name) => bare(wordsOf(name))).filter((name) => name !== "");
}

function bare(words: readonly string[]): string {
  return words.filter((word) => !filler.test(word)).join("");
}
