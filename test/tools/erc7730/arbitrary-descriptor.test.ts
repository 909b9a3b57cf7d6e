import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatReport } from "../../../src/tools/erc7730/report.ts";
import { compileOwn } from "../../support/own-rules.ts";
import { descriptorOf, importOne, vault } from "./descriptor-folder.ts";

describe("a descriptor of any shape", () => {
  it("never throws and never prints what is not plain, whatever the JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string({ unit: "binary" }), (value, text) => {
        const formats = { "f(uint256 a)": { intent: text, fields: [value] }, [text]: { intent: "Do", fields: value } };
        const made = importOne(descriptorOf(formats, { metadata: value, includes: undefined }));
        expect(made.files.map((file) => file.text).join("")).toMatch(/^[\x20-\x7e\n]*$/);
        expect(formatReport(made.findings, { files: 0, rules: 0 })).toMatch(/^[\x20-\x7e\n]*$/);
      }),
      { numRuns: 60 },
    );
  });

  it("gives rules that compile, whatever stands where the format wants something else", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 8 }),
      fc.constantFrom("a", "#.b", "c.[0]", "d.[-20:]", "@.value", "a.[-20:]"),
    );
    const odd = fc.oneof(
      text,
      fc.constantFrom(0, 1, -1, 5e-324, null, true, [], {}, vault, "$.metadata.enums.e"),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const maybe = (value: fc.Arbitrary<unknown>) => fc.option(value, { nil: undefined, freq: 3 });
    const kinds = [
      "raw",
      "amount",
      "tokenAmount",
      "nftName",
      "date",
      "duration",
      "unit",
      "enum",
      "chainId",
      "addressName",
      "tokenTicker",
    ];
    const params = fc.record({
      token: maybe(odd),
      tokenPath: maybe(text),
      nativeCurrencyAddress: maybe(odd),
      threshold: maybe(odd),
      message: maybe(odd),
      chainId: maybe(odd),
      collection: maybe(odd),
      collectionPath: maybe(text),
      encoding: maybe(odd),
      base: fc.constantFrom("%", "h", "<"),
      decimals: maybe(odd),
      prefix: maybe(odd),
      $ref: fc.constant("$.metadata.enums.e"),
      senderAddress: maybe(odd),
    });
    const visible = fc.oneof(
      fc.constantFrom("always", "never"),
      fc.record({ ifNotIn: maybe(fc.array(odd)), mustMatch: maybe(fc.array(odd)) }),
      odd,
    );
    const field = fc.record({
      path: text,
      label: fc.constantFrom("Info", "\u0007"),
      format: fc.constantFrom(...kinds),
      params: maybe(params),
      visible: maybe(visible),
      value: maybe(odd),
    });
    const enums = fc.record({
      e: fc.dictionary(fc.constantFrom("0", "1", "0x0001", "true", "x"), fc.constantFrom("one", "Two", "{")),
    });
    fc.assert(
      fc.property(fc.array(field, { maxLength: 5 }), enums, odd, (fields, named, intent) => {
        const formats = {
          "f(uint256 a,address b,int8[] c,bytes d,string e)": { intent: "Do", fields, interpolatedIntent: intent },
        };
        const made = importOne(descriptorOf(formats, { metadata: { owner: "Acme", enums: named } }));
        for (const { text: rules } of made.files) compileOwn(rules);
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});
