import { counted } from "../../kernel/amount.ts";
import { Canvas } from "./canvas.ts";
import { type Cast, castOf, type Pictured } from "./cast.ts";
import { drawHeads } from "./heads.ts";
import { type Layout, layOut, type PictureSize } from "./lanes.ts";
import { drawNets } from "./nets.ts";
import { drawRow } from "./row-marks.ts";
import { others } from "./rows.ts";
import type { Geometry, Sketch } from "./sketch.ts";
import { pictureColours, pictureStyles } from "./styles.ts";
import { escapeMarkup, visibleText } from "./text.ts";

const rowHeight = 36;
const headHeight = 58;
/** Between lanes, pixels. */
const stepMax = 220;

/** SVG and size in pixels. */
function draw(pictured: Pictured, cast: Cast, layout: Layout, size: PictureSize) {
  const { lanes, rows } = layout;
  const columns = Math.max(lanes.length, 2);
  const step = Math.min(stepMax, (size.width - size.gutter) / columns);
  const places = new Map(lanes.map((lane, place) => [lane, size.gutter + step * (place + 0.5)]));
  const geometry: Geometry = {
    ...{ size, step, width: Math.round(size.gutter + step * columns) },
    xOf: (lane) => places.get(lane ?? "") ?? size.gutter,
    ...{ top: headHeight, bottom: headHeight + rows.length * rowHeight + 12 },
  };
  const canvas = new Canvas();
  const scene: Sketch = { pictured, cast, layout, geometry, canvas };
  drawHeads(scene);
  for (const [place, row] of rows.entries()) drawRow(scene, row, headHeight + place * rowHeight + 30);
  const lines = cast.legs.length === 0 ? 0 : drawNets(scene);
  const height = geometry.bottom + (lines === 0 ? 0 : 16 + lines * 16);
  return { marks: canvas.toString(), width: geometry.width, height: Math.round(height) };
}

/** For pages from 640 pixels, and for phones. */
export const wideSize: PictureSize = { id: "wide", width: 936, lanesMax: 9, rowsMax: 24, gutter: 40, gap: 8 };
export const narrowSize: PictureSize = { id: "narrow", width: 336, lanesMax: 4, rowsMax: 16, gutter: 40, gap: 4 };

/** The page has the styles; one drawing of each size. */
export function drawPicture(pictured: Pictured, size: PictureSize): string {
  return drawSvg(pictured, size, { classes: `pic ${size.id}`, before: "" });
}

/** Own styles, light and dark; no script, no references. */
export function pictureFile(pictured: Pictured, size: PictureSize = wideSize): string {
  const { light, dark } = pictureColours;
  const colours = `svg{${light}}@media(prefers-color-scheme:dark){svg{${dark}}}`;
  return `${drawSvg(pictured, size, {
    classes: "pic",
    namespace: ` xmlns="http://www.w3.org/2000/svg"`,
    before: `<style>${colours}\n${pictureStyles}</style><rect class="halo" width="100%" height="100%"/>`,
  })}\n`;
}

function drawSvg(
  pictured: Pictured,
  size: PictureSize,
  { classes, namespace = "", before }: { classes: string; namespace?: string; before: string },
): string {
  const cast = castOf(pictured);
  const layout = layOut(pictured, cast, size);
  const { marks, width, height } = draw(pictured, cast, layout, size);
  const [title, desc] = [`t-${size.id}`, `d-${size.id}`];
  const { planned = false } = pictured;
  const named = `<title id="${title}">Who ${planned ? "would move" : "moved"} what to whom</title><desc id="${desc}">${describe(pictured, layout)}</desc>`;
  const shape = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" direction="ltr"`;
  return `<svg${namespace} class="${classes}${planned ? " plan" : ""}" role="img" aria-labelledby="${title} ${desc}" ${shape}>${named}${before}${marks}</svg>`;
}

/** For screen readers. */
function describe({ explanation, facts, planned = false }: Pictured, { lanes, rows, folded }: Layout): string {
  const { assets_moved, summary } = explanation;
  const accounts = lanes.filter((lane) => lane !== others).length;
  const sentences = [
    visibleText(summary),
    `${counted(accounts, "column")} for accounts${folded.size === 0 ? "" : `, ${folded.size} more folded into one or left to the table`};`,
    `${counted(rows.length, "row")} for ${counted(assets_moved.length, "movement")}, from top to bottom in the order in which they ${planned ? "would happen" : "happened"}.`,
    ...(facts.grants.length === 0
      ? []
      : [`${counted(facts.grants.length, "right")} over tokens ${stay(facts.grants.length, planned)}.`]),
    ...(facts.failures.length === 0
      ? []
      : [`${counted(facts.failures.length, "call")} ${planned ? "would fail" : "failed"}.`]),
  ];
  return escapeMarkup(sentences.join(" "));
}

function stay(number: number, planned: boolean): string {
  return planned ? "would stay" : number === 1 ? "stays" : "stay";
}
