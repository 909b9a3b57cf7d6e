import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import { eachLine, isEmpty, type LineBlock, readBlocks } from "../../../src/tools/volume/line-blocks.ts";

async function* chunksOf(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    yield bytes.subarray(from, Math.max(from, cut % (bytes.length + 1)));
    from = Math.max(from, cut % (bytes.length + 1));
  }
  yield bytes.subarray(from);
}

const gather = (text: string, cuts: readonly number[], options = {}): Promise<LineBlock[]> =>
  Readable.from(readBlocks(chunksOf(Buffer.from(text), cuts), options)).toArray();

type ReadLine = [number, string | null];

/** The lines that are read, each with its number. `null` is a line that is too long. */
function linesOf(blocks: readonly LineBlock[]): ReadLine[] {
  return blocks.flatMap(({ first, bytes, tooLong }): ReadLine[] => {
    if (tooLong) return [[first, null]];
    const spans = [...eachLine(bytes)].map((span, i) => ({ span, number: first + i }));
    return spans
      .filter(({ span }) => !isEmpty(bytes, span))
      .map(({ span, number }): [number, string] => [
        number,
        Buffer.from(bytes.subarray(span.from, span.to - 1)).toString(),
      ]);
  });
}

/** The same without blocks. */
function expectedLines(text: string, max: number): ReadLine[] {
  const lines = text.split("\n").map((line, i): [number, string] => [i + 1, line]);
  return lines
    .filter(([, line]) => line !== "" && line !== "\r")
    .map(([number, line]) => [number, Buffer.byteLength(line) > max ? null : line]);
}

const someText = fc.array(fc.constantFrom("a", "bc", "é", "\n", "\n", "\r\n", "long ".repeat(4)), { maxLength: 60 });

describe("blocks of lines", () => {
  it("hold each line once, whole, in order and with its number, wherever the stream is cut", async () => {
    await fc.assert(
      fc.asyncProperty(someText, fc.array(fc.nat(200), { maxLength: 12 }), async (parts, cuts) => {
        const text = parts.join("");
        expect(linesOf(await gather(text, cuts))).toEqual(expectedLines(text, 1_000));
        expect(linesOf(await gather(text, cuts, { lineBytesMax: 16 }))).toEqual(expectedLines(text, 16));
      }),
    );
  });

  it("leave out the first lines that have anything on them, and tell the last of those", async () => {
    await fc.assert(
      fc.asyncProperty(someText, fc.array(fc.nat(200)), fc.nat(20), async (parts, cuts, skip) => {
        const text = parts.join("");
        const all = expectedLines(text, 1_000);
        const told: string[] = [];
        const blocks = await gather(text, cuts, { skip, skipped: (line: string) => told.push(line) });
        expect(linesOf(blocks)).toEqual(all.slice(skip));
        expect(told).toEqual(skip > 0 && skip <= all.length ? [all[skip - 1]?.[1]] : []);
      }),
    );
  });

  it("come as soon as a line is there, and hold no more than one line of what has no end", async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        given++;
        yield Buffer.from(given === 2 ? "a\nb" : "x".repeat(1_000));
      }
    }
    const blocks = readBlocks(endless(), { lineBytesMax: 5_000 });
    const first = await blocks.next();
    expect([given, (first.value as LineBlock).lines]).toEqual([2, 1]);
    // The rest never ends. The part of it that was kept is dropped as soon as it is too long, and nothing is given.
    await blocks.return(undefined);
  });

  it("have at most 64 lines, so that a short input is shared among threads", async () => {
    const blocks = await gather("0x12\n".repeat(1_000), []);
    expect(Math.max(...blocks.map(({ lines }) => lines))).toBe(64);
    expect(blocks.at(-1)?.end).toBe(5_000);
  });
});

describe("blocks", () => {
  const read = (chunks: string[], options = {}) =>
    Readable.from(readBlocks(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), options)).toArray();
  const shapes = async (chunks: string[], options = {}) =>
    (await read(chunks, options)).map(({ first, lines, bytes, end, tooLong }) => [
      ...[first, lines, Buffer.from(bytes).toString(), end, tooLong],
    ]);

  it("know the number of their first line, how many they have, and where they end", async () => {
    expect(await shapes(["a\nb\nc", "", "d\n\ne"])).toEqual([
      [1, 1, "a\n", 2, false],
      [2, 1, "b\n", 4, false],
      [3, 1, "cd\n", 7, false],
      [4, 1, "\n", 8, false],
      [5, 1, "e\n", 10, false],
    ]);
    expect(await shapes(["a\nb\nc\nd\n"])).toEqual([
      [1, 1, "a\n", 2, false],
      [2, 3, "b\nc\nd\n", 8, false],
    ]);
    expect(await shapes([])).toEqual([]);
    expect(await shapes(["\n"])).toEqual([[1, 1, "\n", 1, false]]);
  });

  it("take a line up to the limit, in one piece or in several, and forget a longer one", async () => {
    for (const [long, kept] of [
      ["12345", true],
      ["123456", false],
    ] as const)
      for (const chunks of [[`${long}\nx\n`], [long.slice(0, 2), `${long.slice(2)}\nx\n`], [long, "\nx\n"]])
        expect(await shapes(chunks, { lineBytesMax: 5 })).toEqual([
          [1, 1, kept ? `${long}\n` : "", long.length + 1, !kept],
          [2, 1, "x\n", long.length + 3, false],
        ]);
    expect(await shapes(["123456", "789"], { lineBytesMax: 5 })).toEqual([[1, 1, "", 10, true]]);
    expect(await shapes(["a\nb\n123456\nc\n"], { lineBytesMax: 5 })).toEqual([
      [1, 1, "a\n", 2, false],
      [2, 1, "b\n", 4, false],
      [3, 1, "", 11, true],
      [4, 1, "c\n", 13, false],
    ]);
  });

  it("are cut at so many bytes", async () => {
    const line = `${"x".repeat(serviceLimits.blockBytesMax / 4 - 1)}\n`;
    const sizes = async (rest: string) => (await read([`a\n${rest}`])).map(({ lines }) => lines);
    expect(await sizes(line.repeat(6))).toEqual([1, 4, 2]);
    expect(await sizes(line.slice(1) + line.repeat(5))).toEqual([1, 5, 1]);
  });

  it("leave out the first lines, those that are too long among them", async () => {
    const told: string[] = [];
    const options = { lineBytesMax: 7, skipped: (line: string) => told.push(line) };
    expect(await shapes(["a\n\nb\nc\n"], { ...options, skip: 1 })).toEqual([[2, 3, "\nb\nc\n", 7, false]]);
    expect(await shapes(["a\n\nb\nc\n"], { ...options, skip: 2 })).toEqual([[4, 1, "c\n", 7, false]]);
    expect(await shapes(["12345678\nb\n"], { ...options, skip: 1 })).toEqual([[2, 1, "b\n", 11, false]]);
    expect(await shapes(["a\nb\n"], { ...options, skip: 2 })).toEqual([]);
    expect(await shapes(["a\nb\n"], { ...options, skip: 3 })).toEqual([]);
    expect(told).toEqual(["a", "b", "", "b"]);
  });
});

describe("a line of a block", () => {
  it.each([
    ["\n", true],
    ["\r\n", true],
    [" \n", false],
    ["a\n", false],
    ["\r\r\n", false],
  ])("%j is empty: %s", (line, empty) => {
    expect(isEmpty(Buffer.from(line), { from: 0, to: line.length })).toBe(empty);
  });
});
