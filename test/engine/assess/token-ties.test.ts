import { describe, expect, it } from "vitest";
import { judgeTokenNames } from "../../../src/engine/assess/tokens/token-names.ts";
import { labelsOf, tokenOf } from "../../support/labels.ts";
import { actOf, alice, caseOf, router, someone, token, transfer } from "./scene.ts";

/** The well-known token that a stranger's symbol is said to imitate. */
function imitated(symbol: string, known: readonly [string, string][]): unknown[] {
  const tokens = known.map(([at, like]) => tokenOf(someone(at), like, { name: `Coin ${at}`, wellKnown: true }));
  const file = caseOf({ logs: [transfer(token, alice, router, 5n)], tokens: { [token]: { symbol, name: "Other" } } });
  return judgeTokenNames([token], actOf(file, labelsOf({ tokens })))
    .filter(({ flag }) => flag === "impersonated_token")
    .map(({ statement }) => (statement.fill as { genuine?: unknown }).genuine);
}

describe("a symbol that looks like two well-known ones", () => {
  it("is said to imitate the one with the lower address, however they are listed", () => {
    const [lower, higher] = ["first", "second"].sort((a, b) => (someone(a) < someone(b) ? -1 : 1)) as [string, string];
    const known: [string, string][] = [
      [lower, "COIN"],
      [higher, "Coin"],
    ];
    expect(imitated("COIN", known)).toEqual([someone(lower)]);
    expect(imitated("COIN", known.toReversed())).toEqual([someone(lower)]);
  });
});
