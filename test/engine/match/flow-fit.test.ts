import { describe, expect, it } from "vitest";
import { couldFit, flowFits, flowMovements } from "../../../src/engine/match/flow-fit.ts";

type Condition = Omit<Parameters<typeof flowFits>[0], "open">;
type Side = NonNullable<Condition["gives"]>;
type Flow = Parameters<typeof flowFits>[1];
type Context = Parameters<typeof flowFits>[2];

const some = (parts: Partial<Side> = {}): Side => ({
  ...{ min: 1, max: Number.POSITIVE_INFINITY, kind: "fungible", others: false, token: null, unseen: true },
  ...parts,
});
const asset = (kind: string, amount = 5n) => ({ key: `${kind} ${amount}`, kind, token: null, amount, movements: [] });
const [gift, coin] = [asset("erc20"), asset("native")];

interface Given {
  gives?: object[];
  gets?: object[];
  complete?: boolean;
  seesGifts?: boolean;
  paysElsewhere?: boolean;
}

function fits(condition: Condition, given: Given, exchanges = false): boolean {
  const { gives = [], gets = [], complete = true, seesGifts = false, paysElsewhere = false } = given;
  const flow = { gives, gets, neutral: [], complete } as unknown as Flow;
  return flowFits(
    { ...condition, open: { gives: false, gets: false } },
    flow,
    { seesGifts, paysElsewhere: () => paysElsewhere } as unknown as Context,
    exchanges,
  );
}

describe("a flow that is asked for", () => {
  const both: Condition = { gives: some(), gets: some() };

  it("may have an empty side where ether could have moved unseen, and not where everything was seen", () => {
    for (const [gives, gets] of [
      [[gift], []],
      [[], [gift]],
    ] as const) {
      expect(fits(both, { gives: [...gives], gets: [...gets], complete: false })).toBe(true);
      expect(fits(both, { gives: [...gives], gets: [...gets], complete: true })).toBe(false);
    }
  });

  it("may not have two empty sides, unless it asks for one alone", () => {
    expect(fits(both, { complete: false })).toBe(false);
    expect(fits({ gives: some(), gets: null }, { complete: false })).toBe(true);
    expect(fits({ gives: null, gets: some() }, { complete: false })).toBe(true);
    expect(fits({ gives: some(), gets: some({ min: 0 }) }, { complete: false })).toBe(true);
    expect(fits({ gives: some({ min: 0 }), gets: some() }, { complete: false })).toBe(true);
  });

  it("shows all that an account gives by its own transaction", () => {
    expect(fits(both, { gets: [gift], complete: false, seesGifts: true })).toBe(false);
    expect(fits(both, { gives: [gift], complete: false, seesGifts: true })).toBe(true);
  });

  it("of an exchange is not fitted by proceeds that are seen with somebody else", () => {
    const given: Given = { gives: [gift], complete: false, paysElsewhere: true };
    expect(fits(both, given, true)).toBe(false);
    expect(fits(both, given, false)).toBe(true);
    expect(fits(both, { ...given, paysElsewhere: false }, true)).toBe(true);
  });

  it("needs what it asks for where nothing may stand in for it", () => {
    expect(fits({ gives: some({ unseen: false }), gets: null }, { complete: false })).toBe(false);
  });

  it("counts assets of its kind, from the least to the most, others only where it allows them", () => {
    const asks = (side: Partial<Side>, gives: object[]) => fits({ gives: some(side), gets: null }, { gives });
    expect(asks({ min: 2, max: 2 }, [gift])).toBe(false);
    expect(asks({ min: 2, max: 2 }, [gift, coin])).toBe(true);
    expect(asks({ min: 2, max: 2 }, [gift, coin, asset("erc20", 6n)])).toBe(false);
    const nft = asset("nft");
    expect(asks({}, [gift, nft])).toBe(false);
    expect(asks({ others: true }, [gift, nft])).toBe(true);
    expect(asks({ kind: "any" }, [gift, nft])).toBe(true);
    expect(asks({ kind: "nft" }, [nft])).toBe(true);
    expect(asks({ kind: "native" }, [gift])).toBe(false);
  });

  it("asks for nothing of any kind, or of one kind", () => {
    const none = (kind: Side["kind"], gives: object[]) =>
      fits({ gives: some({ kind, min: 0, max: 0 }), gets: null }, { gives });
    expect(none("any", [])).toBe(true);
    expect(none("any", [gift])).toBe(false);
    expect(none("native", [gift])).toBe(true);
    expect(none("native", [coin])).toBe(false);
  });

  it("may ask for one token, which may be ether, and needs to read which", () => {
    const [usdc, dai] = ["0xaa", "0xbb"].map((token) => ({ ...asset("erc20"), token }));
    const asks = (token: unknown, gives: object[], more: Partial<Side> = {}) =>
      fits({ gives: some({ token: (() => token) as never, max: 1, ...more }), gets: null }, { gives });
    expect(asks("0xaa", [usdc as object])).toBe(true);
    expect(asks("0xaa", [dai as object])).toBe(false);
    expect(asks("native", [coin])).toBe(true);
    expect(asks("native", [usdc as object])).toBe(false);
    expect(asks(undefined, [usdc as object])).toBe(false);
    expect(asks("0xaa", [usdc as object, dai as object])).toBe(false);
    expect(asks("0xaa", [usdc as object, dai as object], { others: true })).toBe(true);
    expect(asks("0xaa", [dai as object], { others: true, min: 0 })).toBe(true);
  });

  it("may ask for one at most", () => {
    const one = (kind: Side["kind"], gives: object[]) => fits({ gives: some({ kind, max: 1 }), gets: null }, { gives });
    expect(one("fungible", [gift])).toBe(true);
    expect(one("fungible", [gift, coin])).toBe(false);
    expect(one("erc20", [gift, coin])).toBe(false);
    expect(fits({ gives: some({ min: 0, max: 1 }), gets: null }, {})).toBe(true);
    expect(fits({ gives: some({ max: 1 }), gets: null }, { complete: false })).toBe(true);
  });

  it("has two sides, each of its own", () => {
    expect(fits(both, { gives: [gift], gets: [coin] })).toBe(true);
    expect(fits({ gives: some({ min: 2 }), gets: some() }, { gives: [gift], gets: [coin] })).toBe(false);
    expect(fits({ gives: some(), gets: some({ min: 2 }) }, { gives: [gift], gets: [coin] })).toBe(false);
  });
});

