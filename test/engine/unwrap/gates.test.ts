import { encodePacked, getCreate2Address, keccak256 } from "viem";
import { describe, expect, it } from "vitest";
import { checksum, toAddress } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import type { ReadLookup, RpcLog } from "../../../src/model/case-file.ts";
import { alice, bob, carol, caseOf, logOf, token, transferLog, vault } from "../../support/case-of.ts";
import { compileOwn, standing } from "../../support/own-rules.ts";

const head = `kind: protocol
name: Pools
site: https://example.org`;
const swap = "event Swap(address indexed sender, address indexed recipient, uint256 amount)";

const word = (value: bigint | string): Hex => `0x${BigInt(value).toString(16).padStart(64, "0")}`;
const read = (to: string, data: string, result: Hex | null): ReadLookup => ({
  ...{
    status: result === null ? "unavailable" : "found",
    source: "test",
    to: toAddress(to),
    data: data as Hex,
    result,
  },
});
const swapAt = (pool: string): RpcLog => logOf(pool, swap, { sender: alice, recipient: alice, amount: 1n });

describe("a registry's answer", () => {
  const rulesFor = (expected: string) =>
    compileOwn(`protocol: pools
${head}
contracts:
  factory: { source: test, Pools factory: "${checksum(vault)}" }
abi:
  isPool: "function isPool(address pool) view returns (bool yes)"
  Swap: "${swap}"
members:
  pool:
    registry: { contract: factory, read: isPool, expect: "${expected}" }
rules:
  - { id: swap, action: swap, anchor: { event: Swap }, at: pool, subject: sender, say: "swap on {protocol}" }`);
  const selector = "0x5b16ebb7";
  const given = (result: Hex | null, registry: string = vault, pool: string = bob) => ({
    receipt: { logs: [swapAt(bob)] },
    reads: [read(registry, `${selector}${pool.slice(2).padStart(64, "0")}`, result)],
  });

  it("proves a pool that the factory knows", () => {
    expect(standing(rulesFor("true"), caseOf(given(word(1n))))).toEqual(["pools/swap"]);
    expect(standing(rulesFor("nonzero"), caseOf(given(word(carol))))).toEqual(["pools/swap"]);
    expect(standing(rulesFor("self"), caseOf(given(word(bob))))).toEqual(["pools/swap"]);
  });

  it.each([
    ["says no", given(word(0n))],
    ["says neither yes nor no", given(word(2n))],
    ["is missing", given(null)],
    ["is too short", given("0x01")],
    ["is another contract's", given(word(1n), carol)],
    ["is about another pool", given(word(1n), vault, carol)],
    ["was never asked", { receipt: { logs: [swapAt(bob)] } }],
  ])("proves nothing when it %s", (_what, parts) => {
    expect(standing(rulesFor("true"), caseOf(parts))).toEqual([]);
  });

  it("proves nothing by naming another address than the pool's own", () => {
    expect(standing(rulesFor("self"), caseOf(given(word(carol))))).toEqual([]);
  });
});

describe("a creation in the same transaction", () => {
  const rules = compileOwn(`protocol: pools
${head}
contracts:
  factory: { source: test, Pools factory: "${checksum(vault)}" }
abi:
  PoolCreated: "event PoolCreated(address indexed token, address pool)"
  Swap: "${swap}"
members:
  pool:
    created: { contract: factory, event: PoolCreated, argument: pool }
rules:
  - { id: swap, action: swap, anchor: { event: Swap }, at: pool, subject: sender, say: "swap on {protocol}" }`);
  const created = (factory: string, pool: string) =>
    logOf(factory, "event PoolCreated(address indexed token, address pool)", { token, pool });

  it("proves the pool that the factory announced, before or after", () => {
    expect(standing(rules, caseOf({ receipt: { logs: [created(vault, bob), swapAt(bob)] } }))).toEqual(["pools/swap"]);
    expect(standing(rules, caseOf({ receipt: { logs: [swapAt(bob), created(vault, bob)] } }))).toEqual(["pools/swap"]);
  });

  it("proves nothing by a stranger's announcement, or of another pool", () => {
    expect(standing(rules, caseOf({ receipt: { logs: [created(carol, bob), swapAt(bob)] } }))).toEqual([]);
    expect(standing(rules, caseOf({ receipt: { logs: [created(vault, carol), swapAt(bob)] } }))).toEqual([]);
  });
});

