import { describe, expect, it } from "vitest";
import { type HeldCall, heldCalls } from "../../../src/engine/match/messages/held-calls.ts";
import { type MessageContext, offerOf, summed } from "../../../src/engine/match/messages/signed-offer.ts";
import { type Address, checksum, toAddress, zeroAddress } from "../../../src/kernel/address.ts";
import { unlimitedThreshold } from "../../../src/kernel/amount.ts";
import { alice, bob, carol, token, usdc, zero } from "../../support/case-of.ts";

const nativePlace = toAddress(`0x${"ee".repeat(20)}`);
/** A path of a rule: a field of the element, or of the message. */
const at = (name: string) => (context: object) => {
  const { item, fields } = context as { item?: Record<string, unknown>; fields: Record<string, unknown> };
  return item?.[name] ?? fields[name];
};
const contextOf = (fields: object) => ({ subject: alice, fields }) as unknown as MessageContext;
const asset = (parts: object = {}) => ({
  ...{ each: null, when: null, token: at("token"), nft: false, id: null, amounts: [at("amount")], to: null, ...parts },
});
const right = (parts: object = {}) => ({
  ...{ each: null, when: null, token: at("token"), spender: at("spender"), amount: at("amount") },
  ...{ endless: null, until: null, id: null, ...parts },
});
const offered = (rule: object, fields: object = {}) =>
  offerOf(
    { allows: [], gives: [], gets: null, ...rule } as never,
    contextOf({ token, amount: 5n, spender: bob, ...fields }),
  );

const given = { key: token, kind: "erc20", token, tokenId: null, amount: 5n, movements: [], to: null };
const ether = { ...given, key: "native", kind: "native", token: null };
const nft = { ...given, key: `${token}:7`, kind: "nft", tokenId: 7n };

describe("what a message gives", () => {
  const [lower, higher] = [at("lower"), at("higher")];
  const items = [{ amount: 1n }, { amount: 2n, token: usdc }, { amount: 0n }];
  it.each<[string, object, object, object[]]>([
    ["a token", {}, {}, [given]],
    ["a token in mixed case", {}, { token: checksum(token) }, [given]],
    ["ether", {}, { token: "native" }, [ether]],
    ["ether by its address", {}, { token: nativePlace }, [ether]],
    ["nothing of no token", {}, { token: undefined }, []],
    ["nothing of a token that is none", {}, { token: "0x12" }, []],
    ["nothing of an amount of nothing", {}, { amount: 0n }, []],
    ["nothing of no amount", {}, { amount: "5" }, []],
    ["one where no amount is asked for", { amounts: [] }, { amount: 9n }, [{ ...given, amount: 1n }]],
    ["the larger of two amounts", { amounts: [lower, higher] }, { lower: 2n, higher: 9n }, [{ ...given, amount: 9n }]],
    [
      "the larger, whichever comes first",
      { amounts: [higher, lower] },
      { lower: 2n, higher: 9n },
      [{ ...given, amount: 9n }],
    ],
    ["to whom it names", { to: at("to") }, { to: checksum(bob) }, [{ ...given, to: bob }]],
    ["to nobody", { to: at("to") }, { to: zero }, [given]],
    ["to nobody that can be read", { to: at("to") }, { to: 5n }, [given]],
    ["an NFT", { nft: true, id: at("id"), amounts: [] }, { id: 7n }, [{ ...nft, amount: 1n }]],
    ["several of one kind", { nft: true, id: at("id") }, { id: 7n }, [nft]],
    ["any NFT", { nft: true }, {}, [{ ...nft, key: `${token}:any`, tokenId: null }]],
    [
      "an NFT whose id cannot be read",
      { nft: true, id: at("id") },
      { id: "7" },
      [{ ...nft, key: `${token}:any`, tokenId: null }],
    ],
    ["no NFT of ether", { nft: true }, { token: "native" }, []],
    [
      "an element each",
      { each: { kind: "array", get: at("items") } },
      { items },
      [
        { ...given, amount: 1n },
        { ...given, key: usdc, token: usdc, amount: 2n },
      ],
    ],
    ["no element of none", { each: { kind: "array", get: at("items") } }, {}, []],
    [
      "the elements that count",
      { each: { kind: "array", get: at("items") }, when: (one: object) => at("amount")(one) === 2n },
      { items },
      [{ ...given, key: usdc, token: usdc, amount: 2n }],
    ],
    ["nothing where it does not count", { when: () => false }, {}, []],
  ])("is %s", (_what, parts, fields, expected) => {
    expect(offered({ gives: [asset(parts)] }, fields).given).toEqual(expected);
  });

  it("is all its entries, in order", () => {
    const gives = [asset(), asset({ token: () => "native" })];
    expect(offered({ gives }).given).toEqual([given, ether]);
  });
});

