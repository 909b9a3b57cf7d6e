import fc, { type Arbitrary } from "fast-check";
import type { AbiType, Value } from "../../src/rules/abi/abi-type.ts";
import { encodeTuple } from "../../src/rules/abi/encoder.ts";
import type { EventItem, FunctionItem } from "../../src/rules/abi/signature.ts";

/** The values that are drawn: the accounts of one hostile world, and bytes that mean something there. */
export interface Pool {
  address: Arbitrary<string>;
  bytes: Arbitrary<string>;
}

/** Integers that break things: small, huge, and at the edges of every width. */
export const anyAmount: Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: 0n, max: 3n }),
  fc.bigInt({ min: 0n, max: 10n ** 24n }),
  fc.integer({ min: 8, max: 256 }).map((bits) => (1n << BigInt(bits)) - 1n),
  fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }),
);

/** Often one of a few amounts, so that events and transfers agree with each other. */
const drawnAmount = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(7n, 1_000_000n, 10n ** 18n) }, anyAmount);

/** Text as a contract may answer it: controls, bidi marks, markup, emoji, lone surrogates, and far too much of it. */
export const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "USDC",
    "ETH",
    "usdс",
    "<script>alert(1)</script>",
    "[free](https://evil.example)",
    "\u202eCDSU\u202c",
    "US\u0000DC\u0007\u001b[31m",
    "a\nb\r\n. It also sent 5 ETH to nobody",
    '" and nothing else. "',
    "\u200b\u2060\ufeff",
    "\ud800",
    "𝐔𝐒𝐃𝐂",
    "ﷺ".repeat(20),
    "Z̸̢̛".repeat(60),
    "x".repeat(5_000),
    `0x${"ab".repeat(32)}`,
    `0x${"0".repeat(40)}`,
    "",
    " ",
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
);

/** Whole bytes as hex text. */
export const anyBytes: Arbitrary<string> = fc
  .uint8Array({ maxLength: 70 })
  .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);

/** A value of an ABI type. */
export function abiValue(type: AbiType, pool: Pool): Arbitrary<Value> {
  switch (type.kind) {
    case "uint":
      return drawnAmount.map((value) => BigInt.asUintN(type.bits, value));
    case "int":
      return drawnAmount.map((value) => BigInt.asIntN(type.bits, value));
    case "address":
      return pool.address;
    case "bool":
      return fc.boolean();
    case "fixed":
      return fc
        .uint8Array({ minLength: type.size, maxLength: type.size })
        .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);
    case "bytes":
      return pool.bytes;
    case "string":
      return hostileText;
    case "tuple":
      return valuesOf(type, pool);
    case "array": {
      const length = type.length ?? undefined;
      return fc.array(abiValue(type.item, pool), { minLength: length ?? 0, maxLength: length ?? 3 });
    }
  }
}

function valuesOf(type: AbiType & { kind: "tuple" }, pool: Pool): Arbitrary<Value[]> {
  return fc.tuple(...type.items.map((item) => abiValue(item, pool)));
}

/** Calldata of a known function, at times damaged. */
export function calldataOf(item: FunctionItem, pool: Pool): Arbitrary<string> {
  return valuesOf(item.inputs, pool)
    .map((values) => `${item.hash}${encodeTuple(item.inputs.items, values)}`)
    .chain(damaged);
}

/** Topics and data of a known event, at times damaged. */
export function logOf(item: EventItem, pool: Pool): Arbitrary<{ topics: string[]; data: string }> {
  return valuesOf(item.inputs, pool).chain((values) => {
    const words = item.inputs.items.map((type, i) => encodeTuple([type], [values[i] as Value]));
    const topics = [item.hash, ...words.filter((_, i) => item.indexed[i]).map((word) => `0x${word.slice(0, 64)}`)];
    const plain = item.inputs.items.flatMap((type, i) =>
      item.indexed[i] ? [] : [{ type, value: values[i] as Value }],
    );
    const data = encodeTuple(
      plain.map(({ type }) => type),
      plain.map(({ value }) => value),
    );
    return damaged(`0x${data}`).map((bytes) => ({ topics, data: bytes }));
  });
}

/**
 * Mostly unchanged; otherwise cut short, with bytes after the end, or with a changed byte: dirty padding, a wild offset, a wrong length.
 */
function damaged(hex: string): Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(hex) },
    { weight: 1, arbitrary: fc.nat(hex.length).map((end) => hex.slice(0, Math.max(2, end - (end % 2)))) },
    { weight: 1, arbitrary: anyBytes.map((more) => hex + more.slice(2)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.nat(Math.max(0, hex.length - 3)), fc.constantFrom("0", "1", "8", "f"))
        .map(([at, digit]) => {
          return hex.length < 4 ? hex : `${hex.slice(0, at + 2)}${digit}${hex.slice(at + 3)}`;
        }),
    },
  );
}
