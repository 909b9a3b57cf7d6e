import fc from "fast-check";
import { expect, test } from "vitest";
import { findTextProblem } from "../../../src/rules/labels/check.ts";

test.each([
  "USDbC",
  "cbBTC",
  "USD₮0",
  "vAMM-WETH/USDC",
  "variableDebtBasUSDC",
  "PT-sUSDE-29MAY2025",
  "1INCH",
  "$PAAL",
  "DAI+",
  "Coinbase 10",
  "EURA (previously agEUR)",
])("%s may be shown", (text) => {
  expect(findTextProblem(text, 48)).toBeUndefined();
});

test.each([
  ["U\u0405DC", 1, "it holds U+0405, which can be mistaken for another character; printable ASCII was expected"],
  ["US\u200bDC", 2, "it holds the invisible character U+200B; printable ASCII was expected"],
  ["USDC\u202e", 4, "it holds the invisible character U+202E; printable ASCII was expected"],
  ["a\u0007b", 1, "it holds the control character U+0007; printable ASCII was expected"],
  ["a\u2028b", 1, "it holds the invisible character U+2028; printable ASCII was expected"],
  ["\u{1D414}SDC", 0, "it holds U+1D414, which can be mistaken for another character; printable ASCII was expected"],
  ["A <b>", 2, "it holds the markup character `<`; none was expected"],
  ["a\u00a0b", 1, "it holds U+00A0, which can be mistaken for another character; printable ASCII was expected"],
  [" a", 0, "it starts with a space; none was expected"],
  ["a ", 1, "it ends with a space; none was expected"],
  ["a  b", 2, "it has two spaces in a row; one was expected"],
  ["  ", 0, "it is blank; text was expected"],
  ["abcdefghijk", 10, "it has 11 characters; at most 10 were expected"],
])("%j may not be shown", (text, index, message) => {
  expect(findTextProblem(text, 10)).toMatchObject({ index, message });
});

test("what passes is short, one line, and of the admitted characters; what does not is placed inside the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      const problem = findTextProblem(text, 20);
      if (problem === undefined) return /^[\x20-\x7e₮€]{1,20}$/.test(text) && text === text.trim();
      return (
        problem.index >= 0 && problem.index + problem.length <= text.length && problem.message.includes("expected")
      );
    }),
  );
});