describe("what a message asks for", () => {
  const to = at("to");
  it.each<[string, object, object, object[]]>([
    ["a token", {}, {}, [given]],
    ["the smaller of two amounts", { amounts: [at("a"), at("b")] }, { a: 9n, b: 2n }, [{ ...given, amount: 2n }]],
    [
      "the smaller, whichever comes first",
      { amounts: [at("a"), at("b")] },
      { a: 2n, b: 9n },
      [{ ...given, amount: 2n }],
    ],
    ["for the signer", { to }, { to: alice }, [{ ...given, to: alice }]],
    ["for nobody else", { to }, { to: bob }, []],
    ["for whom protocols pay, where nobody is named", { to }, { to: zero }, [given]],
  ])("is %s", (_what, parts, fields, expected) => {
    expect(offered({ gets: [asset(parts)] }, fields).gets).toEqual(expected);
  });

  it("is for nothing where something is given and nothing reaches the signer", () => {
    const other = asset({ to: () => bob });
    const forNothing = (rule: object) => offered(rule).forNothing;
    expect(forNothing({ gives: [asset()], gets: [other] })).toBe(true);
    expect(forNothing({ gives: [asset()], gets: [] })).toBe(true);
    expect(forNothing({ gives: [asset()], gets: [other, asset()] })).toBe(false);
    expect(forNothing({ gives: [asset()], gets: null })).toBe(false);
    expect(forNothing({ gives: [], gets: [other] })).toBe(false);
  });
});

describe("rights that a message gives", () => {
  const allowed = { token, spender: bob, amount: 5n, endless: false, until: null, id: null };
  const items = [{ amount: 1n }, { amount: 0n }, { amount: 2n, spender: carol }];
  it.each<[string, object, object, object[]]>([
    ["are over an amount", {}, {}, [allowed]],
    ["are over no token of nobody", {}, { token: zero }, []],
    ["are of nobody else", {}, { spender: zero }, []],
    ["are none where nobody can be read", {}, { spender: 5n }, []],
    ["are none over nothing", {}, { amount: 0n }, []],
    ["are none over what is no number", {}, { amount: "5" }, []],
    ["are over all there is", { amount: null }, {}, [{ ...allowed, amount: unlimitedThreshold, endless: true }]],
    [
      "are almost over all there is",
      {},
      { amount: unlimitedThreshold - 1n },
      [{ ...allowed, amount: unlimitedThreshold - 1n }],
    ],
    [
      "are over all by a number",
      {},
      { amount: unlimitedThreshold },
      [{ ...allowed, amount: unlimitedThreshold, endless: true }],
    ],
    ["are over all by the number of its type", { endless: 5n }, {}, [{ ...allowed, endless: true }]],
    ["are not over all by another number", { endless: 6n }, {}, [allowed]],
    ["end", { until: at("until") }, { until: 9n }, [{ ...allowed, until: 9n }]],
    ["have no end that cannot be read", { until: at("until") }, {}, [allowed]],
    ["are over one NFT", { id: at("id"), amount: null }, { id: 7n }, [{ ...allowed, amount: null, id: 7n }]],
    ["are over all of a collection", { id: "all", amount: null }, {}, [{ ...allowed, amount: null }]],
    ["are over one that cannot be read", { id: at("id") }, {}, [{ ...allowed, amount: null }]],
    [
      "are one for each element",
      { each: { kind: "array", get: at("items") } },
      { items },
      [
        { ...allowed, amount: 1n },
        { ...allowed, amount: 2n, spender: carol },
      ],
    ],
  ])("%s", (_what, parts, fields, expected) => {
    expect(offered({ allows: [right(parts)] }, fields).rights).toEqual(expected);
  });
});

describe("assets that are added up", () => {
  const plain = { key: token, kind: "erc20" as const, token, tokenId: null, amount: 5n, movements: [] };
  it("are one of each, in order of their first mention, without their receivers", () => {
    const other = { ...plain, key: usdc, token: usdc };
    const parts = [plain, other, { ...plain, amount: 7n }].map((one) => ({ ...one, to: bob }));
    expect(summed(parts)).toEqual([{ ...plain, amount: 12n }, other]);
    expect(summed([])).toEqual([]);
  });
});

describe("calls that a message holds", () => {
  const source = { each: null, from: at("from"), to: at("to"), data: at("data"), value: null };
  const whole = { from: bob, to: carol, data: "0x12", value: 3n };
  const call: HeldCall = { from: bob, to: carol, value: 0n, data: "0x12" };
  const held = (parts: object, fields: object) => heldCalls({ ...source, ...parts } as never, contextOf(fields));
  it.each<[string, object, object, HeldCall[]]>([
    ["are one", {}, whole, [call]],
    ["carry ether", { value: at("value") }, whole, [{ ...call, value: 3n }]],
    ["carry none that cannot be read", { value: at("value") }, { ...whole, value: "3" }, [call]],
    ["are none of nobody", {}, { ...whole, from: zero }, []],
    ["are none of somebody who cannot be read", {}, { ...whole, from: "0x" }, []],
    ["are none to somebody who cannot be read", {}, { ...whole, to: 5n }, []],
    ["may go to nobody", {}, { ...whole, to: zero }, [{ ...call, to: zeroAddress as Address }]],
    ["are none without data", {}, { ...whole, data: undefined }, []],
    [
      "are one for each element",
      { each: at("items") },
      { ...whole, items: [{}, { from: zero }, { to: alice }] },
      [call, { ...call, to: alice }],
    ],
    ["are none of no list", { each: at("items") }, whole, []],
  ])("%s", (_what, parts, fields, expected) => expect(held(parts, fields)).toEqual(expected));
});
