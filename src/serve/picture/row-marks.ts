import { at, lineTo } from "./canvas.ts";
import { labelOf } from "./row-labels.ts";
import type { PictureRow } from "./rows.ts";
import type { Sketch } from "./sketch.ts";
import { visibleText, widthOf } from "./text.ts";

export function drawRow(scene: Sketch, row: PictureRow, y: number): void {
  const { canvas, geometry } = scene;
  const { size, width, xOf } = geometry;
  canvas.open(kindOf(scene, row), size.id === "wide" ? tipOf(row) : "");
  const number = numberOf(row, size.gutter - 8);
  canvas.text(size.gutter - 4, y + 4, number.text, { anchor: "end", className: "dim", size: number.size });
  const spans = row.from === null || row.to === null;
  const from = spans ? size.gutter : xOf(row.from);
  const to = spans ? width - 8 : xOf(row.to);
  if (spans) canvas.path("rest", lineTo(from, to, y));
  else if (row.kind === "failure") drawFailure(scene, from, to, y);
  else if (row.from === row.to) drawLoop(scene, from, y);
  else drawArrow(scene, { from, to, y, dot: row.kind !== "grant" });
  drawLabel(scene, labelOf(scene, row), { from, to, y });
  canvas.close();
}

function kindOf({ cast }: Sketch, row: PictureRow): string {
  if (row.kind === "grant" || row.kind === "more_grants") return "right";
  if (row.kind === "failure") return "fail";
  if (row.kind === "quiet") return "mid";
  return row.from === cast.subject ? "out" : row.to === cast.subject ? "in" : "mid";
}

/** `3`, `3–9`, `4…` with others between, a letter for a right. */
function numberOf(row: PictureRow, room: number): { text: string; size: number } {
  const whole = numbersOf(row);
  const size = [11, 9].find((one) => widthOf(whole, one) <= room);
  return size === undefined ? { text: whole.replace(/–.*/, "…"), size: 9 } : { text: whole, size };
}

function numbersOf(row: PictureRow): string {
  if (row.kind === "grant") return row.letter;
  if (row.kind !== "moves") return "";
  const first = row.legs[0]?.number ?? 0;
  const last = row.legs.at(-1)?.number ?? 0;
  if (row.legs.length === 1) return String(first);
  return last - first === row.legs.length - 1 ? `${first}–${last}` : `${first}…`;
}

/** The exact movements, if at most three. */
function tipOf(row: PictureRow): string {
  if (row.kind !== "moves" || row.legs.length > 3) return "";
  const lines = row.legs.map(({ asset: { amount, token, token_id, from, to } }) => {
    return `${amount} ${visibleText(token)}${token_id === undefined ? "" : ` #${token_id}`} from ${from} to ${to}`;
  });
  return lines.join("\n");
}

function drawArrow(
  { canvas }: Sketch,
  { from, to, y, dot }: { from: number; to: number; y: number; dot: boolean },
): void {
  const way = Math.sign(to - from);
  if (dot) canvas.dot("tip", from, y);
  canvas.path("arrow", lineTo(from, to - way * 8, y));
  canvas.path("tip", `M${at(to - way)} ${at(y)}l${-9 * way} -5v10z`);
}

function drawLoop({ canvas }: Sketch, x: number, y: number): void {
  canvas.path("arrow", `M${at(x)} ${at(y - 1)}h22v9h-16`);
  canvas.path("tip", `M${at(x + 1)} ${at(y + 8)}l8 -4v8z`);
}

/** A cross before the other lane. */
function drawFailure({ canvas }: Sketch, from: number, to: number, y: number): void {
  const way = Math.sign(to - from);
  const end = way === 0 ? from + 26 : to - way * 12;
  canvas.dot("tip", from, y);
  canvas.path("arrow", lineTo(from, end - way * 7, y));
  canvas.path("cross", `M${at(end - 5)} ${at(y - 5)}l10 10m0 -10l-10 10`);
}

/** Inside the picture, on a patch over the lanes. */
function drawLabel(
  { canvas, geometry: { size, width } }: Sketch,
  label: string,
  { from, to, y }: { from: number; to: number; y: number },
): void {
  const room = width - size.gutter - 8;
  const fontSize = widthOf(label, 13) > room ? 11 : 13;
  const half = Math.min(widthOf(label, fontSize), room) / 2;
  const middle = Math.min(Math.max((from + to) / 2, size.gutter + half), width - 4 - half);
  canvas.path("halo", `M${at(middle - half)} ${at(y - 20)}h${at(2 * half)}v16h${at(-2 * half)}z`);
  canvas.text(middle, y - 8, label, { anchor: "middle", size: fontSize, max: room });
}
