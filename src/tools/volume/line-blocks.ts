import { serviceLimits } from "../../kernel/limits.ts";

/** Whole lines, unchanged. */
export interface LineBlock {
  /** From 1, counting empty lines. */
  first: number;
  /** Empty ones included. */
  lines: number;
  /** Each line ends with a line feed. */
  bytes: Uint8Array;
  /** Bytes of the input before its end. */
  end: number;
  /** One line that is too long; `bytes` is empty. */
  tooLong: boolean;
}

export interface BlockOptions {
  /** Lines with content to skip first. */
  skip?: number;
  /** With the last of those. */
  skipped?: (line: string) => void;
  lineBytesMax?: number;
}

const lineFeed = 10;
const carriageReturn = 13;

/**
 * Cuts lines as they arrive, without waiting for a full block. A last line without line feed counts. At most one line is held in memory.
 */
export async function* readBlocks(
  input: AsyncIterable<Uint8Array>,
  { skip = 0, skipped, lineBytesMax = serviceLimits.lineBytesMax }: BlockOptions = {},
): AsyncGenerator<LineBlock> {
  const cutter = new BlockCutter(lineBytesMax);
  let left = skip;
  const passed = (block: LineBlock): LineBlock | undefined => {
    if (left === 0) return block;
    const cut = dropLines(block, left);
    left -= cut.dropped;
    if (cut.dropped > 0 && left === 0) skipped?.(cut.last);
    return cut.rest;
  };
  for await (const chunk of input)
    for (const block of cutter.cut(chunk)) {
      const rest = passed(block);
      if (rest !== undefined) yield rest;
    }
  for (const block of cutter.finish()) {
    const rest = passed(block);
    if (rest !== undefined) yield rest;
  }
}

class BlockCutter {
  readonly #lineBytesMax: number;
  /** Its end has not arrived. */
  #open: Uint8Array[] = [];
  #openBytes = 0;
  #overlong = false;
  #line = 1;
  #end = 0;

  constructor(lineBytesMax: number) {
    this.#lineBytesMax = lineBytesMax;
  }

  *cut(chunk: Uint8Array): Generator<LineBlock> {
    const first = chunk.indexOf(lineFeed);
    if (first < 0) return this.#keep(chunk);
    yield this.#close(chunk.subarray(0, first + 1));
    const last = chunk.lastIndexOf(lineFeed);
    let from = first + 1;
    while (from <= last) {
      if (chunk.length > this.#lineBytesMax) {
        const to = chunk.indexOf(lineFeed, from) + 1;
        yield this.#close(chunk.subarray(from, to));
        from = to;
        continue;
      }
      const { to, lines } = findEnd(chunk, from, last + 1);
      yield this.#block(chunk.subarray(from, to), lines);
      from = to;
    }
    this.#keep(chunk.subarray(last + 1));
  }

  *finish(): Generator<LineBlock> {
    if (this.#openBytes > 0 || this.#overlong) yield this.#close(Uint8Array.of(lineFeed));
  }

  #close(end: Uint8Array): LineBlock {
    const tooLong = this.#overlong || this.#openBytes + end.length - 1 > this.#lineBytesMax;
    const bytes = this.#open.length === 0 ? end : Buffer.concat([...this.#open, end]);
    this.#open = [];
    this.#openBytes = 0;
    this.#overlong = false;
    const block = this.#block(bytes, 1);
    return tooLong ? { ...block, bytes: new Uint8Array(), tooLong } : block;
  }

  #block(bytes: Uint8Array, lines: number): LineBlock {
    const first = this.#line;
    this.#line += lines;
    this.#end += bytes.length;
    return { first, lines, bytes, end: this.#end, tooLong: false };
  }

  #keep(rest: Uint8Array): void {
    if (rest.length === 0) return;
    if (this.#overlong) {
      this.#end += rest.length;
      return;
    }
    this.#open.push(rest);
    this.#openBytes += rest.length;
    if (this.#openBytes <= this.#lineBytesMax) return;
    // The bytes of a line that is too long are dropped at once. Only the fact is kept.
    this.#overlong = true;
    this.#end += this.#openBytes;
    this.#open = [];
    this.#openBytes = 0;
  }
}

/** The end is not after `stop`, the end of a line. */
function findEnd(chunk: Uint8Array, from: number, stop: number): { to: number; lines: number } {
  let to = from;
  let lines = 0;
  while (to < stop && lines < serviceLimits.blockLinesMax && to - from < serviceLimits.blockBytesMax) {
    to = chunk.indexOf(lineFeed, to) + 1;
    lines++;
  }
  return { to, lines };
}

/** Drops up to `count` lines with content. */
function dropLines(block: LineBlock, count: number): { dropped: number; last: string; rest: LineBlock | undefined } {
  if (block.tooLong) return { dropped: 1, last: "", rest: undefined };
  let dropped = 0;
  let last = "";
  let at = 0;
  let lines = 0;
  for (const line of eachLine(block.bytes)) {
    if (dropped === count) break;
    lines++;
    at = line.to;
    if (isEmpty(block.bytes, line)) continue;
    dropped++;
    last = Buffer.from(block.bytes.subarray(line.from, line.to - 1)).toString("utf8");
  }
  if (lines === block.lines) return { dropped, last, rest: undefined };
  const rest = { ...block, first: block.first + lines, lines: block.lines - lines, bytes: block.bytes.subarray(at) };
  return { dropped, last, rest };
}

interface Span {
  from: number;
  /** After the line feed. */
  to: number;
}

export function* eachLine(bytes: Uint8Array): Generator<Span> {
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(lineFeed, from) + 1;
    yield { from, to };
    from = to;
  }
}

/** An empty line gets no answer. */
export function isEmpty(bytes: Uint8Array, { from, to }: Span): boolean {
  return to - from === 1 || (to - from === 2 && bytes[from] === carriageReturn);
}
