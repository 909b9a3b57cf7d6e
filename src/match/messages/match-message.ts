import type { Value } from "../../abi/abi-type.ts";
import { opensWith } from "../../abi/message.ts";
import { type Address, isNativePlaceholder, readAddress, zeroAddress } from "../../kernel/address.ts";
import { unlimitedThreshold } from "../../kernel/amount.ts";
import { chain } from "../../kernel/chain-profile.ts";
import type { AssetChange, MatchContext } from "../../model/match.ts";
import type { SignedDomain } from "../../model/message.ts";
import type { Transaction } from "../../model/transaction.ts";
import type { Gate, Getter } from "../../ruleset/compiled.ts";
import type { MessageRule, SignedAsset, SignedRight } from "../../ruleset/message-rule.ts";
import type { Ruleset } from "../../ruleset/ruleset.ts";
import type { TypedData } from "../../typed-data/typed-data.ts";
import type { GateKeeper } from "../../unwrap/gates.ts";

/** What the rules of messages read. */
export type MessageContext = MatchContext & { domain: SignedDomain };

/** A right that a signature gives. */
export interface GivenRight {
  token: Address;
  spender: Address;
  /** null: over NFTs. */
  amount: bigint | null;
  /** The amount means all there is. */
  endless: boolean;
  /** Unix seconds; null: without end. */
  until: bigint | null;
  /** The one NFT that it is over. */
  id: bigint | null;
}

/** A call that a message carries. */
export interface MessageCall {
  from: Address;
  to: Address;
  value: bigint;
  data: string;
}

/** The rule that a message fits, and what it says about it. */
export interface MatchedMessage {
  rule: Pick<MessageRule, "id" | "version" | "protocol" | "action" | "tier" | "captures" | "does" | "yields">;
  /** Its flow is what the message gives and gets. */
  context: MessageContext;
  rights: GivenRight[];
  /** The rights are those of a list, of which the sentence names some. */
  listed: boolean;
  /** Who gets what the signer gives. */
  recipients: Address[];
  /** It is an order, and nothing of what is asked for reaches the signer. */
  forNothing: boolean;
  /** Who gets power over the signer's account. */
  powers: Address[];
  call: MessageCall | null;
}

/** What a message is matched against. */
export interface MessageWorld {
  ruleset: Ruleset;
  gates: GateKeeper;
  /** A transaction of the signer's in which nothing happens. */
  tx: Transaction;
}

/** Finds the rule of a message: by its type hash, then by its domain, then by what the rule asks. Proven places go first. */
export function matchMessage(data: TypedData, { ruleset, gates, tx }: MessageWorld): MatchedMessage | undefined {
  // A contract of this chain takes no signature that names no chain.
  if (data.domain.chainId !== BigInt(chain.id)) return undefined;
  const open = (ruleset.openMessages.get(data.primaryType) ?? []).filter(({ message }) =>
    opensWith(message, data.primaryType, data.types),
  );
  for (const rule of [...(ruleset.messages.get(data.typeHash) ?? []), ...open]) {
    const context = messageContext(data, tx, gates);
    if (isPlace(rule, context, gates) && rule.where(context)) return matched(rule, context);
  }
  return undefined;
}

function isPlace({ place }: MessageRule, context: MessageContext, gates: GateKeeper): boolean {
  const { domain, subject } = context;
  if (place.kind === "contract") {
    const contract = place.of === null ? domain.verifyingContract : contractAt(place.of, context);
    return domain.verifyingContract !== null && contract !== undefined && gates.admits(place.gate, contract, subject);
  }
  const { name, version, verifyingContract, salt } = domain;
  return verifyingContract === null && salt === null && name === place.name && version === place.version;
}

/** What the rules of a message read. */
export function messageContext(
  { domain, values }: Pick<TypedData, "domain" | "values">,
  tx: Transaction,
  gates: GateKeeper,
): MessageContext {
  const subject = tx.from;
  return {
    tx,
    subject,
    flow: emptyFlow(subject),
    log: null,
    call: null,
    move: null,
    authorization: null,
    args: values,
    input: null,
    legs: [],
    target: domain.verifyingContract,
    targetFlow: () => null,
    seesGifts: true,
    paysElsewhere: () => false,
    logsWith: () => [],
    isBirth: () => false,
    mayCall: () => true,
    logsBy: () => undefined,
    admits: (gate, address) => gates.admits(gate as Gate, address, subject),
    domain,
  };
}

function emptyFlow(account: Address): MatchContext["flow"] {
  const flow = { account, gives: [], gets: [], neutral: [], recipients: [], senders: [] };
  return { ...flow, minted: false, burned: false, wraps: false, complete: true };
}

