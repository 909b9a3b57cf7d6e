import { type Address, zeroAddress } from "../../../kernel/address.ts";
import { distinct, heaviestFirst } from "../../../kernel/lists.ts";
import type { AssetChange, MatchContext } from "../../../model/match.ts";
import type { Phrase } from "../../../model/phrase.ts";
import type { Transaction } from "../../../model/transaction.ts";
import { findPayees } from "../../money/payees.ts";
import { trailOf } from "../../money/trail.ts";
import { balanceChanges } from "../../normalize/balance-changes.ts";
import { joinPhrases, joinWords, trusted } from "../phrase.ts";
import type { Teller } from "../teller/teller.ts";
import type { AssetNames } from "./asset-names.ts";

/** A sentence names no more. */
const receiversMax = 3;

/**
 * A receiver that passed all on to one account gives way to it. Not to an account that gave something (perhaps a buyer), where the account
 * got something back or the receiver is known.
 */
export function finalReceiversOf(
  receivers: readonly Address[],
  { flow, tx }: Pick<MatchContext, "flow" | "tx">,
  isKnown: (address: Address) => boolean,
): readonly Address[] {
  if (flow.gives.length === 0 || receivers.length > receiversMax) return receivers;
  const trail = trailOf(tx);
  const parcels = flow.gives.flatMap((asset) => trail.parcelsOf(flow.account, asset));
  const keepers = receivers.map((receiver) => {
    const own = parcels.filter(({ first }) => first.to === receiver);
    const [keeper, ...others] = new Set(own.map(({ holder }) => holder));
    if (keeper === undefined || others.length > 0) return receiver;
    // Destroyed: nobody has it.
    if (keeper === flow.account || keeper === zeroAddress) return receiver;
    const known = isKnown(receiver);
    if (known && isKnown(keeper)) return receiver;
    return (known || flow.gets.length > 0) && gaveSomething(keeper, tx) ? receiver : keeper;
  });
  return distinct(keepers);
}

/** Of what the account gave, in the end. */
function heldParts(asset: AssetChange, { flow, tx }: Pick<MatchContext, "flow" | "tx">): ReadonlyMap<Address, bigint> {
  const parts = new Map<Address, bigint>();
  for (const { holder, amount } of trailOf(tx).parcelsOf(flow.account, asset))
    parts.set(holder, (parts.get(holder) ?? 0n) + amount);
  return parts;
}

/** A token contract gives its own token: WETH creates WETH. */
function gaveSomething(account: Address, { movements }: Transaction): boolean {
  return movements.some(({ from, token, amount }) => (from === account || token === account) && amount > 0n);
}

/** Others are counted. */
const assetsMax = 3;
/** Others are counted. */
const partiesMax = 3;

export class FlowPhrases {
  readonly #assets: AssetNames;
  readonly #teller: Teller;
  readonly #nameOf: (address: Address) => string;

  constructor(assets: AssetNames, teller: Teller, nameOf: (address: Address) => string) {
    this.#assets = assets;
    this.#teller = teller;
    this.#nameOf = nameOf;
  }

  /** undefined: seen to be empty. `etherPays`: ether beside tokens only paid for the call. */
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

  /** Receivers; where nothing was given, senders. */
  others(context: Pick<MatchContext, "flow" | "tx">): Phrase | undefined {
    return this.#parties(context, []);
  }

  senders({ flow }: Pick<MatchContext, "flow">): Phrase | undefined {
    return this.#accounts(flow.senders.filter((account) => account !== zeroAddress));
  }

  /** Has more than half in the end. Ether and listed tokens only. undefined: nobody, or the only receiver has all. */
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

  /** `1 USDC to bob and 2 USDC to carol`; undefined: one receiver, or too many. */
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

  /** {@link others} without the called contract and moved tokens. */
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

  /** Who got the account's proceeds; where they are one asset, with the payee's final amount. */
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

  /** Above the limit: given ones by weight, received ones listed first. */
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

  /** `more`: others of the collection, counted. */
  #group(group: readonly AssetChange[], more: number): Phrase {
    const [first] = group as readonly [AssetChange];
    if (group.length + more === 1) return this.#assets.asset(first);
    return this.#assets.nfts(
      first.token as Address,
      group.flatMap(({ tokenId }) => tokenId ?? []),
      more,
    );
  }

  /** Largest part of the heaviest asset first, trifles later, anybody's tokens last. */
  #largestFirst(accounts: readonly Address[], { flow, tx }: Pick<MatchContext, "flow" | "tx">): readonly Address[] {
    if (accounts.length <= partiesMax) return accounts;
    const given = flow.gives.length > 0;
    const places = new Map<Address, number>();
    for (const asset of this.#assets.weightiest(given ? flow.gives : flow.gets)) {
      const weight = this.#assets.weight(asset);
      // Offset: trifles behind all, strangers' tokens behind those.
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

/** Single NFTs of a collection share it. `:` separates a fungible token at that address. */
function groupOf({ key, token, tokenId, amount }: AssetChange): string {
  return tokenId !== null && amount === 1n ? `${token}:` : key;
}

/** Receivers, or senders where nothing was given; without those that cancel out. */
function partiesOf({ flow, tx }: Pick<MatchContext, "flow" | "tx">): readonly Address[] {
  const { gives, gets, recipients, senders } = flow;
  const given = gives.length > 0;
  const moves = (given ? gives : gets).flatMap(({ movements }) => movements.map((index) => tx.movements[index]));
  const isParty = (one: Address) => moves.length === 0 || moves.some((move) => one === (given ? move?.to : move?.from));
  return (given ? recipients : senders).filter(isParty);
}
