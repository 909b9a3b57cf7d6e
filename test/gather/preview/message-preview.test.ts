import { describe, expect, it } from "vitest";
import { asksAboutMessage, nameOfMessage, readMessageQuestion } from "../../../src/gather/preview/message-preview.ts";
import { alice, bob } from "../../support/case-of.ts";

describe("a question about a message", () => {
  it("names its signer, and nothing that is not known", () => {
    expect(readMessageQuestion({ from: alice, typed_data: 1 })).toEqual({ from: alice, typed_data: 1 });
    const all = { from: alice, typed_data: 1, authorization: 2, user_operation: 3, entry_point: 4 };
    expect(readMessageQuestion(all)).toEqual(all);
    const refused = (message: string) => expect.objectContaining({ code: "invalid_preview", message });
    expect(() => readMessageQuestion({ from: alice, to: bob })).toThrow(
      refused("The message holds a field that is not known: to."),
    );
    expect(() => readMessageQuestion({ typed_data: 1 })).toThrow(refused("from is not 0x followed by 40 hex digits."));
  });

  it("has one of three forms", () => {
    const asks = (name: string) => asksAboutMessage({ from: alice, [name]: null });
    expect(["typed_data", "authorization", "user_operation", "entry_point", "to"].map(asks)).toEqual([
      ...[true, true, true, false, false],
    ]);
    expect(nameOfMessage({ from: alice })).toMatch(/^message:[0-9a-f]{64}$/);
    expect(nameOfMessage({ from: alice })).not.toBe(nameOfMessage({ from: bob }));
  });
});
