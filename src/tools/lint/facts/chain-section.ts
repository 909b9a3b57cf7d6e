import { type FileTrail, wordsOf } from "./trail.ts";

/** A chain with one of the names by which files call it. */
export interface NamedChain {
  id: number;
  name: string;
}

/** Words beside a chain's name that do not belong to the name. */
const filler = /^(?:chain|chains|chainid|id|ids|network|networks|mainnet|main|net|evm|eip155|case|const|export)$/;

/** Finds out in which chain's section of a file an address stands. */
export class ChainSections {
  readonly #own: ReadonlySet<string>;
  /** Chains whose names contain the name of ours, such as its test networks. */
  readonly #siblings: readonly { name: string; words: readonly string[] }[];
  /** Other chains, by id and by name without blanks and {@link filler} words. */
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

  /**
   * Looks for the first text of the trail that names a chain. `own`: it names ours; else the other chain's name; undefined where no text
   * names one.
   */
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

/**
 * Parts of a line that may be a chain's name: its beginning up to a colon or bracket, values behind `chain` or `network`, and quoted texts.
 */
function candidatesOf(text: string): string[] {
  const head = /^[^:={(]*/.exec(text)?.[0] ?? "";
  const stated = [...text.matchAll(/(?:chain|network)[\w"']*\s*[:=]\s*["']?([\w -]+)/gi)].map(([, name]) => name ?? "");
  const quoted = [...text.matchAll(/["'`]([A-Za-z][\w -]*)["'`]/g)].map(([, name]) => name ?? "");
  return [head, ...stated, ...quoted].map((name) => bare(wordsOf(name))).filter((name) => name !== "");
}

function bare(words: readonly string[]): string {
  return words.filter((word) => !filler.test(word)).join("");
}
