import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import { describeLineError, LineError } from "../../../src/tools/volume/line-error.ts";
import { readLine } from "../../../src/tools/volume/line-input.ts";
import { hashOf } from "../../support/sample.ts";

const hash = hashOf(1);

describe("what goes wrong with a line", () => {
  it.each<[unknown, string, string, boolean]>([
    [new ServiceError("overloaded"), "overloaded", new ServiceError("overloaded").message, true],
    [new ServiceError("transaction_not_found", "no"), "transaction_not_found", "no", true],
    [new ServiceError("invalid_tx_hash", "no"), "invalid_tx_hash", "no", false],
    [new LineError("not_recorded", "no"), "not_recorded", "no", false],
    [new TypeError("x is no y"), "internal", "Our mistake: x is no y", false],
    ["x", "internal", "Our mistake: x", false],
  ])("%s", (error, code, message, retryable) => {
    expect(describeLineError(error, 7, hash)).toEqual({ error: code, message, retryable, line: 7, tx_hash: hash });
  });

  it("is told of cases and of transactions with receipts, too", () => {
    const told = (text: string) => {
      try {
        return readLine(text);
      } catch (error) {
        return describeLineError(error, 1, null);
      }
    };
    expect(told('{"version":0}')).toMatchObject({ error: "invalid_case", retryable: false, line: 1, tx_hash: null });
    const input = told('{"transaction":{}}');
    expect(input).toMatchObject({ retryable: false, line: 1 });
    expect(["internal", "invalid_case"]).not.toContain((input as { error: string }).error);
  });
});
