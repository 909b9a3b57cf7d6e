import { lineTo } from "./canvas.ts";
import { amountText, type CastToken, isZero, sumNets } from "./cast.ts";
import { figureOf } from "./figures.ts";
import { others } from "./rows.ts";
import type { Sketch } from "./sketch.ts";
import { widthOf } from "./text.ts";

interface NetLine {
  text: string;
  className: "plus" | "minus" | "dim";
}

/** Per lane; the subject may have more. */
const linesMax = 4;
const subjectLinesMax = 8;

/** Returns the largest number of lines. */
export function drawNets({ cast, layout, geometry, canvas }: Sketch): number {
  const { bottom, width, step, xOf } = geometry;
  canvas.path("rule", lineTo(4, width - 4, bottom + 4));
  canvas.text(4, bottom + 20, "Net", { className: "dim", size: 11 });
  let deepest = 1;
  for (const lane of layout.lanes) {
    if (isZero(lane)) continue;
    const folded = [...layout.folded].filter((address) => !isZero(address));
    const members = lane === others ? folded : [lane];
    const net = sumNets(members.flatMap((address) => cast.accounts.get(address) ?? []));
    const lines = linesOf(net, cast.tokens, { step, max: lane === cast.subject ? subjectLinesMax : linesMax });
    for (const [place, { text, className }] of lines.entries())
      canvas.text(xOf(lane), bottom + 20 + place * 16, text, {
        ...{ anchor: "middle", size: 11, max: step - 4, className },
      });
    deepest = Math.max(deepest, lines.length);
  }
  return deepest;
}

function linesOf(
  net: ReadonlyMap<string, bigint>,
  tokens: ReadonlyMap<string, CastToken>,
  { step, max }: { step: number; max: number },
): NetLine[] {
  if (net.size === 0) return [{ text: "±0", className: "dim" }];
  const given = [...net].filter(([, units]) => units < 0n);
  const gotten = [...net].filter(([, units]) => units > 0n);
  const shown = evenly(given, gotten, net.size > max ? max - 1 : max);
  const lines = shown.flatMap(([key, units]) => netLines(tokens.get(key) as CastToken, units, step));
  const left = net.size - shown.length;
  return left === 0 ? lines : [...lines, { text: `${left} more`, className: "dim" }];
}

/** Given first, with room for received. */
function evenly<T>(given: readonly T[], gotten: readonly T[], max: number): T[] {
  const half = Math.ceil(max / 2);
  const first = given.slice(0, Math.max(half, max - gotten.length));
  return [...first, ...gotten.slice(0, max - first.length)];
}

/** In narrow lanes fewer digits, else a token line. */
function netLines({ name, scale, nft, raw }: CastToken, units: bigint, step: number): NetLine[] {
  const className = units < 0n ? "minus" : "plus";
  const sum = (digits: number) => `${units < 0n ? "−" : "+"}${figureOf(amountText(units, scale), digits)}`;
  const token = `${nft ? "NFT " : raw ? "raw " : ""}${name}`;
  const one = [6, 4, 3].map((digits) => `${sum(digits)} ${token}`).find((text) => widthOf(text, 11) <= step - 4);
  const lines = one === undefined ? [sum(4), token] : [one];
  return lines.map((text) => ({ text, className }));
}
