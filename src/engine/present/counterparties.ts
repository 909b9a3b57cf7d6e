import { type Address, checksum, zeroAddress } from "../../kernel/address.ts";
import { limits } from "../../kernel/limits.ts";
import { distinct, heaviestFirst, takeTurns } from "../../kernel/lists.ts";
import type { Counterparty } from "../../model/explanation.ts";
import { addressLabel } from "../../model/label.ts";
import type { ActorCall, MatchContext } from "../../model/match.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";
import { isSender, partsOf } from "../../rules/ruleset/capture-parts.ts";
import { placeholdersOf } from "../../rules/ruleset/compile/template.ts";
import type { CompiledCapture, CompiledRule } from "../../rules/ruleset/compiled.ts";
import type { Grant } from "../assess/grants/grants.ts";
import { movementsOf } from "../normalize/movement-index.ts";
import type { Loss } from "../settle/losses.ts";
import type { Findings } from "./findings.ts";
import { isSomeoneElse } from "./told.ts";

export type ListedCounterparties = ReturnType<typeof listCounterparties>;

interface Parties extends Pick<Findings, "tx" | "subject" | "labels"> {
  calls: readonly ActorCall[];
  actions: readonly { rule: CompiledRule; context: MatchContext }[];
  /** Twins (their money is in another action) and bookings (money used for somebody else). */
  twins?: readonly { rule: CompiledRule; context: MatchContext }[];
  bookings?: readonly { rule: CompiledRule; context: MatchContext }[];
  losses: readonly Loss[];
  /** Of principals, the most important first. */
  grants?: readonly Pick<Grant, "owner" | "grantee" | "amount" | "stands" | "uncertain">[];
}

/**
 * Named addresses, parties of rights, of exchanges with the subject, called contracts, the rest. If too many, who took principals' ether or
 * listed tokens goes first. `cut`: such takers without an action that found no room.
 */
export function listCounterparties(input: Parties) {
  const ranked = rank(input);
  if (ranked.length <= limits.counterpartiesMax) return { counterparties: named(ranked, input), cut: 0 };
  const { strange, others } = takers(input, new Set(ranked));
  const kept = distinct([...strange, ...others, ...ranked]).slice(0, limits.counterpartiesMax);
  return { counterparties: named(kept, input), cut: Math.max(0, strange.length - limits.counterpartiesMax) };
}

function named(addresses: readonly Address[], { labels }: Parties): Counterparty[] {
  return addresses.map((address) => ({
    address: checksum(address),
    label: addressLabel(labels, address),
  }));
}

function rank(input: Parties): Address[] {
  const { subject, tx, calls } = input;
  const ranked = new Set<Address>();
  const add = (address: Address | null | undefined): void => {
    if (address !== null && address !== undefined && address !== zeroAddress && address !== subject)
      ranked.add(address);
  };
  addNamed(input, add);
  for (const { from, to } of believedFirst(movementsOf(tx.movements, subject), tx))
    if (from === subject) add(to);
    else if (to === subject) add(from);
  for (const call of calls) if (call.actor === subject) add(call.to);
  add(tx.to);
  add(tx.created);
  add(tx.from);
  for (const move of tx.movements) {
    add(move.from);
    add(move.to);
  }
  return [...ranked];
}

/** Names and places of actions, then parties of rights. */
function addNamed(input: Parties, add: (address: Address | null | undefined) => void): void {
  for (const { rule, context } of [...input.actions, ...(input.twins ?? []), ...(input.bookings ?? [])]) {
    for (const told of toldFirst(rule))
      for (const { capture, context: at } of partsOf(told, context, true)) add(namedBy(capture, at));
    add(context.log?.address ?? context.call?.to);
  }
  for (const { owner, grantee, amount, stands, uncertain } of input.grants ?? []) {
    if (!stands || uncertain || amount === 0n) continue;
    add(grantee);
    add(owner);
  }
}

/** undefined: it only stands for the sender. */
function namedBy(capture: CompiledCapture, context: MatchContext): Address | undefined {
  if (capture.kind !== "address" && capture.kind !== "other") return undefined;
  const address = addressValue(capture.get(context));
  if (address === undefined || isSender(capture, address)) return undefined;
  return capture.kind === "address" || isSomeoneElse(address, context) ? address : undefined;
}

/** Of principals' ether and listed tokens, by asset the largest first. `strange`: no action accounts for them. */
function takers({ tx, losses }: Parties, ranked: ReadonlySet<Address>): { strange: Address[]; others: Address[] } {
  const strange: Address[][] = [];
  const others: Address[][] = [];
  for (const { asset, strangers } of losses) {
    if (asset.token !== null && !tx.listed.has(asset.token)) continue;
    strange.push(largestFirst(strangers).flatMap(({ to, holders }) => [to, ...holders]));
    const given = asset.movements.flatMap((index) => tx.movements[index] ?? []);
    others.push(largestFirst(given).map(({ to }) => to));
  }
  const inTurn = (lists: Address[][]) => distinct(takeTurns(lists)).filter((address) => ranked.has(address));
  return { strange: inTurn(strange), others: inTurn(others) };
}

function largestFirst<T extends { amount: bigint }>(parts: readonly T[]): T[] {
  return heaviestFirst(parts, ({ amount }) => amount);
}

/** Above the limit ether and listed tokens first: anybody can write others. */
function believedFirst(movements: readonly Movement[], { listed }: Transaction): readonly Movement[] {
  if (movements.length <= limits.counterpartiesMax) return movements;
  const isBelieved = ({ token }: Movement) => token === null || listed.has(token);
  return [...movements.filter(isBelieved), ...movements.filter((move) => !isBelieved(move))];
}

/** A pure cache. */
const inOrder = new WeakMap<CompiledRule, CompiledCapture[]>();

/** In sentence order, others by name. */
function toldFirst(rule: CompiledRule): CompiledCapture[] {
  const known = inOrder.get(rule);
  if (known !== undefined) return known;
  const told = placeholdersOf(rule.does).map((part) => part.capture);
  const names = new Set([...told, ...[...rule.captures.keys()].sort()]);
  const captures = [...names].flatMap((name) => rule.captures.get(name) ?? []);
  inOrder.set(rule, captures);
  return captures;
}

function addressValue(value: unknown): Address | undefined {
  return typeof value === "string" && value.length === 42 ? (value as Address) : undefined;
}
