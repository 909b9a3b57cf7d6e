import fc, { type Arbitrary } from "fast-check";
import { toAddress } from "../../src/kernel/address.ts";
import type { CaseFile, RpcFrame, RpcLog, TokenLookup, Trace } from "../../src/model/case-file.ts";
import type { Gate } from "../../src/ruleset/compiled.ts";
import { gateAddresses } from "../../src/ruleset/gate.ts";
import type { EventItem, FunctionItem } from "../../src/ruleset/signature.ts";
import { hashOf } from "../support/sample.ts";
import { anyAmount, anyBytes, calldataOf, hostileText, logOf, type Pool } from "./abi-arbitrary.ts";
import { labels, ruleset } from "./world.ts";

const accounts = ["a1", "b0", "c4", "70", "71"].map((byte) => `0x${byte.repeat(20)}`);
const special = [`0x${"0".repeat(40)}`, `0x${"0".repeat(36)}dead`, `0x${"ee".repeat(20)}`, ...labels.system("weth")];
const listed = labels
  .tokens()
  .slice(0, 4)
  .map(({ address }) => address);

/** Few accounts, so that they meet: people, strangers' tokens, listed tokens, and what is special. */
const anyAddress = fc.oneof(
  { weight: 6, arbitrary: fc.constant(accounts[0] as string) },
  { weight: 3, arbitrary: fc.constantFrom(...accounts) },
  { weight: 2, arbitrary: fc.constantFrom(...listed, ...special) },
);
/** Code runs anywhere but at the zero address. */
const anyContract = anyAddress.filter((address) => BigInt(address) !== 0n);
const person = fc.oneof({ weight: 5, arbitrary: fc.constant(accounts[0]) }, fc.constant(accounts[1]));

const events = unique(ruleset.rules.flatMap((rule) => (rule.anchor.kind === "event" ? [rule.anchor.event] : [])));
const functions = unique([
  ...ruleset.rules.flatMap((rule) => (rule.anchor.kind === "call" && rule.anchor.call ? [rule.anchor.call] : [])),
  ...[...ruleset.unwrappers.values()].flat().map((unwrapper) => unwrapper.call),
]);

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

/** Where a rule's events and calls count: mostly one of its own contracts. */
function placeOf(gates: readonly Gate[]): Arbitrary<string> {
  const known = gates.flatMap((gate) => gateAddresses(gate) ?? []);
  return known.length === 0 ? anyContract : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, anyContract);
}

const gatesOf = new Map<string, Gate[]>();
for (const { anchor } of ruleset.rules) {
  if (anchor.kind === "event") remember(anchor.event.hash, anchor.gate);
  if (anchor.kind === "event" && anchor.beside !== null)
    for (const call of anchor.beside.call) remember(call.hash, anchor.beside.gate);
  if (anchor.kind === "call" && anchor.call !== null) remember(anchor.call.hash, anchor.gate);
}
for (const unwrapper of [...ruleset.unwrappers.values()].flat()) remember(unwrapper.call.hash, unwrapper.gate);

function remember(hash: string, gate: Gate): void {
  gatesOf.set(hash, [...(gatesOf.get(hash) ?? []), gate]);
}

/** An event that a rule reads, or bytes that nobody knows. */
const anyLog: Arbitrary<RpcLog> = fc.oneof(
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

function eventAt(item: EventItem, gates: readonly Gate[], from: Pool = pool): Arbitrary<RpcLog> {
  return fc.tuple(placeOf(gates), logOf(item, from)).map(([address, log]) => ({ address, ...log }));
}

function callAt(item: FunctionItem, gates: readonly Gate[]): Arbitrary<Envelope> {
  return fc.record({ to: placeOf(gates), input: calldataOf(item, pool) });
}

/** A token that says it moved between the few accounts and the contracts of a scene. */
function transfersAmong(contracts: readonly string[]): Arbitrary<RpcLog> {
  const party = contracts.length === 0 ? anyAddress : fc.oneof(anyAddress, fc.constantFrom(...contracts));
  const from = { address: party, bytes: anyBytes };
  return fc.constantFrom(...transfers).chain((item) => eventAt(item, [{ kind: "set", addresses: tokens }], from));
}

const anyCall: Arbitrary<Envelope> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...functions).chain((item) => callAt(item, gatesOf.get(item.hash) ?? [])) },
  { weight: 1, arbitrary: fc.record({ to: anyAddress, input: anyBytes }) },
  { weight: 1, arbitrary: fc.record({ to: fc.constant(null), input: anyBytes }) },
);

interface Envelope {
  to: string | null;
  input: string;
}

/** What one rule asks for, more or less, among other things: its event, the call beside it, and money that moves. */
const anyScene: Arbitrary<{ call: Envelope; logs: RpcLog[] }> = fc
  .constantFrom(...ruleset.rules)
  .chain(({ anchor }) => {
    const gates = anchor.kind === "event" || anchor.kind === "call" ? [anchor.gate] : [];
    const contracts = gates.flatMap((gate) => gateAddresses(gate) ?? []);
    const beside = anchor.kind === "event" ? anchor.beside : null;
    const item = beside?.call[0] ?? (anchor.kind === "call" ? anchor.call : null);
    const call = item === null ? anyCall : callAt(item, beside === null ? gates : [beside.gate]);
    const own = anchor.kind === "event" ? [eventAt(anchor.event, gates)] : [];
    const money = fc.array(transfersAmong(contracts), { maxLength: 4 });
    const noise = fc.array(anyLog, { maxLength: 3 });
    return fc.tuple(call, money, fc.tuple(...own), noise).map(([envelope, first, second, rest]) => {
      return { call: envelope, logs: [...first, ...second, ...rest] };
    });
  });

function anyWord(): Arbitrary<string> {
  return fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);
}

