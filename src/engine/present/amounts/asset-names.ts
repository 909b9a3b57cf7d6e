import type { Address } from "../../../kernel/address.ts";
import {
  decimalText,
  groupThousands,
  isSpeckOf,
  readableAmount,
  readableInteger,
  sizeOf,
  unlimitedThreshold,
} from "../../../kernel/amount.ts";
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
  /** null: none, or not to be shown. */
  symbol: string | null;
  decimals: number | null;
  /** By labels; the symbol is ours. */
  listed: boolean;
}

/** Without a blank, so never a sentence. */
const plainSymbol = /^[$\p{L}\p{N}][\p{L}\p{N}\p{Sc}.+\-_/]{0,23}$/u;

/** Limits what symbols and amounts show. */
export interface AssetPolicy {
  /** Lower case. */
  wellKnown: ReadonlySet<string>;
  suspects: ReadonlySet<Address>;
  /** Beside those from half of uint256. */
  unlimited: ReadonlySet<bigint>;
  /** undefined: unknown. */
  supplyMax?: (token: Address) => bigint | undefined;
}

/** Named assets of one receiver. */
const assetsMax = 3;

/** Digits of an allowance in whole units from which it has no limit: no token has so many units. */
const noSupply = 24n;

/** More would show mostly zeros; no used token has them. */
const decimalsMax = 36;

/** Stated in words; base units. */
export interface ToldAmount {
  /** `native` (wrapped ether too), a token, or `<token>:<id>`. */
  key: string;
  amount: bigint;
  /** Only counted, and above a trifle. */
  counted?: boolean;
}

/** Listed tokens by symbol, others by quoted symbol or address. */
export class AssetNames {
  readonly #file: CaseFile;
  readonly #labels: Labels;
  readonly #policy: AssetPolicy;
  readonly #teller: Teller;
  readonly #facts = new Map<Address | null, TokenFacts>();
  #told: ToldAmount[] = [];
  #weigh: Weigh | undefined;

  constructor(file: CaseFile, labels: Labels, policy: AssetPolicy, teller: Teller) {
    this.#file = file;
    this.#labels = labels;
    this.#policy = policy;
    this.#teller = teller;
  }

  /** Starts a list of amounts stated from now on. */
  record(): readonly ToldAmount[] {
    this.#told = [];
    return this.#told;
  }

  /** Position for {@link rewind}. */
  mark(): number {
    return this.#told.length;
  }

  /** The text since the mark is not used. */
  rewind(mark: number): void {
    this.#told.length = mark;
  }

  /** Assets that a sentence counts without a name. */
  tally(assets: readonly AssetChange[]): void {
    for (const asset of assets) {
      const told = { key: asset.key, amount: asset.amount };
      this.#told.push(this.weight(asset) > 1n ? { ...told, counted: true } : told);
    }
  }

  /** See {@link Weigh}. */
  weight(asset: Pick<AssetChange, "token" | "amount">): bigint {
    this.#weigh ??= weigherOf(this.#file, this.#labels);
    return this.#weigh(asset);
  }

  /** The heaviest first: neither dust nor strangers' tokens push others out. */
  weightiest(assets: readonly AssetChange[]): AssetChange[] {
    return heaviestFirst(assets, (asset) => this.weight(asset));
  }

  /** Above the limit the heaviest, others counted. */
  list(assets: readonly AssetChange[]): Phrase {
    const ordered = assets.length <= assetsMax ? assets : this.weightiest(assets);
    const rest = ordered.slice(assetsMax);
    const told = ordered.slice(0, assetsMax).map((asset) => this.asset(asset));
    this.tally(rest);
    return joinPhrases(rest.length === 0 ? told : [...told, this.#teller.say("asset.more", { count: rest.length })]);
  }

  /** null: native ether. */
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

  /** Quoted, in a sentence. */
  #isShown(token: Address, { symbol }: TokenFacts): boolean {
    if (symbol === null || !plainSymbol.test(symbol) || symbol !== symbol.normalize("NFKC")) return false;
    const { wellKnown, suspects } = this.#policy;
    return !suspects.has(token) && !wellKnown.has(symbol.toLowerCase());
  }

  /** {@link amount}, but `unlimited USDC`. */
  allowance(token: Address | null, units: bigint): Phrase {
    const { decimals } = this.facts(token);
    const isMore = decimals !== null && units >= 10n ** (BigInt(decimals) + noSupply);
    return isMore || this.isUnlimited(token, units) ? this.unlimited(token) : this.amount(token, units);
  }

  isUnlimited(token: Address | null, units: bigint): boolean {
    if (units >= unlimitedThreshold || this.#policy.unlimited.has(units)) return true;
    const most = token === null ? undefined : this.#policy.supplyMax?.(token);
    return most !== undefined && units >= most;
  }

  unlimited(token: Address | null): Phrase {
    return this.#teller.say("asset.unlimited", { asset: this.name(token) });
  }

  /** As in sentences. */
  short(token: Address): string {
    return this.#teller.short(token);
  }

  /** `1,250.5 USDC`, `5,660 wei of ETH`; without usable decimals the raw integer, marked. */
  amount(token: Address | null, units: bigint): Phrase {
    const asset = this.name(token);
    const { decimals, listed } = this.facts(token);
    const size = sizeOf(units);
    this.#told.push({ key: token ?? "native", amount: size });
    if (decimals === null || decimals > decimalsMax) {
      return this.#teller.say("asset.raw", { count: Number(size), amount: readableInteger(size), asset });
    }
    // Whoever knows the token knows its decimals.
    if ((token === null || !listed) && isSpeckOf(size, decimals)) {
      const says = token === null ? "asset.wei" : "asset.base";
      return this.#teller.say(says, { count: Number(size), amount: readableInteger(size), asset });
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

  /** Of a net flow. */
  asset(asset: AssetChange): Phrase {
    if (asset.kind !== "nft") return this.amount(asset.token, asset.amount);
    const token = asset.token as Address;
    if (asset.tokenId !== null) return this.nft(token, asset.tokenId, asset.amount);
    const collection = this.#labels.name(token)?.label ?? this.#teller.short(token);
    return times(asset.amount, this.#teller.say("asset.any_nft", { collection }));
  }

  /** For `assets_moved`; raw without decimals. */
  exact(token: Address | null, units: bigint): string {
    return decimalText(units, this.facts(token).decimals ?? 0);
  }
}

/** `3 × NFT #12 of 0x1234…abcd`; one as it is. */
function times(count: bigint, { text, untrusted }: Phrase): Phrase {
  return { text: count > 1n ? `${groupThousands(count.toString())} × ${text}` : text, untrusted };
}
