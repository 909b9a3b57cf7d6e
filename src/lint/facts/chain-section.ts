import { type FileTrail, wordsOf } from "./trail.ts";

/** A chain as files of others name it. */
export interface NamedChain {
  id: number;
  name: string;
}

/** Words around a chain's name that say nothing of their own. */
const filler = /^(?:chain|chains|chainid|id|ids|network|networks|mainnet|main|net|evm|eip155|case|const|export)$/;

/** Tells in which chain's section of a file an address stands. */
export class ChainSections {
  readonly #own: ReadonlySet<string>;
  /** Chains whose names contain ours, such as its test networks. */
  readonly #siblings: readonly { name: string; words: readonly string[] }[];
  /** Other chains by name without blanks and fillers, and by id. */
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

  /** `own` where the first text of the trail that names a chain names ours, else the other's name; undefined where none does. */
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

/** What may be a chain's name on a line: its beginning up to a colon or the like, and whatever stands in quotes. */
function candidatesOf(text: string): string[] {
  const head = /^[^:={(]*/.exec(text)?.[0] ?? "";
  const stated = [...text.matchAll(/(?:chain|network)[\w"']*\s*[:=]\s*["']?([\w -]+)/gi)].map(([, name]) => name ?? "");
  const quoted = [...text.matchAll(/["'`]([A-Za-z][\w -]*)["'`]/g)].map(([, name]) => name ?? "");
  return [head, ...stated, ...quoted].map((name) => bare(wordsOf(name))).filter((name) => name !== "");
}

function bare(words: readonly string[]): string {
  return words.filter((word) => !filler.test(word)).join("");
}
