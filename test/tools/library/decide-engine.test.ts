import { describe, expect, it } from "vitest";
import { decideOnly, UndecidableCaseError } from "../../../src/tools/library/decide-engine.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";

const whole = caseFileOf(hashOf(1));
const { decide, planLookups, ...names } = decideOnly({
  ...{ ruleset: "hash", actionTypes: ["swap"], labels: "not told" },
  decide: (file: object) => ["decided", file],
  planLookups: (file: object, lookupsMax?: number) => ["planned", file, lookupsMax],
} as never);

/** The code and the sentence of what is thrown. */
function refusalOf(file: unknown): [string, string] {
  for (const ask of [decide, planLookups])
    try {
      ask(file as never);
    } catch (error) {
      if (!(error instanceof UndecidableCaseError)) throw error;
      if (ask === planLookups) return [error.code, error.message];
    }
  throw new Error("it was taken");
}

describe("the engine of the package", () => {
  it("shows the part that others may rely on, and hands cases of both versions on as they are", () => {
    expect(names).toEqual({ ruleset: "hash", actionTypes: ["swap"] });
    expect(decide(whole)).toEqual(["decided", whole]);
    expect(planLookups(whole, 3)).toEqual(["planned", whole, 3]);
    const first = { ...whole, version: 1 as const } as never;
    expect(decide(first)).toEqual(["decided", first]);
  });

  it.each([[null], ["0x12"], [{}], [{ ...whole, version: 3 }], [{ ...whole, version: "2" }]])(
    "says that %j has no version",
    (file) => {
      expect(refusalOf(file)).toEqual(["invalid_case", "A case file has the version 1 or 2."]);
    },
  );

  it("knows nothing of another chain", () => {
    const message = "The case is of chain 1; these rules are for Base, chain 8453.";
    expect(refusalOf({ ...whole, chain_id: 1 })).toEqual(["wrong_chain", message]);
  });

  it("refuses parts of different transactions", () => {
    const said = "The parts of the case file are of different transactions: ";
    const { to } = whole.transaction;
    expect(refusalOf({ ...whole, tx_hash: hashOf(2) })).toEqual([
      "wrong_transaction",
      `${said}tx_hash is ${hashOf(2)}, and \`hash\` of the transaction ${hashOf(1)}.`,
    ]);
    expect(refusalOf({ ...whole, receipt: { to: null, logs: [] } })).toEqual([
      "wrong_transaction",
      `${said}\`to\` of the transaction is ${to}, and of the receipt null.`,
    ]);
  });

  it.each<readonly [string, object]>([
    ...["transaction", "receipt", "block", "trace", "tokens", "price"].flatMap((part) => [
      [part, { ...whole, [part]: null }] as const,
      [part, { ...whole, [part]: "text" }] as const,
    ]),
    ["reads", { ...whole, reads: {} }],
    ["receipt.logs", { ...whole, receipt: { ...whole.receipt, logs: undefined } }],
  ])("names the part that is missing: %s", (part, file) => {
    expect(refusalOf(file)).toEqual(["invalid_case", `The case file has no ${part}.`]);
  });
});
