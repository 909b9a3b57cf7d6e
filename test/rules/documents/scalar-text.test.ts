import { describe, expect, it } from "vitest";
import { rawOffset } from "../../../src/rules/documents/document.ts";

/** The position of each character in the source, and the position where the text ends. */
const offsets = (raw: string, length: number) => Array.from({ length: length + 1 }, (_, i) => rawOffset(raw, i));

describe("the place of a character in the source of a text", () => {
  it.each<[string, string, (number | undefined)[]]>([
    ["is its own where nothing is quoted", "ab", [0, 1, 2]],
    ["may be the end of a line", "ab\n", [0, 1, 2]],
    ["is unknown where the source has lines", "a\nb", [undefined, undefined]],
    ["is unknown where quoted text has lines", '"a\nb"', [undefined, undefined]],
    ["is behind the quote", '"ab"', [1, 2, 3]],
    ["is behind the single quote", "'ab'", [1, 2, 3]],
    ["counts two single quotes as one", "'a''b'", [1, 2, 4, 5]],
    ["takes a backslash for itself in single quotes", "'\\nb'", [1, 2, 3, 4]],
    ["takes a single quote for itself in double quotes", `"a''b"`, [1, 2, 3, 4, 5]],
    ["counts an escape of two characters", '"\\nb"', [1, 3, 4]],
    ["counts an escape of a byte", '"\\x41b"', [1, 5, 6]],
    ["counts an escape of two bytes", '"\\u0041b"', [1, 7, 8]],
    ["counts an escape of four bytes", '"\\U00000041b"', [1, 11, 12]],
    ["counts the last character of the basic plane once", '"\\U0000ffffb"', [1, 11, 12]],
    ["counts the first one beyond it twice", '"\\U00010000b"', [1, 11, 11, 12]],
    ["counts one that is written as itself twice", '"\u{1F600}b"', [1, 2, 3, 4]],
    ["counts a backslash at the end", '"\\', [1, 3]],
  ])("%s: %j", (_, raw, expected) => {
    expect(offsets(raw, expected.length - 1)).toEqual(expected);
  });
});
