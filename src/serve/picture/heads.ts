import { at } from "./canvas.ts";
import { isZero } from "./cast.ts";
import { others } from "./rows.ts";
import type { Sketch } from "./sketch.ts";
import { shortForm, widthOf } from "./text.ts";

/** Width of normal text, as a share of bold. */
const boldShare = 0.9;

export function drawHeads({ cast, layout, geometry, canvas }: Sketch): void {
  const { top, bottom, step, size, xOf } = geometry;
  for (const lane of layout.lanes) {
    const x = xOf(lane);
    const width = step - size.gap;
    const label = cast.accounts.get(lane)?.label ?? null;
    const kind = lane === cast.subject ? "box me" : lane === others ? "box fold" : "box";
    canvas.open("", lane === others ? foldedTitle(layout.folded) : `${label ?? ""} ${lane}`.trim());
    canvas.path("lane", `M${at(x)} ${top - 4}V${at(bottom)}`);
    canvas.box(kind, { x: x - width / 2, y: 6, width, height: top - 10 });
    const words = wordsOf(lane, { label, cast, folded: layout.folded.size });
    writeWords(canvas, words, { x, max: width - 6, small: step < 90 ? 10 : 11 });
    canvas.close();
  }
}

/** One to three lines, name in bold. Addresses are never cut. */
function writeWords(
  canvas: Sketch["canvas"],
  { name, second, mono }: HeadWords,
  { x, max, small }: { x: number; max: number; small: number },
): void {
  const anchor = "middle";
  if (name === null) {
    canvas.text(x, 34, second, { anchor, size: small, className: "mono" });
    return;
  }
  // Bold is wider.
  const bold = { anchor, max: max * boldShare, className: "name" } as const;
  const [first, rest] = inTwoLines(name, bold.max);
  const isOneLine = rest === "";
  canvas.text(x, isOneLine ? 26 : 20, first, bold);
  if (!isOneLine) canvas.text(x, 33, rest, bold);
  const below = { anchor, size: small, className: mono ? "mono dim" : "dim" } as const;
  canvas.text(x, isOneLine ? 42 : 47, second, mono ? below : { ...below, max });
}

function foldedTitle(folded: ReadonlySet<string>): string {
  const shown = [...folded].slice(0, 12);
  const more = folded.size - shown.length;
  return `${shown.join(" ")}${more > 0 ? ` and ${more} more` : ""}`;
}

interface HeadWords {
  name: string | null;
  second: string;
  /** Second line is an address. */
  mono: boolean;
}

function wordsOf(
  lane: string,
  { label, cast, folded }: { label: string | null; cast: Sketch["cast"]; folded: number },
): HeadWords {
  if (lane === others) return { name: `${folded} other`, second: folded === 1 ? "account" : "accounts", mono: false };
  if (isZero(lane)) return { name: "Created or destroyed", second: "zero address", mono: false };
  return { name: lane === cast.subject ? "Subject" : label, second: shortForm(lane), mono: true };
}

/** At a blank, two at most. */
function inTwoLines(name: string, max: number): [first: string, rest: string] {
  const words = name.split(" ");
  let first = words[0] as string;
  let used = 1;
  while (used < words.length && widthOf(`${first} ${words[used]}`, 12) <= max) first += ` ${words[used++]}`;
  return [first, words.slice(used).join(" ")];
}
