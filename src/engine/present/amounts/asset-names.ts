import type { Address } from "../../../kernel/address.ts";
import { decimalText, groupThousands, readableAmount, sizeOf, unlimitedThreshold } from "../../../kernel/amount.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import { limits } from "../../../kernel/limits.ts";
import { heaviestFirst } from "../../../kernel/lists.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { Labels } from "../../../model/label.ts";
import type { AssetChange } from "../../../model/match.ts";
import type { Phrase } from "../../../model/phrase.ts";
import { type Weigh, weigherOf } from "../../money/weight.ts";
import { cleanText, joinPhrases, joinWords } from "../phrase.ts";
import type { Teller } from "../teller/teller.ts";

export interface TokenFacts {
  /** The symbol to show; null when the contract gave none or it must not be shown. */
  symbol: string | null;
  decimals: number | null;
  /** The token is in the labels; its symbol is ours, not the contract's. */
  listed: boolean;
}

/** A symbol may have letters, digits and the signs that tickers use. It has no blank, so it cannot be a sentence. */
const plainSymbol = /^[$\p{L}\p{N}][\p{L}\p{N}\p{Sc}.+\-_/]{0,23}$/u;

/**
 * What limits how symbols and amounts are shown: symbols of well-known tokens, tokens whose name misleads, and amounts that mean
 * "unlimited".
 */
export interface AssetPolicy {
  /** Symbols of well-known tokens, in lower case. */
  wellKnown: ReadonlySet<string>;
  suspects: ReadonlySet<Address>;
  /** Amounts that mean "unlimited", beside those of half of uint256 and more. */
  unlimited: ReadonlySet<bigint>;
  /** What the supply of a token never exceeds; undefined where that is not known. */
  supplyMax?: (token: Address) => bigint | undefined;
}

/** Assets of one receiver that are named. */
const assetsMax = 3;

/** The number of digits of an allowance, in whole units, from which on it has no limit: no token has 10^24 whole units. */
const noSupply = 24n;

/** With more decimals, an amount in a sentence would be mostly zeros. No token in use has so many. */
const decimalsMax = 36;

/** An amount that was put into words. Base units. */
export interface ToldAmount {
  /** `native`, a token, or `<token>:<id>`. Wrapped ether is `native` too. */
  key: string;
  amount: bigint;
  /** The sentence only counts this asset, and it is worth more than a trifle. */
  counted?: boolean;
}

/** Puts names and amounts of assets into words: listed tokens by their symbol, other tokens by their quoted symbol or by address. */
export class AssetNames {
  readonly #file: CaseFile;
  readonly #labels: Labels;
  readonly #policy: AssetPolicy;
  readonly #teller: Teller;
  readonly #facts = new Map<Address | null, TokenFacts>();
  #told: ToldAmount[] = [];
  /** Made when it is first asked for. */
  #weigh: Weigh | undefined;

  constructor(file: CaseFile, labels: Labels, policy: AssetPolicy, teller: Teller) {
    this.#file = file;
    this.#labels = labels;
    this.#policy = policy;
    this.#teller = teller;
  }

  /** Starts a new list. Each amount that is put into words from now on is added to it. */
  record(): readonly ToldAmount[] {
    this.#told = [];
    return this.#told;
  }

  /** How many amounts the list holds now. {@link rewind} goes back to it. */
  mark(): number {
    return this.#told.length;
  }

  /** Forgets the amounts that were put into words since a mark, because that text is not used. */
  rewind(mark: number): void {
    this.#told.length = mark;
  }

  /** Notes assets that a sentence counts without naming them. */
  tally(assets: readonly AssetChange[]): void {
    for (const asset of assets) {
      const told = { key: asset.key, amount: asset.amount };
      this.#told.push(this.weight(asset) > 1n ? { ...told, counted: true } : told);
    }
  }

  /** How much an asset counts beside others, see {@link Weigh}. */
  weight(asset: Pick<AssetChange, "token" | "amount">): bigint {
    this.#weigh ??= weigherOf(this.#file, this.#labels);
    return this.#weigh(asset);
  }

  /** Orders assets by weight, the heaviest first, so that neither dust nor a stranger's tokens push other assets out. */
  weightiest(assets: readonly AssetChange[]): AssetChange[] {
    return heaviestFirst(assets, (asset) => this.weight(asset));
  }

