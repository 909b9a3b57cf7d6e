import type { Canvas } from "./canvas.ts";
import type { Cast, Pictured } from "./cast.ts";
import type { Layout, PictureSize } from "./lanes.ts";

/** The positions in a picture. Lengths are in pixels. */
export interface Geometry {
  size: PictureSize;
  width: number;
  /** Distance between the middles of two lanes. */
  step: number;
  /** The middle of a lane. */
  xOf: (lane: string | null) => number;
  /** The heights at which the rows begin and end. */
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
