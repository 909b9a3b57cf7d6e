import { widthOf } from "../../../src/serve/picture/text.ts";

/** Where a text of a drawing stands, in pixels. */
export interface TextBox {
  text: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** The texts of a drawing, with the room that each is calculated to take. */
export function textBoxes(svg: string): TextBox[] {
  const texts = svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)" font-size="(\d+)"([^>]*)>(.*?)<\/text>/gs);
  return [...texts].map(([, x, y, fontSize, style = "", content = ""]) => {
    const text = content.replace(/<[^>]*>/g, "").replace(/&([#\w]+);/g, (_all, name) => entities[name] ?? "");
    const size = Number(fontSize);
    const width = /mono/.test(style) ? text.length * size * 0.6 : widthOf(text, size);
    const share = style.includes("middle") ? 0.5 : style.includes("end") ? 1 : 0;
    const left = Number(x) - width * share;
    return { text, left, right: left + width, top: Number(y) - size * 0.75, bottom: Number(y) + size * 0.2 };
  });
}

/** Pairs of texts that overlap, and texts that leave the drawing. */
export function overlapsIn(svg: string): string[] {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
  const boxes = textBoxes(svg);
  const outside = boxes.filter(
    ({ left, right, top, bottom }) => left < -1 || right > Number(width) + 1 || top < 0 || bottom > Number(height) + 1,
  );
  const found = outside.map(({ text }) => `outside: ${text}`);
  for (const [i, a] of boxes.entries())
    for (const b of boxes.slice(i + 1))
      if (
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
      )
        found.push(`${a.text} | ${b.text}`);
  return found;
}