  /** Assets by name. Above the limit, the heaviest are named and the others are counted. */
  list(assets: readonly AssetChange[]): Phrase {
    const ordered = assets.length <= assetsMax ? assets : this.weightiest(assets);
    const rest = ordered.slice(assetsMax);
    const told = ordered.slice(0, assetsMax).map((asset) => this.asset(asset));
    this.tally(rest);
    return joinPhrases(rest.length === 0 ? told : [...told, this.#teller.say("asset.more", { count: rest.length })]);
  }

  /** Facts of a token contract; null is native ether. */
  facts(token: Address | null): TokenFacts {
    const known = this.#facts.get(token);
    if (known !== undefined) return known;
    const found = this.#read(token);
    this.#facts.set(token, found);
    return found;
  }

  #read(token: Address | null): TokenFacts {
    if (token === null) return { ...chain.currency, listed: true };
    const label = this.#labels.token(token);
    if (label !== undefined) return { symbol: label.symbol, decimals: label.decimals, listed: true };
    const found = this.#file.tokens[token];
    return {
      symbol: cleanText(found?.symbol ?? null, limits.symbolCharsMax),
      decimals: found?.decimals ?? this.#labels.decimals(token) ?? null,
      listed: false,
    };
  }

  /** `USDC`, `"FOO" (0x1234…abcd)` for a stranger's plain symbol, else `token 0x1234…abcd`. */
  name(token: Address | null): Phrase {
    const facts = this.facts(token);
    if (facts.listed) return { text: facts.symbol ?? "", untrusted: false };
    return this.#isShown(token as Address, facts)
      ? { text: `"${facts.symbol}" (${this.#teller.short(token as Address)})`, untrusted: true }
      : this.#teller.say("asset.token", { token: token as Address });
  }

  /** Whether a stranger's symbol may stand in a sentence, quoted. */
  #isShown(token: Address, { symbol }: TokenFacts): boolean {
    if (symbol === null || !plainSymbol.test(symbol) || symbol !== symbol.normalize("NFKC")) return false;
    const { wellKnown, suspects } = this.#policy;
    return !suspects.has(token) && !wellKnown.has(symbol.toLowerCase());
  }

  /** An allowance in words: as {@link amount}, but `unlimited USDC` for numbers that mean unlimited. */
  allowance(token: Address | null, units: bigint): Phrase {
    const { decimals } = this.facts(token);
    const isMore = decimals !== null && units >= 10n ** (BigInt(decimals) + noSupply);
    return isMore || this.isUnlimited(token, units) ? this.unlimited(token) : this.amount(token, units);
  }

  /** Whether an allowance of this size is unlimited. */
  isUnlimited(token: Address | null, units: bigint): boolean {
    if (units >= unlimitedThreshold || this.#policy.unlimited.has(units)) return true;
    const most = token === null ? undefined : this.#policy.supplyMax?.(token);
    return most !== undefined && units >= most;
  }

  unlimited(token: Address | null): Phrase {
    return this.#teller.say("asset.unlimited", { asset: this.name(token) });
  }

  /** The address of a token in the short form of sentences. */
  short(token: Address): string {
    return this.#teller.short(token);
  }

  /** `1,250.5 USDC`. Where the decimals are unknown or too many, the raw integer, marked as raw. */
  amount(token: Address | null, units: bigint): Phrase {
    const asset = this.name(token);
    const { decimals } = this.facts(token);
    const size = sizeOf(units);
    this.#told.push({ key: token ?? "native", amount: size });
    if (decimals === null || decimals > decimalsMax) {
      const amount = groupThousands(size.toString());
      return this.#teller.say("asset.raw", { count: Number(size), amount, asset });
    }
    return { text: `${readableAmount(size, decimals)} ${asset.text}`, untrusted: asset.untrusted };
  }

  /** `"NAME" #12 (0x1234…abcd)`, `3 × NFT #12 of 0x1234…abcd`. */
  nft(token: Address, id: bigint, count: bigint): Phrase {
    return times(count, this.#numbered(token, [this.#number(token, id, count)]));
  }

  /** Several NFTs of one collection: `"NAME" #12, #13 and #14 (0x1234…abcd)`, `NFTs #12, #13 and 5 more of 0x1234…abcd`. */
  nfts(token: Address, ids: readonly bigint[], more: number): Phrase {
    const numbers = ids.map((id) => this.#number(token, id, 1n));
    if (more > 0) numbers.push(this.#teller.say("value.more", { count: more }).text);
    return this.#numbered(token, numbers);
  }

  #number(token: Address, id: bigint, count: bigint): string {
    this.#told.push({ key: `${token}:${id}`, amount: count });
    const digits = id.toString();
    return digits.length > 12 ? `#${digits.slice(0, 6)}…${digits.slice(-4)}` : `#${digits}`;
  }

  #numbered(token: Address, numbers: readonly string[]): Phrase {
    const shown = joinWords(numbers);
    const label = this.#labels.name(token)?.label;
    const facts = this.facts(token);
    const isShown = label === undefined && !facts.listed && this.#isShown(token, facts);
    const text =
      label !== undefined || facts.listed
        ? `${label ?? facts.symbol} ${shown}`
        : isShown
          ? `"${facts.symbol}" ${shown} (${this.#teller.short(token)})`
          : this.#teller.say("asset.nft", { count: numbers.length, id: shown, collection: token }).text;
    return { text, untrusted: isShown };
  }

  /** One asset of a net flow, with its amount. */
  asset(asset: AssetChange): Phrase {
    if (asset.kind !== "nft") return this.amount(asset.token, asset.amount);
    const token = asset.token as Address;
    if (asset.tokenId !== null) return this.nft(token, asset.tokenId, asset.amount);
    const collection = this.#labels.name(token)?.label ?? this.#teller.short(token);
    return times(asset.amount, this.#teller.say("asset.any_nft", { collection }));
  }

  /** Exact decimal text for `assets_moved`; raw when decimals are unknown. */
  exact(token: Address | null, units: bigint): string {
    return decimalText(units, this.facts(token).decimals ?? 0);
  }
}

/** `3 × NFT #12 of 0x1234…abcd`; one alone as it is. */
function times(count: bigint, { text, untrusted }: Phrase): Phrase {
  return { text: count > 1n ? `${groupThousands(count.toString())} × ${text}` : text, untrusted };
}
