import { type Address, zeroAddress } from "../../../kernel/address.ts";
import { distinct, heaviestFirst } from "../../../kernel/lists.ts";
import type { AssetChange, MatchContext } from "../../../model/match.ts";
import type { Phrase } from "../../../model/phrase.ts";
import { findPayees } from "../../money/payees.ts";
import { balanceChanges } from "../../normalize/balance-changes.ts";
import { joinPhrases, joinWords, trusted } from "../phrase.ts";
import type { Teller } from "../teller/teller.ts";
import type { AssetNames } from "./asset-names.ts";
import { finalReceiversOf, heldParts } from "./final-receivers.ts";

/** A sentence names at most this many assets and counts the rest. */
const assetsMax = 3;
/** A sentence names at most this many receivers and counts the rest. */
const partiesMax = 3;

/** Says what an account gave or got, and who was on the other side. */
export class FlowPhrases {
  readonly #assets: AssetNames;
  readonly #teller: Teller;
  readonly #nameOf: (address: Address) => string;

  constructor(assets: AssetNames, teller: Teller, nameOf: (address: Address) => string) {
    this.#assets = assets;
    this.#teller = teller;
    this.#nameOf = nameOf;
  }

  /**
   * One side of a net flow in words; undefined when it is seen to be empty. With `etherPays`, ether that was given beside tokens is left
   * out: it only paid for the call.
   */
  side(
    { flow, tx }: Pick<MatchContext, "flow" | "tx">,
    side: "gives" | "gets",
    etherPays: boolean | undefined = false,
  ): Phrase | undefined {
    const tokens = etherPays && side === "gives" ? flow.gives.filter(({ token }) => token !== null) : [];
    if (flow[side].length > 0) return this.#list(tokens.length > 0 ? tokens : flow[side], side);
    if (flow.complete) return undefined;
    const unwraps = tx.movements.some((move) => move.basis === "inferred");
    return trusted(this.#teller.words(side === "gets" && unwraps ? "asset.untraced_ether" : "asset.untraced"));
  }

  /** Whom the account gave something to; where it gave nothing, from whom it got something. */
  others(context: Pick<MatchContext, "flow" | "tx">): Phrase | undefined {
    return this.#parties(context, []);
  }

  /** From whom the account got what it got. */
  senders({ flow }: Pick<MatchContext, "flow">): Phrase | undefined {
    return this.#accounts(flow.senders.filter((account) => account !== zeroAddress));
  }

  /**
   * Who had more than half of an asset in the end, and how much. Only ether and listed tokens count. undefined: nobody had more than half,
   * or the only receiver had all of it.
   */
  chief(context: MatchContext): Phrase | undefined {
    const { gives, recipients } = context.flow;
    const only = recipients.length === 1 ? recipients[0] : undefined;
    for (const asset of this.#assets.weightiest(gives)) {
      if (!this.#assets.facts(asset.token).listed) continue;
      for (const [party, part] of heldParts(asset, context))
        if (
          part * 2n > asset.amount &&
          party !== only &&
          (part < asset.amount || (gives.length > 1 && only === undefined))
        )
          return this.#part(asset, part, party);
    }
    return undefined;
  }

  /**
   * How much each receiver got: `1 USDC to bob and 2 USDC to carol`. undefined where only one got something, or more than a sentence names.
   */
  shares(context: MatchContext): Phrase | undefined {
    const { gives } = context.flow;
    const recipients = partiesOf(context);
    if (recipients.length < 2 || recipients.includes(zeroAddress)) return undefined;
    const parts = gives.flatMap((asset) =>
      [...heldParts(asset, context)].map(([party, part]) => ({ asset, party, part })),
    );
    const given = gives.reduce((sum, { amount }) => sum + amount, 0n);
    if (parts.length > partiesMax || parts.reduce((sum, { part }) => sum + part, 0n) !== given) return undefined;
    return joinPhrases(parts.map(({ asset, party, part }) => this.#part(asset, part, party)));
  }

  #part(asset: AssetChange, part: bigint, to: Address): Phrase {
    const amount = this.#assets.asset({ ...asset, amount: part });
    if (to === zeroAddress) return this.#teller.say("value.part_burned", { amount });
    return this.#teller.say("value.part_to", { amount, to: this.#nameOf(to) });
  }

  /** As {@link others}, without the called contract and without the tokens that moved. */
  elsewhere(context: MatchContext): Phrase | undefined {
    const { gives, gets } = context.flow;
    const assets = gives.length > 0 ? gives : gets;
    return this.#parties(context, [context.target, ...assets.map(({ token }) => token)]);
  }

  #parties(context: Pick<MatchContext, "flow" | "tx">, without: readonly (Address | null)[]): Phrase | undefined {
    const plain = new Set([zeroAddress, ...without]);
    const accounts = this.#finalReceivers(partiesOf(context), context);
    return this.#accounts(
      this.#largestFirst(
        accounts.filter((account) => !plain.has(account)),
        context,
      ),
    );
  }

