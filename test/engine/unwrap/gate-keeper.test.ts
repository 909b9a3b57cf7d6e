import { encodePacked, getCreate2Address, keccak256 } from "viem";
import { describe, expect, it } from "vitest";
import { GateKeeper } from "../../../src/engine/unwrap/gates.ts";
import { type Address, checksum, toAddress } from "../../../src/kernel/address.ts";
import type { CaseFile, ReadLookup } from "../../../src/model/case-file.ts";
import type { Log } from "../../../src/model/transaction.ts";
import type { Gate, MemberProof } from "../../../src/rules/ruleset/compiled.ts";
import { alice, bob, calldata, carol, caseOf, logOf, token, usdc, vault } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";
import { compileOwn, standing } from "../../support/own-rules.ts";

const set = (...addresses: Address[]): Gate => ({ kind: "set", addresses: new Set(addresses) }) as never;
const either = (...gates: Gate[]): Gate => ({ kind: "either", gates }) as never;
const member = (...proofs: MemberProof[]): Gate => ({ kind: "member", member: { role: "pool", proofs } }) as never;
const keeper = (reads: object[] = [], logs: object[] = []) =>
  new GateKeeper(moved([], { logs: logs as Log[] }), { reads } as unknown as CaseFile);

describe("a gate", () => {
  it.each<[string, Gate, Address | null, boolean]>([
    ["that is open", { kind: "any" } as never, bob, true],
    ["that is open, to nobody", { kind: "any" } as never, null, true],
    ["of some", set(carol, bob), bob, true],
    ["of others", set(carol), bob, false],
    ["of none", set(), bob, false],
    ["of some, to nobody", set(bob), null, false],
    ["one of several, the first", either(set(bob), set(carol)), bob, true],
    ["one of several, the last", either(set(carol), set(bob)), bob, true],
    ["of several, not this one", either(set(carol), set(vault)), bob, false],
    ["of no gates", either(), bob, false],
    ["of several, to nobody", either({ kind: "any" } as never), null, false],
  ])("%s", (_what, gate, address, expected) => expect(keeper().admits(gate, address, alice)).toBe(expected));

  it("of what moved is one of the tokens that the account gave or got", () => {
    const tx = moved([
      ...[move(usdc, alice, bob, 1n), move(token, bob, alice, 1n), move(vault, bob, carol, 1n)],
      move(null, alice, bob, 1n),
    ]);
    const gates = new GateKeeper(tx, caseOf());
    const admitted = (account: Address) =>
      [usdc, token, vault, alice].filter((one) => gates.admits({ kind: "moved" } as never, one, account));
    expect([alice, bob, carol, alice, usdc].map(admitted)).toEqual([
      [usdc, token],
      [usdc, token, vault],
      [vault],
      [usdc, token],
      [],
    ]);
  });
});

describe("what a registry answers", () => {
  const one = "1".padStart(64, "0");
  const word = (address: Address) => address.slice(2).padStart(64, "0");
  const data = `0x12345678${word(bob)}`;
  type Expected = Extract<MemberProof, { kind: "registry" }>["expect"];
  const proof = (expected: Expected): MemberProof =>
    ({ kind: "registry", registry: vault, read: { hash: "0x12345678" }, expect: expected }) as never;
  const proven = (expected: Expected, result: string | null, status = "found") =>
    keeper([{ status, to: vault, data, result }]).admits(member(proof(expected)), bob, alice);

  it.each<[Expected, string, boolean]>([
    ["true", one, true],
    ["true", `${one}${one}`, true],
    ["true", `${one}f`, true],
    ["true", "2".padStart(64, "0"), false],
    ["true", "1".padStart(63, "0"), false],
    ["true", "", false],
    ["self", word(bob), true],
    ["self", `${word(bob)}${one}`, true],
    ["self", word(carol), false],
    ["self", one, false],
    ["nonzero", word(carol), true],
    ["nonzero", "0".repeat(64), false],
    ["nonzero", `${"0".repeat(64)}${one}`, false],
    ["nonzero", "0".repeat(65), false],
  ])("is read by its first word: %s of %s is %s", (expected, digits, admitted) => {
    expect(proven(expected, `0x${digits}`)).toBe(admitted);
  });

  it("counts where it was found", () => {
    expect([proven("true", null), proven("true", `0x${one}`, "unavailable")]).toEqual([false, false]);
  });

  it("is one proof of several, of each address by itself, and stays", () => {
    const reads = [{ status: "found", to: vault, data, result: `0x${one}` }];
    const gates = keeper(reads);
    const asked = (gate: Gate) => [bob, carol, bob, carol].map((who) => gates.admits(gate, who, alice));
    expect(asked(member(proof("self"), proof("true")))).toEqual([true, false, true, false]);
    expect(asked(member(proof("true"), proof("self")))).toEqual([true, false, true, false]);
    expect(asked(member(proof("self")))).toEqual([false, false, false, false]);
    expect(asked(member())).toEqual([false, false, false, false]);
  });
});

