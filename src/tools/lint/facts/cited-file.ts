import type { Address } from "../../../kernel/address.ts";
import type { Citation } from "../../../rules/documents/citation.ts";
import type { ChainSections } from "./chain-section.ts";
import type { CitedFact } from "./cited-fact.ts";
import { type GitClone, openClone } from "./git-clone.ts";
import { type FileTrail, findTrails, names } from "./trail.ts";
import { absent, found, moved, uncheckable, type Verdict } from "./verdict.ts";

export type CitedFile = Extract<Citation, { kind: "repository" }>;

/** Files in local clones, each opened once. */
export class CitedFiles {
  readonly #dir: string;
  readonly #chains: ChainSections;
  readonly #open: typeof openClone;
  readonly #clones: Map<string, GitClone | undefined> = new Map();
  readonly #files: Map<string, ReadonlyMap<string, readonly FileTrail[]> | Verdict> = new Map();

  /** `dir`: of the clones. */
  constructor(dir: string, chains: ChainSections, open: typeof openClone = openClone) {
    this.#dir = dir;
    this.#chains = chains;
    this.#open = open;
  }

  /**
   * The file has the address in our chain's section, beside every part of the key, with the same decimals if any. Wallets of exchanges may
   * be in any section; for a list the file must exist; for signatures it must contain the names of the key, or all of the `abi`.
   */
  check(citation: CitedFile, fact: CitedFact): Verdict {
    const { address, kind, role, decimals } = fact;
    const { repository, commit, path, key } = citation;
    const clone = this.#clone(repository);
    if (clone === undefined) return uncheckable(`no clone of ${repository}`);
    const whole = clone.resolve(commit);
    if (whole === undefined) return uncheckable(`the clone of ${repository} has no commit ${commit}`);
    if (fact.words !== undefined) return findWords(clone.read(whole, path), path, key.length > 0 ? key : fact.words);
    const file = this.#file(clone, whole, citation);
    if ("status" in file) return file;
    if (address === null) return file.size > 0 || clone.read(whole, path) !== undefined ? found : absent(`no ${path}`);
    const trails = file.get(address.toLowerCase()) ?? [];
    if (trails.length === 0) return this.#elsewhere(clone, whole, address);
    const keyed = trails.filter((trail) => key.every((part) => names(trail, part)));
    if (keyed.length === 0) return absent(`${path} holds it, but not beside ${key.join("/")}`);
    const everywhere = kind === "name" && role === "exchange";
    const sections = keyed.map((trail) =>
      everywhere || this.#isInOwnSection(trail, key) ? "own" : this.#chains.of(trail),
    );
    const ours = keyed.filter((_, i) => sections[i] === "own" || sections[i] === undefined);
    if (ours.length === 0) return absent(`${path} lists it for ${sections[0]}`);
    const told = ours.map((trail) => /\bdecimals=(\d+)/.exec(trail.slice(0, 3).join(" "))?.[1]);
    if (decimals === undefined || told.some((one) => one === undefined || Number(one) === decimals)) return found;
    return absent(`${path} says that it has ${told[0]} decimals`);
  }

  /** The outermost section is ours; inside may be names of connected chains. */
  #isInOwnSection(trail: FileTrail, key: readonly string[]): boolean {
    return key.some((part) => this.#chains.of([part]) === "own") && this.#chains.of(trail.toReversed()) === "own";
  }

  #clone(repository: string): GitClone | undefined {
    if (!this.#clones.has(repository)) this.#clones.set(repository, this.#open(this.#dir, repository));
    return this.#clones.get(repository);
  }

  #file(clone: GitClone, commit: string, { repository, path }: CitedFile) {
    const name = `${repository}@${commit}:${path}`;
    let file = this.#files.get(name);
    if (file === undefined) {
      const text = clone.read(commit, path);
      if (text === "unread") file = uncheckable(`the clone of ${repository} lacks the content of ${path}`);
      else file = text === undefined ? new Map() : findTrails(text, path);
      this.#files.set(name, file);
    }
    return file;
  }

  /** At the cited commit, then in the newest one. */
  #elsewhere(clone: GitClone, commit: string, address: Address): Verdict {
    for (const at of [commit, clone.resolve("HEAD")]) {
      const [holder] = at === undefined ? [] : clone.holders(at, address);
      if (holder !== undefined) return moved(at === commit ? `it is in ${holder}` : `by now it is in ${holder}`);
    }
    return absent("no file of the repository holds it");
  }
}

/** Words of source code or of an ABI. */
function findWords(text: string | undefined, path: string, words: readonly string[]): Verdict {
  if (text === undefined) return absent(`no ${path}`);
  if (text === "unread") return uncheckable(`the clone lacks the content of ${path}`);
  const held = new Set(text.match(/\w+/g));
  const missing = words.filter((word) => !held.has(word));
  return missing.length === 0 ? found : absent(`${path} does not name ${missing.join(", ")}`);
}