  /** Who got the proceeds instead of the account. Where the proceeds are one asset, also how much the payee had of it in the end. */
  payee({ tx, subject, flow }: MatchContext): Phrase | undefined {
    const given = new Set(flow.gives.map(({ key }) => key));
    const [payee] = findPayees(tx, subject, given);
    const other = payee && this.#accounts([payee]);
    const gets = payee === undefined ? [] : balanceChanges(tx, payee).gets;
    const [asset] = gets;
    if (other === undefined || asset === undefined || gets.length > 1 || given.has(asset.key)) return other;
    return this.#teller.say("value.part_of", { other, amount: this.#assets.asset(asset) });
  }

  #ordered(assets: readonly AssetChange[], side: "gives" | "gets"): readonly AssetChange[] {
    if (side === "gives") return this.#assets.weightiest(assets);
    const isListed = ({ token }: AssetChange) => this.#assets.facts(token).listed;
    return [...assets.filter(isListed), ...assets.filter((asset) => !isListed(asset))];
  }

  /**
   * Names assets up to the limit. Above it, given assets are ordered by weight, and assets that came are ordered with listed tokens first.
   */
  #list(assets: readonly AssetChange[], side: "gives" | "gets"): Phrase {
    const [only] = assets;
    if (only !== undefined && assets.length === 1) return this.#assets.asset(only);
    const ordered = assets.length <= assetsMax ? assets : this.#ordered(assets, side);
    const rest = ordered.slice(assetsMax);
    const groups = [...Map.groupBy(ordered.slice(0, assetsMax), groupOf).values()];
    const [first] = groups.length === 1 ? ordered : [];
    const isOne =
      first !== undefined && groupOf(first) !== first.key && rest.every((one) => groupOf(one) === groupOf(first));
    const shown = groups.map((group) => this.#group(group, isOne ? rest.length : 0));
    this.#assets.tally(rest);
    if (rest.length > 0 && !isOne) shown.push(this.#teller.say("asset.more", { count: rest.length }));
    return joinPhrases(shown);
  }

  /** One asset, or several NFTs of a collection. `more`: how many others of the collection are only counted. */
  #group(group: readonly AssetChange[], more: number): Phrase {
    const [first] = group as readonly [AssetChange];
    if (group.length + more === 1) return this.#assets.asset(first);
    return this.#assets.nfts(
      first.token as Address,
      group.flatMap(({ tokenId }) => tokenId ?? []),
      more,
    );
  }

  /**
   * Orders accounts where not all can be named: whoever has the largest part of the heaviest asset comes first. Those with trifles come
   * later, and last those with tokens that anybody could have made.
   */
  #largestFirst(accounts: readonly Address[], { flow, tx }: Pick<MatchContext, "flow" | "tx">): readonly Address[] {
    if (accounts.length <= partiesMax) return accounts;
    const given = flow.gives.length > 0;
    const places = new Map<Address, number>();
    for (const asset of this.#assets.weightiest(given ? flow.gives : flow.gets)) {
      const weight = this.#assets.weight(asset);
      // An offset to the place. It puts those who got only trifles behind all others, and behind them those who got only a stranger's
      // tokens.
      const first = tx.movements.length * (weight > 1n ? 0 : weight > 0n ? 1 : 2);
      const parts = new Map<Address, bigint>();
      for (const { from, to, amount } of asset.movements.flatMap((index) => tx.movements[index] ?? [])) {
        const party = given ? to : from;
        parts.set(party, (parts.get(party) ?? 0n) + amount);
      }
      const ranked = heaviestFirst([...parts], ([, part]) => part);
      for (const [place, [party]] of ranked.entries())
        places.set(party, Math.min(first + place, places.get(party) ?? Number.POSITIVE_INFINITY));
    }
    const named = [...places].sort(([, a], [, b]) => a - b).map(([account]) => account);
    const among = new Set(accounts);
    return distinct([...named.filter((account) => among.has(account)), ...accounts]);
  }

  #finalReceivers(accounts: readonly Address[], context: Pick<MatchContext, "flow" | "tx">): readonly Address[] {
    return finalReceiversOf(accounts, context, (address) => this.#nameOf(address) !== this.#teller.short(address));
  }

  #accounts(accounts: readonly Address[]): Phrase | undefined {
    if (accounts.length === 0) return undefined;
    const names = accounts.slice(0, partiesMax).map(this.#nameOf);
    const count = accounts.length - names.length;
    return count === 0
      ? trusted(joinWords(names))
      : this.#teller.say("value.and_others", { first: names.join(", "), count });
  }
}

/**
 * The key by which assets are told together: single NFTs of one collection have the same. `:` keeps them apart from a fungible token at the
 * same address.
 */
function groupOf({ key, token, tokenId, amount }: AssetChange): string {
  return tokenId !== null && amount === 1n ? `${token}:` : key;
}

/**
 * Receivers of what an account gave; where it gave nothing, senders of what it got. Left out are those whose movements with the account
 * cancelled out.
 */
function partiesOf({ flow, tx }: Pick<MatchContext, "flow" | "tx">): readonly Address[] {
  const { gives, gets, recipients, senders } = flow;
  const given = gives.length > 0;
  const moves = (given ? gives : gets).flatMap(({ movements }) => movements.map((index) => tx.movements[index]));
  const isParty = (one: Address) => moves.length === 0 || moves.some((move) => one === (given ? move?.to : move?.from));
  return (given ? recipients : senders).filter(isParty);
}
