import { castOf } from "../../../src/serve/picture/cast.ts";
import { layOut, type PictureSize } from "../../../src/serve/picture/lanes.ts";
import { wideSize } from "../../../src/serve/picture/picture.ts";
import type { PictureRow } from "../../../src/serve/picture/rows.ts";
import { letterIn, type PicturedSample, picturedOf } from "./sample.ts";

/** A picture with room for little. */
export const small: PictureSize = { ...wideSize, lanesMax: 3, rowsMax: 3 };

/** Lanes, rows and folded accounts as letters. A row has its kind, its ends and the numbers of its movements. */
export function laid(sample: PicturedSample, size: PictureSize = wideSize) {
  const pictured = picturedOf(sample);
  const { lanes, rows, folded } = layOut(pictured, castOf(pictured), size);
  return {
    lanes: lanes.map(letterIn).join(" "),
    rows: rows.map(rowText),
    folded: [...folded].map(letterIn).join(" "),
  };
}

function rowText(row: PictureRow): string {
  const what = row.kind === "moves" || row.kind === "rest" ? row.legs.map(({ number }) => number).join(",") : "";
  const more = row.kind === "grant" ? row.letter : row.kind === "more_grants" ? String(row.count) : what;
  return `${row.kind} ${letterIn(row.from)}>${letterIn(row.to)} ${more}`.trim();
}