const quantity = anyAmount.map((value) => `0x${value.toString(16)}`);
/** Fields that the schema leaves as plain strings, because nodes differ in them. */
const looseQuantity = fc.oneof(
  { weight: 4, arbitrary: quantity },
  fc.constantFrom("", "0x", "latest", "-1", "0x00", "12"),
);

const frameTypes = ["CALL", "DELEGATECALL", "STATICCALL", "CALLCODE", "CREATE", "CREATE2", "SELFDESTRUCT", "call", "?"];
const frameFields = {
  type: fc.constantFrom(...frameTypes),
  from: anyAddress,
  to: fc.option(anyAddress, { nil: undefined }),
  value: fc.option(quantity, { nil: undefined }),
  input: fc.option(anyBytes, { nil: undefined }),
  output: fc.option(anyBytes, { nil: undefined }),
  error: fc.option(hostileText, { nil: undefined, freq: 8 }),
  revertReason: fc.option(hostileText, { nil: undefined, freq: 8 }),
  logs: fc.option(
    fc.array(
      fc.tuple(anyLog, looseQuantity).map(([log, position]) => ({ ...log, position })),
      { maxLength: 2 },
    ),
    { nil: undefined },
  ),
};
const { frame } = fc.letrec<{ frame: RpcFrame }>((tie) => ({
  frame: fc.record({
    ...frameFields,
    calls: fc.option(fc.array(tie("frame"), { maxLength: 3, depthIdentifier: "frame" }), {
      nil: undefined,
      depthIdentifier: "frame",
    }),
  }) as Arbitrary<RpcFrame>,
}));

const anyTrace: Arbitrary<Trace> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Trace>({ source: "none", reason: "no endpoint offers a trace" }) },
  {
    weight: 2,
    arbitrary: fc.record({
      source: fc.constant("blockscout" as const),
      internal: fc.array(
        fc.record({
          type: fc.constantFrom("call", "create", "delegatecall", "selfdestruct", "suicide"),
          from: anyAddress,
          to: fc.option(anyAddress),
          value: fc.oneof(anyAmount.map(String), quantity),
          success: fc.boolean(),
        }),
        { maxLength: 4 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      source: fc.constantFrom("debug_traceTransaction" as const, "trace_transaction" as const),
      root: frame,
    }),
  },
);

const lookupStatus = fc.constantFrom("found", "absent", "unavailable", "inconclusive") as Arbitrary<
  TokenLookup["status"]
>;
const anyToken: Arbitrary<TokenLookup> = fc.record({
  status: lookupStatus,
  source: fc.constant("multicall3@latest"),
  symbol: fc.option(hostileText, { freq: 6 }),
  name: fc.option(hostileText, { freq: 6 }),
  decimals: fc.option(fc.oneof(fc.constantFrom(0, 6, 18), fc.nat(77)), { freq: 6 }),
  standard: fc.constantFrom("erc721", "erc1155", null),
});

/** Answers that make strangers members of protocols, or nearly. */
const anyRead = fc.record({
  status: lookupStatus,
  source: fc.constant("multicall3@latest"),
  to: anyAddress,
  data: fc.oneof(anyBytes, fc.constantFrom(...functions.map(({ hash }) => hash))),
  result: fc.option(fc.oneof(anyBytes, anyWord())),
});

/** Whatever schemas/case.schema.json lets through, in a world small enough for its parts to meet. */
export const anyCase: Arbitrary<CaseFile> = fc
  .record({
    from: person,
    scene: anyScene,
    value: fc.oneof({ weight: 2, arbitrary: fc.constant("0x0") }, quantity),
    envelope: fc.oneof(
      { weight: 3, arbitrary: fc.constant({ type: "0x2" }) },
      fc.record(
        {
          type: fc.oneof(fc.constantFrom("0x0", "0x2", "0x02", "0x3", "0x4", "0x7e"), looseQuantity),
          gasPrice: looseQuantity,
          mint: looseQuantity,
          authorizationList: fc.array(
            fc.record({ chainId: looseQuantity, address: anyAddress, nonce: looseQuantity }),
            {
              maxLength: 3,
            },
          ),
        },
        { requiredKeys: [] },
      ),
    ),
    receipt: fc.record(
      {
        status: fc.oneof({ weight: 5, arbitrary: fc.constant("0x1") }, fc.constantFrom("0x0", "0x00", "0x01", "", "?")),
        contractAddress: fc.option(anyAddress),
        gasUsed: looseQuantity,
        effectiveGasPrice: looseQuantity,
        l1Fee: looseQuantity,
        operatorFeeScalar: looseQuantity,
        operatorFeeConstant: looseQuantity,
        daFootprintGasScalar: looseQuantity,
      },
      { requiredKeys: [] },
    ),
    block: fc.record({ number: quantity, timestamp: quantity }, { requiredKeys: ["number"] }),
    trace: anyTrace,
    tokens: fc.dictionary(fc.constantFrom(...accounts), anyToken, { maxKeys: 4 }),
    reads: fc.array(anyRead, { maxLength: 3 }),
    price: fc.record({
      status: lookupStatus,
      source: fc.constant("chainlink"),
      eth_usd: fc.option(fc.constantFrom("0", "3000.12345678", `${"9".repeat(60)}.1`, `0.${"0".repeat(20)}1`)),
    }),
  })
  .map(({ from, scene, value, envelope, receipt, ...rest }) => ({
    version: 1,
    chain_id: 8453,
    tx_hash: hashOf(1),
    gathered_at: "2026-01-01T00:00:00Z",
    transaction: { hash: hashOf(1), from, ...scene.call, value, ...envelope },
    receipt: { ...receipt, logs: scene.logs },
    ...rest,
  })) as Arbitrary<unknown> as Arbitrary<CaseFile>;
