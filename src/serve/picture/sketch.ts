import type { Canvas } from "./canvas.ts";
import type { Cast, Pictured } from "./cast.ts";
import type { Layout, PictureSize } from "./lanes.ts";

/** Pixels. */
export interface Geometry {
  size: PictureSize;
  width: number;
  /** Between the middles of lanes. */
  step: number;
  /** Middle of a lane. */
  xOf: (lane: string | null) => number;
  /** First and last height of rows. */
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
