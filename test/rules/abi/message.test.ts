import { describe, expect, it } from "vitest";
import { type AbiType, headWords, tupleOf, typeText } from "../../../src/rules/abi/abi-type.ts";
import { compileReader, decode } from "../../../src/rules/abi/decoder.ts";
import { opensWith, parseMessage } from "../../../src/rules/abi/message.ts";
import {
  itemOf,
  learnedSignatures,
  learnSignatures,
  type SignatureFacts,
  signatureFacts,
} from "../../../src/rules/abi/signature.ts";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import {
  baseType,
  elementaryLayout,
  encodeType,
  isElementary,
  structLayout,
} from "../../../src/rules/abi/struct-type.ts";

const structs = (text: string) => parseMessage(`message ${text}`).types;

describe("a message", () => {
  it("is its struct, with those that it is made of", () => {
    const { kind, name, signature, tree, open, inputs, types } = parseMessage(
      "message Order(address maker, Fee[] fees) Fee(address to, uint96 amount)",
    );
    expect({ kind, name, signature, tree, open }).toEqual({
      ...{ kind: "message", name: "Order", tree: null, open: false },
      signature: "Order(address maker,Fee[] fees)Fee(address to,uint96 amount)",
    });
    expect([inputs.names, inputs.items.map(typeText), [...types.keys()]]).toEqual([
      ...[
        ["maker", "fees"],
        ["address", "(address,uint96)[]"],
        ["Order", "Fee"],
      ],
    ]);
    expect(parseMessage("message Nothing()").inputs.items).toEqual([]);
    expect(parseMessage("message  Nothing( ) ").signature).toBe("Nothing()");
    const text = "message Same(address maker)";
    expect(parseMessage(text)).toBe(parseMessage(text));
  });

  it("is open where its first struct says so, as the last member", () => {
    const { open, inputs, signature } = parseMessage("message Open(address maker, ...)");
    expect([open, inputs.names, signature]).toEqual([true, ["maker"], "Open(address maker)"]);
    expect(() => parseMessage("message Open(..., address maker)")).toThrow("`...` is no member");
    expect(() => parseMessage("message Open(Item item) Item(address maker, ...)")).toThrow("`...` is no member");
  });

  it("may have a tree, in any of its places", () => {
    const { tree, signature, inputs } = parseMessage("message Bulk(address who, Leaf[2]... tree) Leaf(uint8 n)");
    expect([tree?.member, tree?.taller.length, signature]).toEqual([
      ...[1, 9, "Bulk(address who,Leaf[2] tree)Leaf(uint8 n)"],
    ]);
    expect(inputs.items.map(typeText)).toEqual(["address", "(uint8)[]"]);
  });

  it.each([
    ["message !Order(address a)", "no struct begins at `!Order(address a)`"],
    ["message Order(address a) and a lot more text", "no struct begins at `and a lot more text`"],
    ["message Order(address a) and a lot more text than that", "no struct begins at `and a lot more text `"],
    ["message Order(address a b)", "`address a b` is no member"],
    ["message Order(address 1a)", "`address 1a` is no member"],
    ["message Order(address a, )", "`` is no member"],
    ["message Order([2] a)", "`[2]` is no type"],
    ["message Order(uint8[2]x a)", "`uint8[2]x` is no type"],
    ["message Order(Fee[2] a)", "the struct Fee is missing"],
    ["message ", "a struct was expected behind `message`"],
    ["message   ", "a struct was expected behind `message`"],
  ])("%j is none: %s", (text, problem) => {
    expect(() => parseMessage(text)).toThrow(new Error(problem));
  });
});

