import type { Address } from "../../../kernel/address.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import { distinct } from "../../../kernel/lists.ts";
import type { AssetChange, MatchContext } from "../../../model/match.ts";
import type { Transaction } from "../../../model/transaction.ts";
import type { Value } from "../../../rules/abi/abi-type.ts";
import { opensWith } from "../../../rules/abi/message.ts";
import type { Gate, Getter } from "../../../rules/ruleset/compiled.ts";
import type { MessageRule } from "../../../rules/ruleset/message-rule.ts";
import type { Ruleset } from "../../../rules/ruleset/ruleset.ts";
import type { TypedData } from "../../../rules/typed-data/typed-data.ts";
import type { GateKeeper } from "../../unwrap/gates.ts";
import { type HeldCall, heldCalls } from "./held-calls.ts";
import { contractAt, divertedFrom, type GivenRight, type MessageContext, offerOf, summed } from "./signed-offer.ts";

export interface MatchedMessage {
  rule: Pick<MessageRule, "id" | "version" | "protocol" | "action" | "tier" | "captures" | "does" | "yields">;
  /** Its flow: what the message gives and gets. */
  context: MessageContext;
  rights: GivenRight[];
  /** Rights from a list, of which the sentence names some. */
  listed: boolean;
  /** Receivers of what the signer gives. */
  recipients: Address[];
  /** Part of the return, above a fee, that goes to others. */
  diverted: { assets: AssetChange[]; to: Address[] };
  /** Brings the signer nothing: `all`; `some` of several orders. */
  forNothing: "all" | "some" | null;
  /** Such as `2 orders`; null: a single message. */
  parts: string | null;
  /** Has members unknown to the rule. */
  open: boolean;
  /** Get power over the signer's account. */
  powers: Address[];
  call: HeldCall | null;
}

export interface MessageWorld {
  ruleset: Ruleset;
  gates: GateKeeper;
  /** Empty: no logs, calls or movements. */
  tx: Transaction;
}

/** By type hash, domain, then conditions; proven places first. undefined: no rule, or another chain. */
export function matchMessage(data: TypedData, { ruleset, gates, tx }: MessageWorld): MatchedMessage | undefined {
  const { chainId } = data.domain;
  if (chainId !== null && chainId !== BigInt(chain.id)) return undefined;
  const open = (ruleset.openMessages.get(data.primaryType) ?? []).filter(({ message }) =>
    opensWith(message, data.primaryType, data.types),
  );
  for (const rule of [...(ruleset.messages.get(data.typeHash) ?? []), ...open]) {
    // Few contracts accept a signature for every chain.
    if (chainId === null && !rule.everyChain) continue;
    const context = messageContext(withList(data, rule), tx, gates);
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

/** A tree of orders as the list of its leaves. */
function withList<T extends Pick<TypedData, "primaryType" | "types" | "values">>(data: T, { message }: MessageRule): T {
  const place = message.tree?.member;
  const type = place === undefined ? undefined : data.types.get(data.primaryType)?.[place]?.type;
  if (place === undefined || type === undefined) return data;
  const height = type.split("[").length - 1;
  return { ...data, values: data.values.with(place, leavesOf(data.values[place] as Value[], height)) };
}

function leavesOf(tree: Value[], height: number): Value[] {
  return height <= 1 ? tree : tree.flatMap((branch) => leavesOf(branch as Value[], height - 1));
}

function matched(rule: MessageRule, context: MessageContext): MatchedMessage {
  const parts = rule.parts === null ? null : partsOf(rule.parts.each, context);
  const offers = (parts ?? [context]).map((part) => offerOf(rule, part));
  // Trees are filled up with empty orders.
  const real =
    parts === null
      ? offers
      : offers.filter(({ rights, given, gets }) => rights.length + given.length + gets.length > 0);
  const given = real.flatMap((offer) => offer.given);
  const recipients = given.flatMap(({ to }) => (to === null || to === context.subject ? [] : [to]));
  const gets = real.flatMap((offer) => offer.gets);
  const flow = { ...context.flow, gives: summed(given), gets: summed(gets), recipients: distinct(recipients) };
  const { call } = rule;
  const robbed = real.filter(({ forNothing }) => forNothing).length;
  return {
    rule,
    context: { ...context, flow },
    rights: real.flatMap(({ rights }) => rights),
    listed: parts !== null || rule.allows.some(({ each }) => each !== null),
    recipients: flow.recipients,
    diverted: divertedFrom(real),
    forNothing: robbed === 0 ? null : robbed === real.length ? "all" : "some",
    parts: rule.parts && `${real.length} ${real.length === 1 ? rule.parts.one : rule.parts.many}`,
    open: rule.message.open,
    powers: rule.empowers.flatMap((get) => contractAt(get, context) ?? []),
    call: call === null ? null : (heldCalls(call, context)[0] ?? null),
  };
}

function partsOf(each: Getter, context: MessageContext): MessageContext[] {
  return ((each(context) as Value[][] | undefined) ?? []).map((args) => ({ ...context, args }));
}
