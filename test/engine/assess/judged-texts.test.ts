import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeTokenNames } from "../../../src/engine/assess/tokens/token-names.ts";
import type { Labels } from "../../../src/model/label.ts";
import { token, usdc } from "../../support/case-of.ts";
import { labelsOf, tokenOf } from "../../support/labels.ts";
import { moved } from "../../support/movements.ts";

const openLabels = () => labelsOf({ tokens: [tokenOf(usdc, "USDC", { name: "USD Coin", wellKnown: true })] });

interface Texts {
  symbol: string | null;
  name: string | null;
  standard: string | null;
}
const judge = (texts: Texts, labels: Labels) =>
  judgeTokenNames([token], { tx: moved([]), labels, file: { tokens: { [token]: texts } } } as never);

/** Texts by which a contract may look like another one: the same pieces, split between symbol and name in every way. */
const piece = fc.constantFrom("USDC", "USD Coin", "null", "undefined", "true", "false", "4", "<b>", "");
const parted = fc.record({
  pieces: fc.array(piece, { minLength: 1, maxLength: 4 }),
  sign: fc.constantFrom("+", "-", " ", "-+"),
  standard: fc.constantFrom(null, "erc721"),
});

function waysOf({ pieces, sign, standard }: { pieces: string[]; sign: string; standard: string | null }): Texts[] {
  const ways = pieces.map((_, at) => {
    const [symbol, name] = [pieces.slice(0, at + 1), pieces.slice(at + 1)].map((some) => some.join(sign));
    return { symbol: symbol as string, name: at + 1 === pieces.length ? null : (name as string), standard };
  });
  return [
    ...ways,
    { symbol: null, name: pieces.join(sign), standard },
    ...ways.map((one) => ({ ...one, standard: "erc1155" })),
  ];
}

describe("texts of tokens that were judged before", () => {
  it("are judged as if they were seen for the first time, no matter what other contracts wrote", () => {
    const remembering = openLabels();
    const check = fc.property(parted, (parts) => {
      for (const one of waysOf(parts)) expect(judge(one, remembering)).toEqual(judge(one, openLabels()));
    });
    fc.assert(check, { numRuns: 200 });
  });
});
