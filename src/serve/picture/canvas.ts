import { escapeMarkup, fitText, hasUnknownGlyphs, isolateEnd, isolateStart, widthOf } from "./text.ts";

export interface TextStyle {
  /** Pixels. */
  size?: number;
  /** Pixels; wider is cut. */
  max?: number;
  anchor?: "start" | "middle" | "end";
  className?: string;
}

/** Pixels, at most one decimal. */
export class Canvas {
  readonly #parts: string[] = [];

  /** Until `close`; title on hover. */
  open(className: string, title: string): void {
    const shown = title === "" ? "" : `<title>${escapeMarkup(title)}</title>`;
    this.#parts.push(`<g${className === "" ? "" : ` class="${className}"`}>${shown}`);
  }

  close(): void {
    this.#parts.push("</g>");
  }

  path(className: string, data: string): void {
    this.#parts.push(`<path class="${className}" d="${data}"/>`);
  }

  box(className: string, { x, y, width, height }: { x: number; y: number; width: number; height: number }): void {
    const place = `x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}"`;
    this.#parts.push(`<rect class="${className}" ${place} rx="6"/>`);
  }

  dot(className: string, x: number, y: number): void {
    this.#parts.push(`<circle class="${className}" cx="${at(x)}" cy="${at(y)}" r="3"/>`);
  }

  text(x: number, y: number, text: string, { size = 12, max, anchor = "start", className }: TextStyle = {}): void {
    const shown = max === undefined ? text : fitText(text, size, max);
    const placed = `x="${at(x)}" y="${at(y)}" font-size="${size}"`;
    const anchored = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
    const styled = className === undefined ? "" : ` class="${className}"`;
    this.#parts.push(`<text ${placed}${anchored}${styled}>${spans(shown, size)}</text>`);
  }

  toString(): string {
    return this.#parts.join("");
  }
}

/** At most one decimal. */
export function at(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** At height `y`. */
export function lineTo(fromX: number, toX: number, y: number): string {
  return `M${at(fromX)} ${at(y)}H${at(toX)}`;
}

/** Glyphs of unknown width are fitted to the layout's width; plain text stays. */
function spans(text: string, size: number): string {
  if (!hasUnknownGlyphs(text)) return escapeMarkup(text);
  return text
    .split(/(\u2068[^\u2069]*\u2069?)/)
    .map((part) => {
      if (!hasUnknownGlyphs(part)) return escapeMarkup(part);
      const width = widthOf(part.replaceAll(isolateStart, "").replaceAll(isolateEnd, ""), size);
      return `<tspan textLength="${Math.round(width)}" lengthAdjust="spacingAndGlyphs">${escapeMarkup(part)}</tspan>`;
    })
    .join("");
}
