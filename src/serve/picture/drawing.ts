import { Canvas } from "./canvas.ts";
import type { Cast, Pictured } from "./cast.ts";
import { drawHeads } from "./heads.ts";
import type { Layout, PictureSize } from "./lanes.ts";
import { drawNets } from "./nets.ts";
import { drawRow } from "./row-marks.ts";
import type { Geometry, Sketch } from "./sketch.ts";

const rowHeight = 36;
const headHeight = 58;
/** Between lanes, pixels. */
const stepMax = 220;

/** SVG and size in pixels. */
export function draw(pictured: Pictured, cast: Cast, layout: Layout, size: PictureSize) {
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