function matched(rule: MessageRule, context: MessageContext): MatchedMessage {
  const { subject } = context;
  const given = rule.gives.flatMap((asset) => assetsOf(asset, context, "most"));
  const asked = (rule.gets ?? []).flatMap((asset) => assetsOf(asset, context, "least"));
  const gets = asked.filter(({ to }) => to === null || to === subject);
  const recipients = given.flatMap(({ to }) => (to === null || to === subject ? [] : [to]));
  const flow = { ...context.flow, gives: summed(given), gets: summed(gets), recipients: [...new Set(recipients)] };
  const { call } = rule;
  return {
    rule,
    context: { ...context, flow },
    rights: rule.allows.flatMap((right) => rightsOf(right, context)),
    listed: rule.allows.some(({ each }) => each !== null),
    recipients: flow.recipients,
    forNothing: rule.gets !== null && flow.gives.length > 0 && flow.gets.length === 0,
    powers: rule.empowers.flatMap((get) => contractAt(get, context) ?? []),
    call: call === null ? null : callOf(call, context),
  };
}

/** The context of each element that an entry is about. */
function contextsOf({ each, when }: Pick<SignedAsset, "each" | "when">, context: MessageContext): MessageContext[] {
  const items =
    each === null ? [context] : ((each(context) as Value[] | undefined) ?? []).map((item) => ({ ...context, item }));
  return when === null ? items : items.filter((one) => when(one));
}

function rightsOf(right: SignedRight, context: MessageContext): GivenRight[] {
  return contextsOf(right, context).flatMap((one): GivenRight[] => {
    const token = contractAt(right.token, one);
    const spender = contractAt(right.spender, one);
    if (token === undefined || spender === undefined) return [];
    const id = right.id === null ? null : (numberAt(right.id, one) ?? null);
    const until = right.until === null ? null : (numberAt(right.until, one) ?? null);
    const amount = right.amount === null ? unlimitedThreshold : (numberAt(right.amount, one) ?? 0n);
    if (amount === 0n) return [];
    const endless = amount >= unlimitedThreshold || amount === right.endless;
    return [
      { token, spender, amount: right.id === null ? amount : null, endless: endless && right.id === null, until, id },
    ];
  });
}

/** An asset of an order, with who gets it; null: nobody is named. */
type PartyAsset = AssetChange & { to: Address | null };

function assetsOf(asset: SignedAsset, context: MessageContext, bound: "most" | "least"): PartyAsset[] {
  return contextsOf(asset, context).flatMap((one): PartyAsset[] => {
    const place = asset.token(one);
    const token = place === "native" ? null : readAddress(place);
    const amount = amountOf(asset, one, bound);
    if (token === undefined || amount === 0n || (asset.nft && token === null)) return [];
    const to = asset.to === null ? null : readAddress(asset.to(one));
    // Where nobody is named, protocols pay the signer.
    const party = to === undefined || to === zeroAddress ? null : to;
    const common = { amount, movements: [], to: party };
    if (!asset.nft) {
      const ether = token === null || isNativePlaceholder(token);
      const kind = ether ? ("native" as const) : ("erc20" as const);
      return [{ ...common, key: ether ? "native" : token, kind, token: ether ? null : token, tokenId: null }];
    }
    const tokenId = asset.id === null ? null : (numberAt(asset.id, one) ?? null);
    return [{ ...common, key: `${token}:${tokenId ?? "any"}`, kind: "nft", token, tokenId }];
  });
}

function amountOf({ amounts }: SignedAsset, context: MessageContext, bound: "most" | "least"): bigint {
  if (amounts.length === 0) return 1n;
  const [first = 0n, ...others] = amounts.map((get) => numberAt(get, context) ?? 0n);
  return others.reduce((worse, next) => ((bound === "most" ? next > worse : next < worse) ? next : worse), first);
}

/** One entry for each asset, in order of first mention. */
function summed(assets: readonly PartyAsset[]): AssetChange[] {
  const sums = new Map<string, AssetChange>();
  for (const { to: _, ...asset } of assets) {
    const known = sums.get(asset.key);
    sums.set(asset.key, known === undefined ? asset : { ...known, amount: known.amount + asset.amount });
  }
  return [...sums.values()];
}

function callOf(call: NonNullable<MessageRule["call"]>, context: MessageContext): MessageCall | null {
  const from = contractAt(call.from, context);
  const to = readAddress(call.to(context));
  const data = call.data(context);
  const value = call.value === null ? 0n : (numberAt(call.value, context) ?? 0n);
  return from === undefined || to === undefined || typeof data !== "string" ? null : { from, to, value, data };
}

function contractAt(get: Getter, context: MessageContext): Address | undefined {
  const address = readAddress(get(context));
  return address === zeroAddress ? undefined : address;
}

function numberAt(get: Getter, context: MessageContext): bigint | undefined {
  const value = get(context);
  return typeof value === "bigint" ? value : undefined;
}
