import fc, { type Arbitrary } from "fast-check";
import type { CaseFile, RpcFrame, RpcLog, TokenLookup, Trace } from "../../src/model/case-file.ts";
import { delegatedKey } from "../../src/rules/ruleset/compile/anchor.ts";
import { gateAddresses } from "../../src/rules/ruleset/compile/gate.ts";
import { hashOf } from "../support/sample.ts";
import { anyAmount, anyBytes, hostileText } from "./abi-arbitrary.ts";
import {
  accounts,
  anyAddress,
  anyCall,
  anyLog,
  anyWord,
  callAt,
  type Envelope,
  eventAt,
  functions,
  looseQuantity,
  person,
  quantity,
  transfersAmong,
} from "./pool-arbitrary.ts";
import { ruleset } from "./world.ts";

/** Roughly what one rule asks for, among other things: its event, the call with it, and money that moves. */
const anyScene: Arbitrary<{ call: Envelope; logs: RpcLog[] }> = fc
  .constantFrom(...ruleset.rules)
  .chain(({ anchor }) => {
    const gates = anchor.kind === "event" || anchor.kind === "call" ? [anchor.gate] : [];
    const contracts = gates.flatMap((gate) => gateAddresses(gate) ?? []);
    const companion = anchor.kind === "event" ? anchor.companion : null;
    const item = companion?.call[0] ?? (anchor.kind === "call" ? anchor.call : null);
    // What an account runs as its own has no selector.
    const known = item !== null && item.hash !== delegatedKey;
    const call = known ? callAt(item, companion === null ? gates : [companion.gate]) : anyCall;
    const own = anchor.kind === "event" ? [eventAt(anchor.event, gates)] : [];
    const money = fc.array(transfersAmong(contracts), { maxLength: 4 });
    const noise = fc.array(anyLog, { maxLength: 3 });
    return fc.tuple(call, money, fc.tuple(...own), noise).map(([envelope, first, second, rest]) => {
      return { call: envelope, logs: [...first, ...second, ...rest] };
    });
  });

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
      source: fc.constant("internal_transfers" as const),
      provider: fc.constant("explorer.example"),
      internal_transfers: fc.array(
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

/** Answers to reads that make strangers members of protocols, or almost do. */
const anyRead = fc.record({
  status: lookupStatus,
  source: fc.constant("multicall3@latest"),
  to: anyAddress,
  data: fc.oneof(anyBytes, fc.constantFrom(...functions.map(({ hash }) => hash))),
  result: fc.option(fc.oneof(anyBytes, anyWord())),
});

/** Any case that schemas/case.schema.json allows, in a world so small that its parts meet. */
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
    version: 2,
    chain_id: 8453,
    tx_hash: hashOf(1),
    gathered_at: "2026-01-01T00:00:00Z",
    transaction: { hash: hashOf(1), from, ...scene.call, value, ...envelope },
    receipt: { ...receipt, logs: scene.logs },
    ...rest,
  })) as Arbitrary<unknown> as Arbitrary<CaseFile>;
