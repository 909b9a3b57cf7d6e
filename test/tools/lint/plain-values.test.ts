import { pad } from "viem/utils";
import { describe, expect, it } from "vitest";
import { toAddress } from "../../../src/kernel/address.ts";
import type { EventItem } from "../../../src/rules/abi/signature.ts";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { creationLog, encodeLog, plainValue } from "../../../src/tools/lint/examples/given-names.ts";
import { replaceByUntrusted, untrustedAt } from "../../../src/tools/lint/examples/untrusted.ts";
import { build, refusalOf } from "./given-example.ts";
import { base, bob, world } from "./weak-original.ts";

describe("the plainest value of a type", () => {
  const values = (types: string, seed: number) =>
    parseSignature(`function f(${types})`).inputs.items.map((type) => plainValue(type, seed));

  it("is told apart by a number where the type has room", () => {
    expect(values("uint8 a, int256 b, address c, bytes2 d, bytes32 e", 26)).toEqual([
      ...[26n, 26n, `0x${"0".repeat(38)}1a`, "0x001a", `0x${"0".repeat(62)}1a`],
    ]);
    expect(values("bool a, bytes b, string c", 26)).toEqual([false, "0x", ""]);
    expect(values("(uint8 x, bool y) a, uint8[] b, uint8[2] c", 3)).toEqual([[3n, false], [], [3n, 3n]]);
  });
});

const created = parseSignature("event Made(uint8 kind, address indexed pool, bool on)") as EventItem;
const party = (digit: string) => toAddress(`0x${digit.repeat(40)}`);
const [factory, pool, other] = [party("d"), party("e"), party("c")];
const word = (n: number) => n.toString(16).padStart(64, "0");

describe("a log of an example", () => {
  it("has what is indexed in topics, the rest in its data", () => {
    expect(encodeLog(created, bob, [7n, pool, true])).toEqual({
      ...{ address: bob, topics: [created.hash, pad(pool)], data: `0x${word(7)}${word(1)}` },
    });
    const proof = { event: created, argument: 1, factories: new Set([factory, bob]) };
    expect(creationLog(proof, pool)).toEqual(encodeLog(created, factory, [0n, pool, false]));
    expect(creationLog({ ...proof, factories: new Set() }, pool).address).toBe(toAddress(`0x${"0".repeat(40)}`));
  });
});

describe("members that a factory made", () => {
  const factories = new Set([factory]);
  const member = { role: "pool", proofs: [{ kind: "created" as const, factories, event: created, argument: 1 }] };
  const announced = creationLog({ event: created, argument: 1, factories }, pool);
  const said = (address: string) => ({ address, topics: ["0x01"], data: pad(pool) });
  const replaced = (to: string | null, ...logs: object[]) => {
    const file = { ...base, transaction: { ...base.transaction, to }, receipt: { ...base.receipt, logs } };
    const copy = replaceByUntrusted(file as never, { addresses: [], members: [member] }, world.labels);
    return { same: copy === (file as never), to: copy.transaction.to, logs: copy.receipt.logs };
  };
  const stranger = untrustedAt(0);

  it("are replaced wherever they stand but in the log that proves them", () => {
    const copied = { ...said(stranger), data: pad(stranger) };
    expect(replaced(bob, announced, said(pool), said(other))).toEqual({
      ...{ same: false, to: bob, logs: [announced, copied, { ...said(other), data: pad(stranger) }] },
    });
    expect(replaced(pool, announced)).toEqual({ same: false, to: stranger, logs: [announced] });
    expect(replaced(null, announced, said(pool))).toEqual({ same: false, to: null, logs: [announced, copied] });
  });

  it("are none without a proof", () => {
    const logs = [said(pool), said(other)];
    expect(replaced(bob, ...logs)).toEqual({ same: true, to: bob, logs });
    expect(replaced(bob, { ...announced, address: other }, said(pool)).same).toBe(true);
  });
});

describe("a number of an example", () => {
  it("may be the address of a name, but no name that begins with a digit", () => {
    const [usdc] = base.receipt.logs.map(({ address }) => address);
    expect(build({ call: { run: { size: "USDC" } } }).transaction.input.slice(10)).toBe(
      pad(usdc as typeof bob).slice(2),
    );
    // A token has this symbol.
    expect(refusalOf({ call: { run: { size: "1INCH" } } })).toMatchObject({ at: ["call", "run", "size"] });
  });
});
