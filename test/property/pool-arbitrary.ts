import fc, { type Arbitrary } from "fast-check";
import { toAddress } from "../../src/kernel/address.ts";
import type { RpcLog } from "../../src/model/case-file.ts";
import type { EventItem, FunctionItem } from "../../src/rules/abi/signature.ts";
import { delegatedKey } from "../../src/rules/ruleset/compile/anchor.ts";
import { gateAddresses } from "../../src/rules/ruleset/compile/gate.ts";
import type { Gate } from "../../src/rules/ruleset/compiled.ts";
import { anyAmount, anyBytes, calldataOf, logOf, type Pool } from "./abi-arbitrary.ts";
import { labels, ruleset } from "./world.ts";

export const accounts = ["a1", "b0", "c4", "70", "71"].map((byte) => `0x${byte.repeat(20)}`);
const special = [`0x${"0".repeat(40)}`, `0x${"0".repeat(36)}dead`, `0x${"ee".repeat(20)}`, ...labels.system("weth")];
const listed = labels
  .tokens()
  .slice(0, 4)
  .map(({ address }) => address);

/** Only a few accounts, so that they meet: people, strangers' tokens, listed tokens, and special addresses. */
export const anyAddress = fc.oneof(
  { weight: 6, arbitrary: fc.constant(accounts[0] as string) },
  { weight: 3, arbitrary: fc.constantFrom(...accounts) },
  { weight: 2, arbitrary: fc.constantFrom(...listed, ...special) },
);
/** Code runs anywhere but at the zero address. */
const anyContract = anyAddress.filter((address) => BigInt(address) !== 0n);
export const person = fc.oneof({ weight: 5, arbitrary: fc.constant(accounts[0]) }, fc.constant(accounts[1]));

const events = unique(ruleset.rules.flatMap((rule) => (rule.anchor.kind === "event" ? [rule.anchor.event] : [])));
export const functions = unique([
  ...ruleset.rules.flatMap((rule) => (rule.anchor.kind === "call" && rule.anchor.call ? [rule.anchor.call] : [])),
  ...[...ruleset.unwrappers.values()].flat().map((unwrapper) => unwrapper.call),
  // What an account runs as its own has no selector.
]).filter(({ hash }) => hash !== delegatedKey);

const tokens = new Set([...listed, ...labels.system("weth"), ...accounts.slice(3).map(toAddress)]);
/** The events of tokens: EIP-20, EIP-721 and EIP-1155. */
const transfers = events.filter(({ name }) => /^Transfer(?:Single|Batch)?$/.test(name));

function unique<T extends EventItem | FunctionItem>(items: T[]): T[] {
  return [
    ...new Map(items.map((item) => [`${item.signature} ${"indexed" in item ? item.indexed : ""}`, item])).values(),
  ];
}

/** Calls with known selectors hold calls with known selectors, down to a depth. */
function poolAt(depth: number): Pool {
  const inner = fc.constantFrom(...functions).chain((item) => calldataOf(item, poolAt(depth - 1)));
  const bytes = depth === 0 ? anyBytes : fc.oneof({ weight: 2, arbitrary: inner }, { weight: 1, arbitrary: anyBytes });
  return { address: anyAddress, bytes };
}
const pool = poolAt(2);

/** A place where a rule's events and calls count: mostly one of its own contracts. */
function placeOf(gates: readonly Gate[]): Arbitrary<string> {
  const known = gates.flatMap((gate) => gateAddresses(gate) ?? []);
  return known.length === 0 ? anyContract : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, anyContract);
}

const gatesOf = new Map<string, Gate[]>();
for (const { anchor } of ruleset.rules) {
  if (anchor.kind === "event") remember(anchor.event.hash, anchor.gate);
  if (anchor.kind === "event" && anchor.companion !== null)
    for (const call of anchor.companion.call) remember(call.hash, anchor.companion.gate);
  if (anchor.kind === "call" && anchor.call !== null) remember(anchor.call.hash, anchor.gate);
}
for (const unwrapper of [...ruleset.unwrappers.values()].flat()) remember(unwrapper.call.hash, unwrapper.gate);

function remember(hash: string, gate: Gate): void {
  gatesOf.set(hash, [...(gatesOf.get(hash) ?? []), gate]);
}

/** An event that a rule reads, or bytes that nobody knows. */
export const anyLog: Arbitrary<RpcLog> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...events).chain((item) => eventAt(item, gatesOf.get(item.hash) ?? [])) },
  {
    weight: 1,
    arbitrary: fc.record({
      address: anyContract,
      topics: fc.array(fc.oneof(fc.constantFrom(...events.map(({ hash }) => hash)), anyWord()), { maxLength: 5 }),
      data: anyBytes,
    }),
  },
);

export function eventAt(item: EventItem, gates: readonly Gate[], from: Pool = pool): Arbitrary<RpcLog> {
  return fc.tuple(placeOf(gates), logOf(item, from)).map(([address, log]) => ({ address, ...log }));
}

export function callAt(item: FunctionItem, gates: readonly Gate[]): Arbitrary<Envelope> {
  return fc.record({ to: placeOf(gates), input: calldataOf(item, pool) });
}

/** A transfer, as a token claims it, between the few accounts and the contracts of a scene. */
export function transfersAmong(contracts: readonly string[]): Arbitrary<RpcLog> {
  const party = contracts.length === 0 ? anyAddress : fc.oneof(anyAddress, fc.constantFrom(...contracts));
  const from = { address: party, bytes: anyBytes };
  return fc.constantFrom(...transfers).chain((item) => eventAt(item, [{ kind: "set", addresses: tokens }], from));
}

export const anyCall: Arbitrary<Envelope> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...functions).chain((item) => callAt(item, gatesOf.get(item.hash) ?? [])) },
  { weight: 1, arbitrary: fc.record({ to: anyAddress, input: anyBytes }) },
  { weight: 1, arbitrary: fc.record({ to: fc.constant(null), input: anyBytes }) },
);

export interface Envelope {
  to: string | null;
  input: string;
}

export function anyWord(): Arbitrary<string> {
  return fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);
}

export const quantity = anyAmount.map((value) => `0x${value.toString(16)}`);
/** Fields that the schema leaves as plain strings, because nodes differ in them. */
export const looseQuantity = fc.oneof(
  { weight: 4, arbitrary: quantity },
  fc.constantFrom("", "0x", "latest", "-1", "0x00", "12"),
);
