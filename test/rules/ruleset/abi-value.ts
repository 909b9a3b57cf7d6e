import fc from "fast-check";
import type { Value } from "../../../src/rules/abi/abi-type.ts";

/** A type as Solidity writes it, with a value as the decoder gives it and as viem takes it. */
export interface Typed {
  type: string;
  value: Value;
  viem: unknown;
}

const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString("hex")}`;
const bytesOf = (size: number) => fc.uint8Array({ minLength: size, maxLength: size }).map(hexOf);

const integer = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 32 })).chain(([signed, size]) => {
  const bits = size * 8;
  const value = signed
    ? fc.bigInt({ min: -(1n << BigInt(bits - 1)), max: (1n << BigInt(bits - 1)) - 1n })
    : fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n });
  // viem takes small integers as numbers.
  return value.map(
    (one): Typed => ({ type: `${signed ? "int" : "uint"}${bits}`, value: one, viem: bits <= 48 ? Number(one) : one }),
  );
});
const simple = fc.oneof(
  integer,
  fc.boolean().map((one): Typed => ({ type: "bool", value: one, viem: one })),
  bytesOf(20).map((one): Typed => ({ type: "address", value: one, viem: one })),
  fc
    .integer({ min: 1, max: 32 })
    .chain((size) => bytesOf(size).map((one): Typed => ({ type: `bytes${size}`, value: one, viem: one }))),
  fc
    .uint8Array({ maxLength: 70 })
    .map(hexOf)
    .map((one): Typed => ({ type: "bytes", value: one, viem: one })),
  fc.string({ unit: "grapheme", maxLength: 40 }).map((one): Typed => ({ type: "string", value: one, viem: one })),
);

/** An array of values of one type. It has the type of the first value; the other values repeat to fit. */
function arrayOf(item: fc.Arbitrary<Typed>): fc.Arbitrary<Typed> {
  return fc.tuple(item, fc.integer({ min: 0, max: 3 }), fc.boolean()).map(([one, count, fixed]): Typed => {
    const length = fixed ? Math.max(count, 1) : count;
    const list = Array.from({ length }, () => one);
    return {
      type: `${one.type}[${fixed ? length : ""}]`,
      value: list.map((entry) => entry.value),
      viem: list.map((entry) => entry.viem),
    };
  });
}

function tupleOf(item: fc.Arbitrary<Typed>): fc.Arbitrary<Typed> {
  return fc.array(item, { minLength: 1, maxLength: 4 }).map(
    (items): Typed => ({
      type: `(${items.map(({ type }, i) => `${type} f${i}`).join(", ")})`,
      value: items.map(({ value }) => value),
      viem: Object.fromEntries(items.map(({ viem }, i) => [`f${i}`, viem])),
    }),
  );
}

/** Values of every ABI type, nested. */
export const typed: fc.Arbitrary<Typed> = fc.letrec<{ any: Typed }>((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, simple, arrayOf(tie("any")), tupleOf(tie("any"))),
})).any;
