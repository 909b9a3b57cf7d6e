import { describe, expect, it } from "vitest";
import { CaseInputError } from "../../../src/gather/receipt/case-from-receipt.ts";
import { CaseFileError } from "../../../src/gather/recordings/case-format.ts";
import type { LineError } from "../../../src/tools/volume/line-error.ts";
import { hashOfLine, readLine } from "../../../src/tools/volume/line-input.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";

const hash = hashOf(1);

function outcomeOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    const { code, message } = error as LineError;
    return [code, message];
  }
}

describe("a line of the input", () => {
  const noHash = ["invalid_tx_hash", "The hash is not 0x followed by 64 hex digits, nor a link with them."];
  const kinds =
    'The line is no hash, no case file, and no {"transaction", "receipt"}: see the table of lines in docs/volume.md.';
  it.each<[string, string, unknown]>([
    ["a hash", hash, { hash }],
    ["a hash with blanks", ` ${hash}\r`, { hash }],
    ["a hash in upper case", `0x${hash.slice(2).toUpperCase()}`, { hash }],
    ["a hash in quotes", `"${hash}"`, { hash }],
    ["a hash in an object", JSON.stringify({ tx_hash: hash, more: 1 }), { hash }],
    ["a link with a hash", `https://basescan.org/tx/${hash.slice(2).toUpperCase()}#eventlog`, { hash }],
    ["a link without a hash", "HTTP://basescan.org/", noHash],
    ["what begins like a hash", "0x12", noHash],
    ["a text", '"0x12"', noHash],
    ["an object with a text", '{"tx_hash":"0x12"}', noHash],
    ["a number", "5", ["invalid_line", kinds]],
    ["null", "null", ["invalid_line", kinds]],
    ["a list", "[]", ["invalid_line", kinds]],
    ["an object of something else", "{}", ["invalid_line", kinds]],
  ])("is %s", (_name, line, expected) => {
    expect(outcomeOf(() => readLine(line))).toEqual(expected);
  });

  it("is a case file, of this chain", () => {
    const caseFile = caseFileOf(hash);
    expect(readLine(JSON.stringify(caseFile))).toEqual({ caseFile });
    expect(outcomeOf(() => readLine(JSON.stringify({ ...caseFile, chain_id: 1 })))).toEqual([
      ...["wrong_chain", "The case is of chain 1; these rules are for Base, chain 8453."],
    ]);
    expect(() => readLine(JSON.stringify({ version: 0 }))).toThrow(CaseFileError);
    // The fields besides the version do not make it another kind of line.
    expect(() => readLine(JSON.stringify({ version: 0, transaction: {}, tx_hash: hash }))).toThrow(CaseFileError);
  });

  it.each(["transaction", "receipt"])("is a %s with what belongs to it", (name) => {
    expect(() => readLine(JSON.stringify({ [name]: {}, tx_hash: hash }))).toThrow(CaseInputError);
  });

  it("is no JSON", () => {
    for (const line of ["", "hash", hash.slice(2)])
      expect(outcomeOf(() => readLine(line))).toEqual(["invalid_json", kinds]);
    expect(outcomeOf(() => readLine("{"))).toEqual(["invalid_json", expect.stringMatching(/^The line is no JSON: ./)]);
  });

  it.each<[string, string | null]>([
    [hash, hash],
    [` "${hash}" `, hash],
    [` ${hash}\r`, hash],
    [JSON.stringify({ tx_hash: hash, transaction: { hash: hashOf(2) } }), hash],
    [JSON.stringify({ transaction: { hash } }), hash],
    [JSON.stringify({ transaction: hash }), null],
    ["0x12", null],
    ["{", null],
    ["[]", null],
    ["null", null],
    [`https://basescan.org/tx/${hash}`, hash],
    ["https://basescan.org/", null],
  ])("%s is about %s", (line, expected) => {
    expect(hashOfLine(line)).toBe(expected);
  });
});
