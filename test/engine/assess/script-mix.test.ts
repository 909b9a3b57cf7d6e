import { describe, expect, it } from "vitest";
import { mixesScripts } from "../../../src/engine/assess/tokens/token-text.ts";

/** One letter of each script that is told apart. */
const letters: Readonly<Record<string, string>> = {
  ...{ Han: "漢", Hiragana: "ひ", Katakana: "カ", Bopomofo: "ㄅ", Hangul: "한", Arabic: "ب", Armenian: "Ա" },
  ...{ Bengali: "ক", Cyrillic: "Ж", Devanagari: "क", Ethiopic: "ሀ", Georgian: "ა", Greek: "Ω", Gujarati: "ક" },
  ...{ Gurmukhi: "ਕ", Hebrew: "ש", Kannada: "ಕ", Khmer: "ក", Lao: "ກ", Malayalam: "ക", Myanmar: "က", Oriya: "କ" },
  ...{ Sinhala: "ක", Tamil: "க", Telugu: "క", Thaana: "ހ", Thai: "ก", Tibetan: "ཀ", Mongolian: "ᠠ" },
  ...{ Canadian_Aboriginal: "ᐁ", Cherokee: "Ꭰ", Coptic: "Ⲁ", Lisu: "ꓐ", Deseret: "𐐀", Osage: "𐒰", Gothic: "𐌰" },
  ...{ Runic: "ᚠ", Ogham: "ᚁ", Tifinagh: "ⴰ", Vai: "ꔀ", Yi: "ꀀ", Bamum: "ꚠ", Nko: "ߊ", Glagolitic: "Ⰰ" },
};
/** Scripts that are not listed. */
const [javanese, balinese] = ["ꦄ", "ᬅ"];
const besideLatin = ["Han", "Hiragana", "Katakana", "Bopomofo", "Hangul"];

describe("letters of one script", () => {
  it.each(Object.entries(letters))("are no mix: %s alone, with signs of all scripts", (_script, letter) => {
    expect(mixesScripts(letter)).toBe(false);
    expect(mixesScripts(`${letter} 1,$€-😀${letter}`)).toBe(false);
  });

  it.each(Object.entries(letters))("are a mix beside a script that is not listed: %s", (_script, letter) => {
    expect(mixesScripts(`${letter}${javanese}`)).toBe(true);
    expect(mixesScripts(`${javanese}${letter}`)).toBe(true);
  });

  it.each(Object.entries(letters))("are a mix beside Latin ones, unless Asia writes so: %s", (script, letter) => {
    expect(mixesScripts(`A${letter}`)).toBe(!besideLatin.includes(script));
    expect(mixesScripts(`${letter}1A`)).toBe(!besideLatin.includes(script));
  });

  it("may be of scripts that are not listed", () => {
    expect([javanese, `${javanese}${balinese}`, `${javanese}1`].map(mixesScripts)).toEqual([false, false, false]);
    expect(mixesScripts(`A${javanese}`)).toBe(true);
  });
});

describe("a text", () => {
  it.each<[string, boolean]>([
    ["", false],
    ["123 $€😀", false],
    ["USDC", false],
    ["Café", false],
    ["A漢ひカ", false],
    ["A漢ㄅ", false],
    ["A漢한", false],
    ["ひカ", false],
    ["ひ한", true],
    ["カ한", true],
    ["ㄅ한", true],
    ["ひㄅ", true],
    ["カㄅ", true],
    ["A漢Ж", true],
    ["ЖΩ", true],
    ["漢Ж", true],
    ["AЖ", true],
  ])("%j mixes scripts: %s", (text, expected) => expect(mixesScripts(text)).toBe(expected));
});
