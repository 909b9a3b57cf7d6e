import fc from "fast-check";
import { concat, type Hex, hashStruct, keccak256 } from "viem";
import { describe, expect, it } from "vitest";
import { parseMessage } from "../../../src/rules/abi/message.ts";
import { baseType, encodeType, type StructTypes, typeHash } from "../../../src/rules/abi/struct-type.ts";
import { ruleset } from "../../property/world.ts";

const zeroWord = `0x${"0".repeat(64)}` as Hex;

/** EIP-712 `hashStruct` of a struct of zeros and empty lists, made with our type hashes. */
function zeroHash(name: string, types: StructTypes): Hex {
  const words = (types.get(name) ?? []).map(({ type }): Hex => {
    if (type.endsWith("]") || type === "string" || type === "bytes") return keccak256("0x");
    return types.has(baseType(type)) ? zeroHash(type, types) : zeroWord;
  });
  return keccak256(concat([typeHash(encodeType(name, types)), ...words]));
}

function zeroValue(type: string, types: StructTypes): unknown {
  if (type.endsWith("]")) return [];
  const fields = types.get(type);
  if (fields !== undefined) return Object.fromEntries(fields.map((one) => [one.name, zeroValue(one.type, types)]));
  if (type === "string") return "";
  if (type === "bytes") return "0x";
  if (type === "bool") return false;
  if (type === "address") return `0x${"0".repeat(40)}`;
  const size = /^bytes(\d+)$/.exec(type)?.[1];
  return size === undefined ? 0n : `0x${"00".repeat(Number(size))}`;
}

/** What viem makes of the same struct. */
function hashOfViem(primaryType: string, types: StructTypes): Hex {
  const data = zeroValue(primaryType, types) as Record<string, unknown>;
  return hashStruct({
    data,
    primaryType,
    types: Object.fromEntries([...types].map(([name, fields]) => [name, [...fields]])),
  });
}

const elementary = fc.constantFrom(
  "address",
  "bool",
  "string",
  "bytes",
  "bytes4",
  "bytes32",
  "uint8",
  "uint256",
  "int128",
);

/** Structs S0, S1, …. Each refers only to later ones, so none contains itself. */
const structs: fc.Arbitrary<StructTypes> = fc.integer({ min: 1, max: 6 }).chain((count) => {
  const fieldOf = (from: number) => {
    const later = Array.from({ length: count - from - 1 }, (_, i) => `S${from + 1 + i}`);
    const base = later.length === 0 ? elementary : fc.oneof(elementary, fc.constantFrom(...later));
    return fc.tuple(base, fc.constantFrom("", "", "[]")).map(([type, tail]) => `${type}${tail}`);
  };
  const one = (at: number) =>
    fc
      .array(fieldOf(at), { minLength: 1, maxLength: 5 })
      .map((types) => types.map((type, i) => ({ name: `f${i}`, type })));
  const all = Array.from({ length: count }, (_, at) => one(at));
  return fc.tuple(...all).map((lists) => new Map(lists.map((fields, at) => [`S${at}`, fields])));
});

describe("type hashes", () => {
  it("are those of viem, whatever the structs are", () => {
    fc.assert(fc.property(structs, (types) => zeroHash("S0", types) === hashOfViem("S0", types)));
  });

  it("are those of viem for every message that a rule knows", () => {
    const rules = [...ruleset.messages.values()].flat();
    expect(rules.length).toBeGreaterThan(35);
    for (const { message } of rules) {
      expect(zeroHash(message.name, message.types)).toBe(hashOfViem(message.name, message.types));
      expect(message.hash).toBe(typeHash(encodeType(message.name, message.types)));
    }
  });

  it.each([
    // What the contracts have as constants.
    ["permit2/sign-permit", "0xf3841cd1ff0085026a6327b620b67997ce40f282c88a8e905a7a5626e310f3d0"],
    ["permit2/sign-permit-batch", "0xaf1b0d30d2cab0380e68f0689007e3254993c596f2fdd0aaa7f4d04f79440863"],
    ["permit2/sign-transfer", "0x939c21a48a8dbe3a9a2404a1d46691e4d39f6583d6ec6b35714604c986d80106"],
    ["erc20/sign-permit", "0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9"],
    ["erc20/sign-permit-dai", "0xea2aa0a1be11a07ed86d755c93467f4f82362b452371d1ba94d1715123511acb"],
    ["nft/sign-permit", "0x49ecf333e5b8c95c40fdafc95c1ad136e8914a8fb55e9dc8bb01eaa83a2df9ad"],
    ["x402/sign-transfer", "0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267"],
    ["x402/sign-receive", "0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8"],
    ["x402/sign-cancel", "0x158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429"],
    ["cow-protocol/sign-sell", "0xd5a25ba2e97094ad7d83dc28a6572da797d6b3e7fc6663bd93efb789fc17e489"],
    ["safe/sign-transaction", "0xbb8310d486368db6bd6f849402fdd73ad53d316b5a4b2644ad6efe0f941286d8"],
    ["safe/sign-message", "0x60b3cbf8b4a223d68d641b3b6ddf9a298e7f33710cf3d3a9d1146b5a6150fbca"],
    ["safe/sign-operation", "0xc03dfc11d8b10bf9cf703d558958c8c42777f785d998c62060d85a4f0ef6ea7f"],
    ["safe/sign-operation-v6", "0x84aa190356f56b8c87825f54884392a9907c23ee0f8e1ea86336b763faf021bd"],
    ["zeroex/sign-limit-order", "0xce918627cb55462ddbb85e73de69a8b322f2bc88f4507c52fcad6d4c33c29d49"],
    ["zeroex/sign-rfq-order", "0xe593d3fdfa8b60e5e17a1b2204662ecbe15c23f2084b9ad5bae40359540a7da9"],
  ])("of %s is the contract's own", (id, hash) => {
    const rule = [...ruleset.messages.values()].flat().find((one) => one.id === id);
    expect(rule?.message.hash).toBe(hash);
  });
});

describe("the text of a message", () => {
  it("may have blanks, and its structs in any order", () => {
    const types = "Fee(address to,uint256 amount)Note(string text)";
    const one = parseMessage(`message Order(address maker,Fee[] fees,Note note)${types}`);
    const other = parseMessage(
      "message  Order( address maker , Fee[] fees, Note note ) Note(string text) Fee(address to, uint256 amount)",
    );
    expect(one.signature).toBe(`Order(address maker,Fee[] fees,Note note)${types}`);
    expect(other.hash).toBe(one.hash);
  });

  it.each([
    ["message ", "a struct was expected behind `message`"],
    ["message Order", "no struct begins at `Order`"],
    ["message Order(address)", "`address` is no member"],
    ["message Order(address maker) Fee(uint256 amount)", "a struct is there that Order does not refer to"],
    ["message Order(Fee fee)", "the struct Fee is missing"],
    ["message Order(uint7 fee)", "the struct uint7 is missing"],
    ["message Order(Order inner)", "the struct Order holds itself"],
    ["message Order(uint8 a) Order(uint8 b)", "the struct Order is there twice"],
    ["message Order(uint8[x] a)", "`uint8[x]` is no type"],
  ])("%j is refused: %s", (text, problem) => {
    expect(() => parseMessage(text)).toThrow(problem);
  });
});
