import type { Canvas } from "./canvas.ts";
import type { Cast, Pictured } from "./cast.ts";
import type { Layout, PictureSize } from "./lanes.ts";

/** Where things stand. Lengths are pixels. */
export interface Geometry {
  size: PictureSize;
  width: number;
  /** Between the middles of two lanes. */
  step: number;
  /** Middle of a lane. */
  xOf: (lane: string | null) => number;
  /** Where the rows begin and end. */
  top: number;
  bottom: number;
}

export interface Sketch {
  pictured: Pictured;
  cast: Cast;
  layout: Layout;
  geometry: Geometry;
  canvas: Canvas;
}
