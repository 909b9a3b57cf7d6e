import { describe, expect, it } from "vitest";
import { orNone, readList, readSwitch, readUrl, readWholeNumber } from "../../../src/serve/settings/setting-value.ts";

const bounds = (least?: number, most?: number) => ({
  ...{ default: "", meaning: "" },
  ...(least === undefined ? {} : { least }),
  ...(most === undefined ? {} : { most }),
});

describe("the text of a setting", () => {
  it.each<[string, ReturnType<typeof bounds>, number | undefined]>([
    ["0", bounds(), 0],
    ["1", bounds(), undefined],
    ["0", bounds(undefined, 3), 0],
    ["3", bounds(undefined, 3), 3],
    ["4", bounds(undefined, 3), undefined],
    ["00003", bounds(2, 3), 3],
    ["1", bounds(2, 3), undefined],
    ["999999999999999", bounds(0, 10 ** 15), 999_999_999_999_999],
    ["1000000000000000", bounds(0, 10 ** 16), undefined],
    ["", bounds(), undefined],
    ["-0", bounds(), undefined],
    [" 0", bounds(), undefined],
  ])("%j with the bounds %j is the number %s", (text, row, number) => {
    const expected = `expected a whole number from ${row.least ?? 0} to ${row.most ?? 0}.`;
    if (number === undefined) expect(() => readWholeNumber(text, row)).toThrow(new Error(expected));
    else expect(readWholeNumber(text, row)).toBe(number);
  });

  it.each([
    ["", []],
    [",", []],
    [" , ,", []],
    ["a", ["a"]],
    ["b, a ,,b", ["b", "a", "b"]],
  ])("%j is the list %j", (text, items) => {
    expect(readList(text)).toEqual(items);
  });

  it("is a switch, a URL without its last slashes, or none", () => {
    expect(["on", "ON", "off", "Off"].map(readSwitch)).toEqual([true, true, false, false]);
    expect(["http://a", "HTTPS://A.example/x//", "https://a/?b=/"].map(readUrl)).toEqual([
      ...["http://a", "HTTPS://A.example/x", "https://a/?b="],
    ]);
    expect(["", "5"].map(orNone(Number))).toEqual([null, 5]);
  });
});