describe("a message that is open", () => {
  const item = parseMessage("message Permit(address to, Item item, ...) Item(address token, uint256 amount)");
  it.each<[boolean, string, string]>([
    [true, "Permit", "Permit(address to, Item item) Item(address token, uint256 amount)"],
    [true, "Permit", "Permit(address to, Item item, uint8 more) Item(address token, uint256 amount)"],
    [true, "Permit", "Permit(address to, Item item, Other o) Item(address token, uint256 amount) Other(uint8 n)"],
    [false, "Other", "Other(address to, Item item) Item(address token, uint256 amount)"],
    [false, "Other", "Other(Permit p) Permit(address to, Item item) Item(address token, uint256 amount)"],
    [false, "Permit", "Permit(address to)"],
    [false, "Permit", "Permit(address to, Item thing) Item(address token, uint256 amount)"],
    [false, "Permit", "Permit(address to, Item[] item) Item(address token, uint256 amount)"],
    [false, "Permit", "Permit(Item item, address to) Item(address token, uint256 amount)"],
    [false, "Permit", "Permit(address to, Item item) Item(address token, uint256 amount, bool on)"],
    [false, "Permit", "Permit(address to, Item item) Item(address token)"],
    [false, "Permit", "Permit(address to, Item item) Item(address token, uint128 amount)"],
  ])("is the beginning: %s, of %s in %s", (expected, primary, text) => {
    expect(opensWith(item, primary, structs(text))).toBe(expected);
  });
});

describe("types of structs", () => {
  it.each([
    ["address bool string bytes bytes1 bytes9 bytes10 bytes29 bytes32 uint int uint8 int256 uint96 int24", true],
    ["bytes0 bytes33 bytes01 uint0 uint7 uint4 uint264 uint08 int12 uint1000 Uint8 address[] fixed function", false],
  ])("%s are elementary: %s", (types, expected) => {
    expect(types.split(" ").filter((type) => isElementary(type) !== expected)).toEqual([]);
  });

  it("are written with those that they refer to, sorted, each once", () => {
    const types = structs("A(C c, B[] b, C[2] d) B(C c) C(uint8 n)");
    expect(encodeType("A", types)).toBe("A(C c,B[] b,C[2] d)B(C c)C(uint8 n)");
    expect(encodeType("B", types)).toBe("B(C c)C(uint8 n)");
    expect(encodeType("Z", types)).toBe("Z()");
    const own = new Map([["A", [{ name: "a", type: "A[]" }]]]);
    expect(encodeType("A", own)).toBe("A(A[] a)");
    expect(() => structLayout("A", own)).toThrow("the struct A holds itself");
    const unsorted = structs("M(Z z, a b, A c) Z(uint8 n) a(uint8 n) A(uint8 n)");
    expect(encodeType("M", unsorted)).toBe("M(Z z,a b,A c)A(uint8 n)Z(uint8 n)a(uint8 n)");
    expect([baseType("A[2][]"), baseType("A"), baseType("[2]")]).toEqual(["A", "A", ""]);
  });
});

describe("the layout of a type", () => {
  const layout = (type: string) => elementaryLayout(type);
  it.each<[string, AbiType]>([
    ["uint", { kind: "uint", bits: 256, dynamic: false, words: 1 }],
    ["int24", { kind: "int", bits: 24, dynamic: false, words: 1 }],
    ["bytes7", { kind: "fixed", size: 7, dynamic: false, words: 1 }],
    ["bool", { kind: "bool", dynamic: false, words: 1 }],
    ["bytes", { kind: "bytes", dynamic: true, words: 1 }],
    ["string", { kind: "string", dynamic: true, words: 1 }],
    [
      "uint8[3]",
      {
        ...{ kind: "array", length: 3, dynamic: false, words: 3 },
        item: { kind: "uint", bits: 8, dynamic: false, words: 1 },
      },
    ],
    [
      "bytes[2]",
      { kind: "array", length: 2, dynamic: true, words: 1, item: { kind: "bytes", dynamic: true, words: 1 } },
    ],
  ])("%s", (type, expected) => {
    expect(layout(type)).toEqual(expected);
    expect(typeText(layout(type))).toBe(type === "uint" ? "uint256" : type);
  });

  it("of a tuple has the words of its parts, and one where a part is elsewhere", () => {
    const of = (...types: string[]) => tupleOf(types.map((type) => ({ type })));
    const fixed = of("uint8[2][3]", "address");
    expect([fixed.words, fixed.dynamic, fixed.names, headWords(fixed.items)]).toEqual([7, false, ["", ""], 7]);
    const dynamic = of("uint8[2][3]", "bytes");
    expect([dynamic.words, dynamic.dynamic, headWords(dynamic.items)]).toEqual([1, true, 7]);
    expect(typeText(of("uint8[2][]", "bytes4"))).toBe("(uint8[2][],bytes4)");
    expect(() => layout("function")).toThrow("unsupported ABI type function");
    expect(() => layout("fixed128x18")).toThrow("unsupported ABI type fixed128x18");
  });
});

