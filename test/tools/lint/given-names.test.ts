import { encodeAbiParameters, keccak256, pad, parseAbiParameters, toHex } from "viem/utils";
import { describe, expect, it } from "vitest";
import { toAddress, zeroAddress } from "../../../src/kernel/address.ts";
import type { AbiType } from "../../../src/rules/abi/abi-type.ts";
import type { EventItem, FunctionItem } from "../../../src/rules/abi/signature.ts";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import {
  creationLog,
  encodeLog,
  GivenNames,
  people,
  plainValue,
} from "../../../src/tools/lint/examples/given-names.ts";

const party = (digit: string) => toAddress(`0x${digit.repeat(40)}`);
const [a, b, c, maker] = [party("a"), party("b"), party("c"), party("f")];
const read = parseSignature("function isPool(address pool) view returns (bool)");
const made = parseSignature("event Made(address indexed by, address pool, uint8[2] pair)") as EventItem;
const registry = { kind: "registry", registry: maker, read, expect: "true" };
const created = { kind: "created", factories: new Set([maker, a]), event: made, argument: 1 };
const member = (role: string, ...proofs: object[]) => [role, { role, proofs }] as const;
const abi = new Map([["run", parseSignature("function run(uint256 size)")]]);
const scopeOf = (protocol: string, pool: readonly string[]) => ({
  ...{ document: { protocol }, abi, contracts: new Map([["pool", pool]]) },
  members: new Map([
    member("listed", registry),
    member("own", { ...registry, expect: "self" }),
    member("fresh", created),
    member("both", created, registry),
    member("plain"),
  ]),
});
const [here, there] = [scopeOf("market", [a, b]), scopeOf("other", [c])];

/** The names of a file, together with another file and these tokens in the order of labels. */
function namesOf(...tokens: [string, string, boolean][]): GivenNames {
  const listed = tokens.map(([symbol, address, wellKnown]) => ({ symbol, address, wellKnown }));
  const scopes = (protocol: string) => (protocol === "other" ? there : undefined);
  return new GivenNames(here as never, scopes as never, { tokens: () => listed } as never);
}

/** The address of a member that nothing derives. */
const invented = (key: string) => `0x${keccak256(toHex(key)).slice(26)}`;

describe("names of an example", () => {
  it.each<[unknown, string | undefined]>([
    ["alice", people.alice],
    ["zero", zeroAddress],
    ["toString", undefined],
    [a.toUpperCase().replace("0X", "0x"), a],
    ["0x12", undefined],
    ["pool", a],
    ["pool.0", a],
    ["pool.1", b],
    ["pool.2", undefined],
    ["pool.x", undefined],
    ["pools", undefined],
    ["other/pool", c],
    ["other/pool.1", undefined],
    ["none/pool", undefined],
    ["listed", invented("market/listed.0")],
    ["listed.2", invented("market/listed.2")],
    ["other/listed", invented("other/listed.0")],
    ["", undefined],
    [5, undefined],
    [null, undefined],
    [[a], undefined],
  ])("%j is %s", (name, address) => {
    expect(namesOf().address(name)).toBe(address);
  });

  it("may be symbols of tokens: of a well-known one before others, of the first otherwise", () => {
    const names = namesOf(
      ["X", a, false],
      ["Y", b, false],
      ["X", c, true],
      ["Y", a, false],
      ["X", b, false],
      ["pool", c, true],
    );
    expect(["X", "Y", "Z", "x", "pool"].map((name) => names.address(name))).toEqual([c, b, undefined, undefined, a]);
    expect(names.address("X")).toBe(c);
  });

  it("are functions and events of the file, or of another one", () => {
    const names = namesOf();
    expect(["run", "other/run", "none/run", "stop"].map((name) => names.item(name)?.name)).toEqual([
      ...["run", "run", undefined, undefined],
    ]);
  });

  it("are suggested among people, contracts, members and signatures", () => {
    const names = namesOf();
    expect(["alcie", "pol", "lsted", "rum", "nothing at all", "pool"].map((name) => names.suggest(name))).toEqual([
      ...["alice", "pool", "listed", "run", undefined, undefined],
    ]);
  });
});

describe("what proves a member that is named", () => {
  /** Reads and logs that names ask for. */
  const asked = (...named: string[]) => {
    const names = namesOf();
    for (const name of named) names.address(name);
    return [
      names.reads.map(({ to, data, result }) => [to, data, result]),
      names.created.map(({ address, proof }) => [address, proof]),
    ];
  };
  const [listed, own, fresh, both] = ["listed", "own", "fresh", "both"].map((role) =>
    invented(`market/${role}.0`),
  ) as never as [...[`0x${string}`, `0x${string}`, `0x${string}`, `0x${string}`]];
  const call = (address: `0x${string}`) => `${read.hash}${pad(address).slice(2)}`;

  it("is a read of its registry, once", () => {
    expect(asked("listed", "own", "listed")).toEqual([
      [
        [maker, call(listed), pad("0x1")],
        [maker, call(own), pad(own)],
      ],
      [],
    ]);
  });

  it("is the event of its factory where nothing else is, or nothing", () => {
    expect(asked("fresh", "fresh")).toEqual([[], [[fresh, created]]]);
    expect(asked("both")).toEqual([[[maker, call(both), pad("0x1")]], []]);
    expect(asked("plain", "pool", "alice")).toEqual([[], []]);
  });
});

describe("values that nobody states", () => {
  const typeOf = (text: string) => (parseSignature(`function f(${text} x)`) as FunctionItem).inputs.items[0] as AbiType;
  it.each<[string, number, unknown]>([
    ["uint8", 5, 5n],
    ["int256", 0, 0n],
    ["address", 17, `0x${"0".repeat(38)}11`],
    ["bool", 1, false],
    ["bytes4", 17, "0x00000011"],
    ["bytes32", 0, pad("0x0")],
    ["bytes", 3, "0x"],
    ["string", 3, ""],
    ["uint8[]", 3, []],
    ["uint8[2]", 3, [3n, 3n]],
    ["(bool on, uint8 n)", 3, [false, 3n]],
  ])("of %s by %d", (text, seed, value) => {
    expect(plainValue(typeOf(text), seed)).toEqual(value);
  });
});

describe("logs that are made", () => {
  it("have indexed arguments as topics and the others as data", () => {
    const log = encodeLog(made, b, [a, c, [1n, 2n]]);
    expect(log).toEqual({
      address: b,
      topics: [made.hash, pad(a)],
      data: encodeAbiParameters(parseAbiParameters("address, uint8[2]"), [c, [1, 2]]),
    });
  });

  it("of a creation are the first factory's, about the contract", () => {
    const log = { address: maker, topics: [made.hash, pad(zeroAddress)] };
    const data = encodeAbiParameters(parseAbiParameters("address, uint8[2]"), [b, [0, 0]]);
    expect(creationLog(created as never, b)).toEqual({ ...log, data });
    expect(creationLog({ ...created, factories: new Set() } as never, b)).toEqual({
      ...log,
      address: zeroAddress,
      data,
    });
  });
});
