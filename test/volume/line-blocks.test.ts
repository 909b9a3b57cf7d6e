import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eachLine, isEmpty, type LineBlock, readBlocks } from "../../src/volume/line-blocks.ts";

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

/** What is read, each line with its number; `null` is a line that is too long. */
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
    // The rest never ends: what is kept of it is forgotten as soon as it is too long, and nothing comes out.
    await blocks.return(undefined);
  });

  it("have at most 64 lines, so that a short input is shared among threads", async () => {
    const blocks = await gather("0x12\n".repeat(1_000), []);
    expect(Math.max(...blocks.map(({ lines }) => lines))).toBe(64);
    expect(blocks.at(-1)?.end).toBe(5_000);
  });
});
