import { type Address, isNativePlaceholder, readAddress, zeroAddress } from "../../../kernel/address.ts";
import { unlimitedThreshold } from "../../../kernel/amount.ts";
import { distinct } from "../../../kernel/lists.ts";
import type { AssetChange, MatchContext } from "../../../model/match.ts";
import type { SignedDomain } from "../../../model/message.ts";
import { elementsOf } from "../../../rules/ruleset/capture-parts.ts";
import type { Getter } from "../../../rules/ruleset/compiled.ts";
import type { MessageRule, SignedAsset, SignedRight } from "../../../rules/ruleset/message-rule.ts";

export type MessageContext = MatchContext & { domain: SignedDomain };

export interface GivenRight {
  token: Address;
  spender: Address;
  /** Base units; null over NFTs. */
  amount: bigint | null;
  endless: boolean;
  /** Unix seconds; null: no end. */
  until: bigint | null;
  /** Number of the single NFT; else null. */
  id: bigint | null;
}

/** Of one message or one part. */
export function offerOf(rule: MessageRule, context: MessageContext) {
  const given = rule.gives.flatMap((asset) => assetsOf(asset, context, "most"));
  const asked = (rule.gets ?? []).flatMap((asset) => assetsOf(asset, context, "least"));
  const gets = asked.filter(({ to }) => to === null || to === context.subject);
  const rights = rule.allows.flatMap((right) => rightsOf(right, context));
  const forNothing = rule.gets !== null && given.length > 0 && gets.length === 0;
  return { given, gets, elsewhere: asked.filter((one) => !gets.includes(one)), rights, forNothing };
}

/** Fee of the marketplace: up to 1/5. */
const feePart = 5n;

/** Assets of which others get more than a fee. */
export function divertedFrom(offers: readonly Pick<ReturnType<typeof offerOf>, "gets" | "elsewhere">[]) {
  const own = new Map(summed(offers.flatMap(({ gets }) => gets)).map(({ key, amount }) => [key, amount]));
  const elsewhere = offers.flatMap((offer) => offer.elsewhere);
  const assets = summed(elsewhere).filter(({ key, amount }) => amount * (feePart - 1n) > (own.get(key) ?? 0n));
  const told = new Set(assets.map(({ key }) => key));
  const to = elsewhere.flatMap((one) => (one.to !== null && told.has(one.key) ? [one.to] : []));
  return { assets, to: distinct(to) };
}

/** One for each element. */
function contextsOf({ each, when }: Pick<SignedAsset, "each" | "when">, context: MessageContext): MessageContext[] {
  const items = each === null ? [context] : elementsOf(each, context).map((item) => ({ ...context, item }));
  return when === null ? items : items.filter((one) => when(one));
}

function rightsOf(right: SignedRight, context: MessageContext): GivenRight[] {
  return contextsOf(right, context).flatMap((one): GivenRight[] => {
    const token = contractAt(right.token, one);
    const spender = contractAt(right.spender, one);
    if (token === undefined || spender === undefined) return [];
    const id = right.id === null || right.id === "all" ? null : (numberAt(right.id, one) ?? null);
    const until = right.until === null ? null : (numberAt(right.until, one) ?? null);
    const amount = right.amount === null ? unlimitedThreshold : (numberAt(right.amount, one) ?? 0n);
    if (amount === 0n) return [];
    const endless = amount >= unlimitedThreshold || amount === right.endless;
    return [
      { token, spender, amount: right.id === null ? amount : null, endless: endless && right.id === null, until, id },
    ];
  });
}

/** null: names no receiver. */
type PartyAsset = AssetChange & { to: Address | null };

function assetsOf(asset: SignedAsset, context: MessageContext, bound: "most" | "least"): PartyAsset[] {
  return contextsOf(asset, context).flatMap((one): PartyAsset[] => {
    const place = asset.token(one);
    const token = place === "native" ? null : readAddress(place);
    const amount = amountOf(asset, one, bound);
    if (token === undefined || amount === 0n || (asset.nft && token === null)) return [];
    return [{ ...kindOf(asset, token, one), amount, movements: [], to: partyOf(asset, one) }];
  });
}

/** `token` null: ether. */
function kindOf({ nft, id }: SignedAsset, token: Address | null, context: MessageContext) {
  if (nft) {
    const tokenId = id === null ? null : (numberAt(id, context) ?? null);
    return { key: `${token}:${tokenId ?? "any"}`, kind: "nft", token, tokenId } as const;
  }
  if (token === null || isNativePlaceholder(token))
    return { key: "native", kind: "native", token: null, tokenId: null } as const;
  return { key: token, kind: "erc20", token, tokenId: null } as const;
}

/** null: protocols then pay the signer. */
function partyOf({ to }: SignedAsset, context: MessageContext): Address | null {
  const party = to === null ? undefined : readAddress(to(context));
  return party === undefined || party === zeroAddress ? null : party;
}

function amountOf({ amounts }: SignedAsset, context: MessageContext, bound: "most" | "least"): bigint {
  if (amounts.length === 0) return 1n;
  const [first = 0n, ...others] = amounts.map((get) => numberAt(get, context) ?? 0n);
  return others.reduce((worse, next) => ((bound === "most" ? next > worse : next < worse) ? next : worse), first);
}

/** By asset, in order of first mention. */
export function summed(assets: readonly PartyAsset[]): AssetChange[] {
  const sums = new Map<string, AssetChange>();
  for (const { to: _, ...asset } of assets) {
    const known = sums.get(asset.key);
    sums.set(asset.key, known === undefined ? asset : { ...known, amount: known.amount + asset.amount });
  }
  return [...sums.values()];
}

export function contractAt(get: Getter, context: MessageContext): Address | undefined {
  const address = readAddress(get(context));
  return address === zeroAddress ? undefined : address;
}

function numberAt(get: Getter, context: MessageContext): bigint | undefined {
  const value = get(context);
  return typeof value === "bigint" ? value : undefined;
}