describe("a CREATE2 address", () => {
  // Uniswap v3 on Base: the pool of WETH and USDC at 0.05 %.
  const pool = "0xd0b53d9277642d899df5c87a3966a349a798f224";
  const rules = compileOwn(`protocol: pools
${head}
contracts:
  factory: { source: test, Pools factory: "0x33128a8fC17869897dcE68Ed026d694621f6FDfD" }
abi:
  token0: "function token0() view returns (address token0)"
  token1: "function token1() view returns (address token1)"
  fee: "function fee() view returns (uint24 fee)"
  Swap: "${swap}"
members:
  pool:
    create2:
      deployer: factory
      init_code_hash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54"
      reads: [token0, token1, fee]
      encoding: abi
rules:
  - { id: swap, action: swap, anchor: { event: Swap }, at: pool, subject: sender, say: "swap on {protocol}" }`);
  const facts = {
    token0: "0x4200000000000000000000000000000000000006",
    token1: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
    fee: "500",
  };
  const reads = (at: string, { token0, token1, fee }: typeof facts) => [
    read(at, "0x0dfe1681", word(token0)),
    read(at, "0xd21220a7", word(token1)),
    read(at, "0xddca3f43", word(fee)),
  ];
  const stands = (at: string, found: ReadLookup[]) =>
    standing(rules, caseOf({ receipt: { logs: [swapAt(at)] }, reads: found })).length > 0;

  it("proves a real pool by what it says of itself", () => {
    expect(stands(pool, reads(pool, facts))).toBe(true);
  });

  it("proves nothing when one answer differs, is missing or does not decode", () => {
    expect(stands(pool, reads(pool, { ...facts, fee: "501" }))).toBe(false);
    expect(stands(pool, reads(pool, { ...facts, token0: facts.token1, token1: facts.token0 }))).toBe(false);
    expect(stands(pool, reads(pool, facts).slice(0, 2))).toBe(false);
    expect(stands(pool, [...reads(pool, facts).slice(0, 2), read(pool, "0xddca3f43", `0x${"f".repeat(64)}`)])).toBe(
      false,
    );
    expect(stands(pool, [...reads(pool, facts).slice(0, 2), read(pool, "0xddca3f43", "0x")])).toBe(false);
  });

  it("proves nothing for a stranger who repeats a real pool's answers", () => {
    expect(stands(bob, reads(bob, facts))).toBe(false);
  });
});

describe("packed salts", () => {
  it("are what some factories hash: each answer in its own width", () => {
    // A pool whose address follows from keccak256(abi.encodePacked(token0, token1, stable)), as in Aerodrome's kind of factory.
    const rules = (encoding: string) =>
      compileOwn(`protocol: pools
${head}
contracts:
  factory: { source: test, Pools factory: "${checksum(vault)}" }
abi:
  token0: "function token0() view returns (address token0)"
  stable: "function stable() view returns (bool stable)"
  fee: "function fee() view returns (uint24 fee)"
  Swap: "${swap}"
members:
  pool:
    create2: { deployer: factory, init_code_hash: "${word(7n)}", reads: [token0, stable, fee], encoding: ${encoding} }
rules:
  - { id: swap, action: swap, anchor: { event: Swap }, at: pool, subject: sender, say: "swap on {protocol}" }`);
    const salt = keccak256(encodePacked(["address", "bool", "uint24"], [token, true, 500]));
    const pool = getCreate2Address({ from: vault, salt, bytecodeHash: word(7n) }).toLowerCase();
    const reads = [
      read(pool, "0x0dfe1681", word(token)),
      read(pool, "0x22be3de1", word(1n)),
      read(pool, "0xddca3f43", word(500n)),
    ];
    const file = caseOf({ receipt: { logs: [swapAt(pool)] }, reads });
    expect(standing(rules("packed"), file)).toEqual(["pools/swap"]);
    expect(standing(rules("abi"), file)).toEqual([]);
    // Half a byte more is no answer of a contract.
    const odd = reads.map((one, i) => (i === 1 ? { ...one, result: `${word(1n)}0` } : one));
    for (const encoding of ["packed", "abi"])
      expect(standing(rules(encoding), caseOf({ receipt: { logs: [swapAt(pool)] }, reads: odd as never }))).toEqual([]);
  });
});

describe("a token that moved", () => {
  const rules = compileOwn(`protocol: wrapper
kind: standard
abi:
  Wrapped: "event Wrapped(address indexed who, uint256 amount)"
rules:
  - { id: wrap, action: wrap, anchor: { event: Wrapped }, at: moved, subject: who, say: "wrap something" }`);
  const wrapped = logOf(token, "event Wrapped(address indexed who, uint256 amount)", { who: alice, amount: 1n });

  it("is admitted as an emitter when the subject gave or got it, and otherwise not", () => {
    const own = { receipt: { logs: [transferLog(token, bob, alice, 1n), wrapped] } };
    const foreign = { receipt: { logs: [transferLog(token, bob, carol, 1n), wrapped] } };
    expect(standing(rules, caseOf(own))).toEqual(["wrapper/wrap"]);
    expect(standing(rules, caseOf(foreign))).toEqual([]);
    expect(standing(rules, caseOf({ receipt: { logs: [wrapped] } }))).toEqual([]);
  });
});
