import fc from "fast-check";
import {
  encodeAbiParameters,
  encodeEventTopics,
  parseAbiItem,
  parseAbiParameters,
  toEventSelector,
  toFunctionSelector,
} from "viem";
import { describe, expect, it } from "vitest";
import { limits } from "../../../src/kernel/limits.ts";
import { compileReader, decode } from "../../../src/rules/abi/decoder.ts";
import { encodeTuple } from "../../../src/rules/abi/encoder.ts";
import type { EventItem, FunctionItem } from "../../../src/rules/abi/signature.ts";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { type Typed, typed } from "./abi-value.ts";

const parameters = fc.array(typed, { minLength: 1, maxLength: 5 });

function parse(list: readonly Typed[], prefix = "function f"): FunctionItem {
  return parseSignature(`${prefix}(${list.map(({ type }, i) => `${type} a${i}`).join(", ")})`) as FunctionItem;
}

/** The encoding of viem, which is another author's reading of the ABI specification. */
function viemEncoding(list: readonly Typed[]): string {
  const types = parseAbiParameters(list.map(({ type }, i) => `${type} a${i}`).join(", "));
  return encodeAbiParameters(types, list.map(({ viem }) => viem) as never);
}

describe("arguments of any type", () => {
  it("are encoded as viem encodes them", () => {
    fc.assert(
      fc.property(parameters, (list) => {
        const item = parse(list);
        expect(
          `0x${encodeTuple(
            item.inputs.items,
            list.map(({ value }) => value),
          )}`,
        ).toBe(viemEncoding(list));
      }),
    );
  });

  it("are read back, whatever follows them", () => {
    fc.assert(
      fc.property(parameters, fc.uint8Array({ maxLength: 40 }), (list, rest) => {
        const item = parse(list);
        const values = list.map(({ value }) => value);
        const data = `${item.hash}${encodeTuple(item.inputs.items, values)}${Buffer.from(rest).toString("hex")}`;
        expect(item.read(data)).toEqual(values);
      }),
    );
  });

  it("are not read from data that was cut", () => {
    fc.assert(
      fc.property(parameters, fc.nat(), (list, seed) => {
        const item = parse(list);
        const body = encodeTuple(
          item.inputs.items,
          list.map(({ value }) => value),
        );
        // An encoding may end with the padding of a dynamic value. What comes before its last word is always needed.
        const kept = body.length - 64 <= 0 ? 0 : seed % (body.length - 64);
        fc.pre(body.length > 0 && !endsInEmptyTail(list));
        expect(item.read(item.hash + body.slice(0, kept))).toBeUndefined();
      }),
    );
  });

  it("never make the reader throw, whatever the data is", () => {
    const mixed = fc.array(
      fc.oneof(
        fc.nat({ max: 300 }).map((n) => n.toString(16).padStart(64, "0")),
        fc.uint8Array({ maxLength: 33 }).map((bytes) => Buffer.from(bytes).toString("hex")),
      ),
    );
    fc.assert(
      fc.property(parameters, mixed, (list, words) => {
        const values = parse(list).read(`0x12345678${words.join("")}`);
        expect(values === undefined || values.length === list.length).toBe(true);
      }),
    );
  });
});

/** Whether the tail of the list holds nothing, or less than a word after its length. */
function endsInEmptyTail(list: readonly Typed[]): boolean {
  return list.some(({ value }) => Array.isArray(value) || value === "0x" || value === "");
}