describe("what factories announce", () => {
  const event = { hash: "0xaa", read: (topics: string[]) => (topics.length > 2 ? topics.slice(1) : undefined) };
  const proof = (argument: number, hash = "0xaa", ...factories: Address[]): Gate =>
    member({ kind: "created", factories: new Set(factories), event: { ...event, hash }, argument } as never);
  const gates = keeper(
    [],
    [
      ...[{ address: vault, topics: ["0xaa", bob, carol], data: "0x" }],
      ...[{ address: vault, topics: ["0xbb", usdc, usdc], data: "0x" }],
      ...[{ address: token, topics: ["0xaa", token, alice], data: "0x" }],
      { address: vault, topics: ["0xaa", alice], data: "0x" },
    ],
  );
  it.each<[string, Gate, Address[]]>([
    ["by one argument", proof(0, "0xaa", vault), [bob]],
    ["by another argument", proof(1, "0xaa", vault), [carol]],
    ["by another event", proof(0, "0xbb", vault), [usdc]],
    ["of two factories", proof(0, "0xaa", vault, token), [bob, token]],
    ["of nobody", proof(0, "0xaa"), []],
  ])("is known %s", (_what, gate, expected) => {
    const admitted = () => [alice, bob, carol, token, usdc].filter((one) => gates.admits(gate, one, alice));
    expect([admitted(), admitted()]).toEqual([expected, expected]);
  });
});

describe("an address that follows from what it says of itself", () => {
  const swap = "event Swap(address indexed sender, address indexed recipient, uint256 amount)";
  const types = ["address", "bool", "int24", "uint8", "bytes4"] as const;
  const reads = types.map((type, i) => `read${i}: "function read${i}() view returns (${type} value)"`);
  const hash = `0x${"7".padStart(64, "0")}` as const;
  const rules = compileOwn(`protocol: pools
kind: protocol
name: Pools
site: https://example.org
contracts:
  factory: { source: test, Pools factory: "${checksum(vault)}" }
abi:
  ${reads.join("\n  ")}
  Swap: "${swap}"
members:
  pool:
    create2: { deployer: factory, init_code_hash: "${hash}", reads: [read0, read1, read2, read3, read4], encoding: packed }
rules:
  - { id: swap, action: swap, anchor: { event: Swap }, at: pool, subject: sender, say: "swap on {protocol}" }`);
  const words = (...values: (string | bigint)[]) =>
    values.map((value) =>
      typeof value === "bigint"
        ? `0x${BigInt.asUintN(256, value).toString(16).padStart(64, "0")}`
        : `0x${value.slice(2).padEnd(64, "0")}`,
    );

  it.each<[boolean, number, number, `0x${string}`]>([
    [true, 5, 3, "0x12345678"],
    [false, -5, 255, "0x00000001"],
    [false, -8_388_608, 0, "0x00000000"],
    [true, 8_388_607, 16, "0xffffffff"],
  ])("packs %s, %i, %i and %s each in its own width", (yes, tick, fee, tag) => {
    const salt = keccak256(encodePacked([...types], [token, yes, tick, fee, tag]));
    const pool = toAddress(getCreate2Address({ from: vault, salt, bytecodeHash: hash }));
    const results = words(BigInt(token), yes ? 1n : 0n, BigInt(tick), BigInt(fee), tag);
    const found = results.map((result, i) => ({
      ...{ status: "found", source: "test", to: pool, result },
      data: calldata(`function read${i}() view returns (uint256)`),
    })) as ReadLookup[];
    const logs = [logOf(pool, swap, { sender: alice, recipient: alice, amount: 1n })];
    expect(standing(rules, caseOf({ receipt: { logs }, reads: found }))).toEqual(["pools/swap"]);
    expect(standing(rules, caseOf({ receipt: { logs }, reads: found.toSpliced(2, 1) }))).toEqual([]);
  });
});
