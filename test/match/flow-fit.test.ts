import { describe, expect, it } from "vitest";
import { flowFits } from "../../src/match/flow-fit.ts";

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
});
