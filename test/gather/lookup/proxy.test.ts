import { describe, expect, it } from "vitest";
import { addressIn, type CodeStep, createProxyReader } from "../../../src/gather/lookup/risk/proxy.ts";
import { type Address, zeroAddress } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import type { ProxyForm } from "../../../src/model/label.ts";

const addressOf = (digits: string) => `0x${digits.repeat(20)}` as Address;
const [at, next, owner] = [addressOf("a1"), addressOf("b2"), addressOf("c3")];
const word = (digits: string): Hex => `0x${digits.replace("0x", "").padStart(64, "0")}`;
const [zero, one, two] = ["0", "1", "2"].map(word) as [Hex, Hex, Hex];
const slots = ["51", "52", "53"].map(word) as [Hex, Hex, Hex];
const forms: ProxyForm[] = [
  { kind: "eip7702", code: "0xef0100{target}" },
  { kind: "eip1167", code: "0x3636{target}5af4" },
  { kind: "eip1967", slot: slots[0] },
  { kind: "beacon", slot: slots[1], asks: "function implementation() view returns (address)" },
  {
    ...{ kind: "safe", slot: slots[2], contains: "0xa619", shorter_than: 8 },
    owner: "function isOwner(address owner) view returns (bool)",
  },
  { kind: "diamond", asks: "function facetAddress(bytes4 selector) view returns (address)" },
];
const reader = createProxyReader(forms);
const facetCall = `0xcdffacc6${"12345678".padEnd(64, "0")}`;
const ownerCall = `0x2f54bf6e${word(owner).slice(2)}`;
const selector = "0x12345678";

describe("what is read of an address", () => {
  const state = [{ kind: "code", address: at }, ...slots.map((slot) => ({ kind: "storage", address: at, slot }))];
  it.each<[string, Hex | null, Address | null, string[]]>([
    ["code and slots", null, null, []],
    ["the facet of a selector, too", selector, null, [facetCall]],
    ["whether somebody owns it, too", null, owner, [ownerCall]],
    ["all of it", selector, owner, [facetCall, ownerCall]],
  ])("is %s", (_name, called, asked, calls) => {
    const question = { address: at, selector: called, owner: asked };
    expect(reader.reads(question)).toEqual([...state, ...calls.map((data) => ({ kind: "call", to: at, data }))]);
  });

  it("is no call that no form knows", () => {
    const plain = createProxyReader(forms.slice(0, 3));
    expect(plain.reads({ address: at, selector, owner })).toEqual(state.slice(0, 2));
    const step = plain.read({ address: at, selector, owner }, ["0x60", zero]);
    expect(step).toMatchObject({ code: "contract", next: null, owned: false });
  });
});

describe("what an address holds", () => {
  const code = "0x6001";
  const safe = "0x60a61900000000" as Hex;
  const clone: Hex = `0x3636${next.slice(2)}5af4`;
  const here: CodeStep = {
    ...{ code: "contract", next: null, via: null },
    ...{ beacon: null, unresolved: false, owned: false },
  };
  const none = [zero, zero, zero];
  const by = (via: CodeStep["via"]) => ({ next, via });
  it.each<[string, (Hex | null)[], Partial<CodeStep>]>([
    ["no code", ["0x", word(next), zero, zero], { code: "none" }],
    ["code that was not told", [null], { code: "none" }],
    ["code", [code, ...none], {}],
    ["code whose slots were not told", [code], {}],
    ["a delegation", [`0xef0100${next.slice(2)}`, ...none], { code: "delegated", ...by("eip7702") }],
    ["a clone", [clone, ...none], by("eip1167")],
    ["a clone, whatever its slots say", [clone, word(owner), zero, zero], by("eip1167")],
    ["a clone with more after it", [`${clone}00`, ...none], by("eip1167")],
    ["a clone inside of other code", [`0x60${clone.slice(2)}`, ...none], {}],
    ["a slot", [code, word(next), zero, zero], by("eip1967")],
    ["two slots, of which the first counts", [code, word(next), word(owner), zero], by("eip1967")],
    ["a beacon", [code, zero, word(next), zero], { ...by("beacon"), beacon: "0x5c60da1b" }],
    ["a Safe", [safe, zero, zero, word(next)], by("safe")],
    ["a Safe that is too long", [`${safe}00`, zero, zero, word(next)], {}],
    ["a short one without the mark of a Safe", [code, zero, zero, word(next)], {}],
  ])("is told: %s", (_name, results, expected) => {
    const step = reader.read({ address: at, selector: null, owner: null }, results);
    expect(step).toEqual({ ...here, ...expected });
  });

  it.each<[string, Hex | null, Partial<CodeStep>]>([
    ["another address", word(next), by("diamond")],
    ["itself", word(at), {}],
    ["nothing", zero, { unresolved: true }],
    ["a number that is no address", `0x${"ff".repeat(32)}`, {}],
    ["more than a word", `${zero}00`, {}],
    ["less than a word", "0x00", {}],
    ["a revert", null, {}],
  ])("is told by a facet: %s", (_name, facet, expected) => {
    const step = reader.read({ address: at, selector, owner: null }, [code, ...none, facet]);
    expect(step).toEqual({ ...here, ...expected });
    const slot = reader.read({ address: at, selector, owner: null }, [code, word(next), zero, zero, facet]);
    expect(slot).toEqual({ ...here, ...by("eip1967") });
  });

  it.each<[string, Hex, Hex | null, boolean]>([
    ["yes", safe, one, true],
    ["no", safe, zero, false],
    ["neither yes nor no", safe, two, false],
    ["a short yes", safe, "0x01", false],
    ["a revert", safe, null, false],
    ["yes, but it is no Safe", code, one, false],
  ])("has an owner: %s", (_name, own, answer, owned) => {
    const results = [own, zero, zero, zero];
    expect(reader.read({ address: at, selector: null, owner }, [...results, answer])).toEqual({ ...here, owned });
    // The answer of the facet comes before that of the owner.
    const both = reader.read({ address: at, selector, owner }, [...results, word(next), answer]);
    expect(both).toEqual({ ...here, ...by("diamond"), owned });
  });
});

it.each<[Hex | null, Address | undefined]>([
  [word(next), next],
  [word("1"), `0x${"1".padStart(40, "0")}` as Address],
  [word(zeroAddress), undefined],
  [`0x${"1".padStart(24, "0")}${next.slice(2)}`, undefined],
  [`${word(next)}00`, undefined],
  [next, undefined],
  ["0x", undefined],
  [null, undefined],
])("the address in %s is %s", (data, address) => {
  expect(addressIn(data)).toBe(address);
});