describe("a first look at the numbers", () => {
  const could = (condition: Partial<Condition>, gives: object[], gets: object[] = []) =>
    couldFit({ gives: null, gets: null, ...condition, open: { gives: false, gets: false } }, {
      gives,
      gets,
    } as unknown as Flow);

  it.each<[string, Partial<Condition>, object[], boolean]>([
    ["nothing is asked", {}, [gift], true],
    ["what is asked is there", { gives: some() }, [gift], true],
    ["what is asked is not there", { gives: some() }, [], false],
    ["nothing is needed", { gives: some({ min: 0 }) }, [], true],
    ["there is too much", { gives: some({ max: 1 }) }, [gift, coin], false],
    [
      "there may be too much, which the token decides",
      { gives: some({ max: 1, token: () => "0xaa" }) },
      [gift, coin],
      true,
    ],
    ["no token is there", { gives: some({ token: () => "0xaa" }) }, [], false],
  ])("says whether it can fit: %s", (_, condition, gives, expected) => {
    expect(could(condition, gives)).toBe(expected);
    expect(could({ gets: condition.gives ?? null }, [], gives)).toBe(expected);
    expect(could({ gives: condition.gives ?? null, gets: some() }, gives)).toBe(false);
  });
});

describe("the movements behind a flow", () => {
  const made = (kind: string, ...movements: number[]) => ({ ...asset(kind), movements });
  const flow = {
    gives: [made("erc20", 1, 2), made("nft", 3)],
    gets: [made("native", 4)],
    neutral: [made("erc20", 5)],
  } as unknown as Flow;
  const behind = (gives: Side | null, gets: Side | null) =>
    flowMovements({ gives, gets, open: { gives: false, gets: false } }, flow);

  it.each<[string, Side | null, Side | null, number[], number[]]>([
    ["nothing is asked", null, null, [], [5, 1, 2, 3, 4]],
    ["both sides are counted", some(), some(), [1, 2, 4], [5, 3]],
    ["one side is counted", some({ max: 1 }), null, [1, 2], [5, 3, 4]],
    ["one side is to be empty", some({ min: 0, max: 0, kind: "any" }), some(), [4], [5, 1, 2, 3]],
    ["all is counted", some({ kind: "any" }), some({ kind: "any" }), [1, 2, 3, 4], [5]],
  ])("are claimed where they are counted: %s", (_, gives, gets, hard, soft) => {
    expect(behind(gives, gets)).toEqual({ hard, soft });
  });
});