describe("what is not an encoding is not read", () => {
  const word = (digits: string) => digits.padStart(64, "0");
  const read = (types: string, ...words: string[]) =>
    (parseSignature(`function f(${types})`) as FunctionItem).read(`0x12345678${words.join("")}`);

  it.each([
    ["an address with dirty padding", "address a", [`${"1".padEnd(24, "0")}${"a".repeat(40)}`]],
    ["a bool that is neither", "bool a", [word("2")]],
    ["a bool with a high bit", "bool a", [`1${word("1").slice(1)}`]],
    ["a uint8 above its range", "uint8 a", [word("100")]],
    ["an int8 that is not sign-extended", "int8 a", [word("ff")]],
    ["bytes4 with dirty padding", "bytes4 a", [`${"12345678".padEnd(63, "0")}1`]],
    ["an offset beyond the data", "bytes a", [word("40"), word("0")]],
    ["an offset of 2^32 and more", "bytes a", [word("100000000"), word("0")]],
    ["a length beyond the data", "bytes a", [word("20"), word("21"), word("0")]],
    ["an array longer than its data", "uint256[] a", [word("20"), word("2"), word("1")]],
    ["half a word", "uint256 a", ["00"]],
  ])("%s", (_, types, words) => {
    expect(read(types, ...words)).toBeUndefined();
  });

  it("nor arrays of more elements than are allowed", () => {
    const many = limits.arrayItemsMax + 1;
    const data = [word("20"), word(many.toString(16)), ...Array.from({ length: many }, () => word("1"))];
    expect(read("uint256[] a", ...data)).toBeUndefined();
    expect(
      read("uint256[] a", data[0] as string, word(limits.arrayItemsMax.toString(16)), ...data.slice(2))?.[0],
    ).toHaveLength(limits.arrayItemsMax);
  });

  it("but reads of other data after that work", () => {
    const reader = compileReader((parseSignature("function f(bool a)") as FunctionItem).inputs);
    expect(decode(reader, `0x${word("2")}`, 2)).toBeUndefined();
    expect(decode(reader, `0x${word("1")}`, 2)).toEqual([true]);
  });
});

describe("signatures", () => {
  it.each(["transfer(address,uint256)", "f((uint256,address[])[2],bytes)", "g()"])(
    "hash as viem hashes them: %s",
    (signature) => {
      const named = signature
        .replace(/\b(address\[\]|address|uint256|bytes)(?=[,)])/g, (type, _, at) => `${type} x${at}`)
        .replace("[2],", "[2] y,");
      const item = parseSignature(`function ${named}`);
      expect({ signature: item.signature, hash: item.hash }).toEqual({
        signature,
        hash: toFunctionSelector(signature),
      });
      const event = parseSignature(`event ${named}`);
      expect(event.hash).toBe(toEventSelector(signature));
    },
  );

  it.each([
    ["function f(uint256)", /parameter 1 has no name/],
    ["event E(address indexed a, uint256)", /parameter 2 has no name/],
    ["function f(uint a", /./],
    ["function f(fixed128x18 a)", /./],
    ["event E(nonsense a)", /./],
  ])("%s does not parse", (text, message) => {
    expect(() => parseSignature(text)).toThrow(message);
  });

  it("read logs as viem writes them, indexed and not", () => {
    const flagged = fc
      .array(fc.tuple(typed, fc.boolean()), { minLength: 1, maxLength: 5 })
      .filter((list) => list.filter(([one, indexed]) => indexed || one.type === "").length <= 3);
    fc.assert(
      fc.property(flagged, (list) => {
        const simple = list.map(([one, indexed]): [Typed, boolean] => [
          one,
          indexed && !/[[(]|^bytes$|^string$/.test(one.type),
        ]);
        const text = `event E(${simple.map(([{ type }, indexed], i) => `${type}${indexed ? " indexed" : ""} a${i}`).join(", ")})`;
        const event = parseSignature(text) as EventItem;
        const abi = [parseAbiItem(text as "event E()")];
        const args = Object.fromEntries(simple.map(([one], i) => [`a${i}`, one.viem]));
        const topics = encodeEventTopics({ abi, eventName: "E", args } as never) as string[];
        const data = viemEncodingOrNothing(simple.flatMap(([one, indexed]) => (indexed ? [] : [one])));
        expect(event.topics).toBe(topics.length);
        expect(event.read(topics, data)).toEqual(simple.map(([one]) => one.value));
        expect(event.read([...topics, topics[0] as string], data)).toBeUndefined();
      }),
    );
  });

  it("give of an indexed text only its hash", () => {
    const event = parseSignature("event E(string indexed a, uint256[] indexed b)") as EventItem;
    const topics = [event.hash, `0x${"1".repeat(64)}`, `0x${"2".repeat(64)}`];
    expect(event.read(topics, "0x")).toEqual(topics.slice(1));
  });
});

function viemEncodingOrNothing(list: readonly Typed[]): string {
  return list.length === 0 ? "0x" : viemEncoding(list);
}
