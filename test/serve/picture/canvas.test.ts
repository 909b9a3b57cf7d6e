import { describe, expect, it } from "vitest";
import { at, Canvas, lineTo, type TextStyle } from "../../../src/serve/picture/canvas.ts";
import { isolateEnd, isolateStart } from "../../../src/serve/picture/text.ts";

const drawn = (draw: (canvas: Canvas) => void): string => {
  const canvas = new Canvas();
  draw(canvas);
  return canvas.toString();
};

describe("a canvas", () => {
  it.each<[string, (canvas: Canvas) => void, string]>([
    ["nothing", () => {}, ""],
    ["a group", (canvas) => canvas.open("", ""), "<g>"],
    ["a group of a class", (canvas) => canvas.open("out", ""), '<g class="out">'],
    ["a group with a title", (canvas) => canvas.open("", 'a<"b"'), "<g><title>a&lt;&quot;b&quot;</title>"],
    ["a group with both", (canvas) => canvas.open("in", "t"), '<g class="in"><title>t</title>'],
    ["the end of a group", (canvas) => canvas.close(), "</g>"],
    ["a path", (canvas) => canvas.path("arrow", "M1 2H3"), '<path class="arrow" d="M1 2H3"/>'],
    [
      "a box",
      (canvas) => canvas.box("box me", { x: 1.25, y: 2.04, width: 30, height: 40.06 }),
      '<rect class="box me" x="1.3" y="2" width="30" height="40.1" rx="6"/>',
    ],
    ["a dot", (canvas) => canvas.dot("tip", 1.04, -2.06), '<circle class="tip" cx="1" cy="-2.1" r="3"/>'],
    [
      "all in their order",
      (canvas) => {
        canvas.open("", "");
        canvas.dot("a", 1, 2);
        canvas.close();
      },
      '<g><circle class="a" cx="1" cy="2" r="3"/></g>',
    ],
  ])("draws %s", (_what, draw, marks) => {
    expect(drawn(draw)).toBe(marks);
  });

  it.each<[string, string, TextStyle | undefined, string]>([
    ["in the usual size", "a", undefined, '<text x="1" y="2.5" font-size="12">a</text>'],
    ["from its start", "a", { anchor: "start" }, '<text x="1" y="2.5" font-size="12">a</text>'],
    [
      "around its middle",
      "a",
      { anchor: "middle" },
      '<text x="1" y="2.5" font-size="12" text-anchor="middle">a</text>',
    ],
    [
      "of a class",
      "a",
      { size: 9, anchor: "end", className: "dim" },
      '<text x="1" y="2.5" font-size="9" text-anchor="end" class="dim">a</text>',
    ],
    ["escaped", "<&>", {}, '<text x="1" y="2.5" font-size="12">&lt;&amp;&gt;</text>'],
    ["cut where it is too wide", "abcdef", { size: 100, max: 285 }, '<text x="1" y="2.5" font-size="100">abc…</text>'],
    ["whole where it fits", "abc", { size: 100, max: 189 }, '<text x="1" y="2.5" font-size="100">abc</text>'],
  ])("writes text %s", (_how, text, style, marks) => {
    expect(drawn((canvas) => canvas.text(1, 2.5, text, style))).toBe(marks);
  });

  it.each<[string, string, string]>([
    ["none", "a…×", "a…×"],
    ["all", "é", '<tspan textLength="8" lengthAdjust="spacingAndGlyphs">é</tspan>'],
    [
      "some, between isolates",
      `7 “${isolateStart}测<${isolateEnd}”`,
      `7 “<tspan textLength="23" lengthAdjust="spacingAndGlyphs">${isolateStart}测&lt;${isolateEnd}</tspan>”`,
    ],
    [
      "some, where the isolate was cut off",
      `a ${isolateStart}测…`,
      `a <tspan textLength="25" lengthAdjust="spacingAndGlyphs">${isolateStart}测…</tspan>`,
    ],
    [
      "several",
      `${isolateStart}测${isolateEnd}<${isolateStart}测${isolateEnd}`,
      [0, 1]
        .map(() => `<tspan textLength="13" lengthAdjust="spacingAndGlyphs">${isolateStart}测${isolateEnd}</tspan>`)
        .join("&lt;"),
    ],
  ])("gives unknown glyphs the width that was reckoned with: %s", (_which, text, spans) => {
    expect(drawn((canvas) => canvas.text(0, 0, text))).toBe(`<text x="0" y="0" font-size="12">${spans}</text>`);
  });
});

describe("a number of a drawing", () => {
  it.each([
    [0, "0"],
    [1.04, "1"],
    [1.05, "1.1"],
    [-1.06, "-1.1"],
    [1234.5678, "1234.6"],
  ])("%d is written %s", (value, text) => {
    expect(at(value)).toBe(text);
    expect(lineTo(value, 2.26, 3)).toBe(`M${text} 3H2.3`);
  });
});