describe("signatures that were read", () => {
  it("are known by their facts, and asked of the parser once", () => {
    const text = "function onlyHere(address who, uint256 amount) returns (bool)";
    const first = parseSignature(text);
    const facts = signatureFacts()[text] as SignatureFacts;
    expect([facts.signature, facts.hash, first.signature]).toEqual([
      ...["onlyHere(address,uint256)", first.hash, "onlyHere(address,uint256)"],
    ]);
    const never = () => {
      throw new Error("asked again");
    };
    expect(itemOf(text, never)).toBe(first);
    expect(learnedSignatures.read(text)).toBe(first);
    expect(() => learnedSignatures.read("function nowhere()")).toThrow("the compiled rules lack this signature");
    expect(learnedSignatures.mistakeIn("x")).toBeUndefined();
    learnSignatures({ "function told(address who)": facts });
    expect(itemOf("function told(address who)", never)).toMatchObject({ name: "onlyHere", step: false });
  });

  it("have what stands in them", () => {
    const step = parseSignature("step RUN(bytes data, (address to, uint8 n)[2] list)");
    expect(step).toMatchObject({
      kind: "function",
      step: true,
      name: "RUN",
      signature: "RUN(bytes,(address,uint8)[2])",
    });
    const plain = parseSignature("function RUN(bytes data, (address to, uint8 n)[2] list)");
    expect([step.hash === plain.hash, step.hash.length]).toEqual([false, 10]);
    const error = parseSignature("error Denied(address who)");
    expect(error).toMatchObject({ kind: "error", step: false, outputs: { items: [] } });
    const view = parseSignature("function get(address a) view returns (uint256 n, bool on)");
    expect(view).toMatchObject({ outputs: { names: ["n", "on"] } });
    const event = parseSignature("event E(address indexed a, bytes indexed b, bytes c)");
    expect(event).toMatchObject({ kind: "event", indexed: [true, true, false], topics: 3 });
    expect(event.inputs.items.map(typeText)).toEqual(["address", "bytes32", "bytes"]);
  });

  it("share the reader of events that differ in names only", () => {
    const [a, b, c] = ["a", "b", "indexed c"].map((name) => parseSignature(`event Shared(address ${name})`));
    expect([a?.read === b?.read, a?.read === c?.read]).toEqual([true, false]);
  });

  it("say of an event which data it cannot be", () => {
    const event = parseSignature("event F(address indexed a, uint8 b)");
    const word = (value: string) => value.padStart(64, "0");
    const topics = [event.hash, `0x${word("ab".repeat(20))}`];
    if (event.kind !== "event") throw new Error("an event was expected");
    expect(event.read(topics, `0x${word("5")}`)).toEqual([`0x${"ab".repeat(20)}`, 5n]);
    expect([event.read(topics, "0x"), event.read(topics, `0x${word("100")}`), event.read([event.hash], "0x")]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
    expect(event.read([event.hash, `0x1${word("").slice(1)}`], `0x${word("5")}`)).toBeUndefined();
    expect(() => event.read([event.hash, null as never], `0x${word("5")}`)).toThrow(TypeError);
  });

  it("let no error of our own pass for data that is none", () => {
    const reader = compileReader(tupleOf([{ type: "address" }]));
    expect(() => decode(reader, null as never, 2)).toThrow(TypeError);
    expect(decode(reader, "0x", 2)).toBeUndefined();
  });
});
