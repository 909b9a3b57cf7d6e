import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createLogOutput, type LogStream } from "../../../src/serve/start/log-output.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 31) });
  return () => vi.useRealTimers();
});

const gap = (dropped: number) =>
  `{"time":"2026-01-31T00:00:00.000Z","level":"warn","event":"log","dropped":${dropped}}\n`;

/** A stream whose reader stands still as a test says. */
function openStream(more: Partial<Record<keyof LogStream, unknown>> = {}) {
  const written: string[] = [];
  const ended: ((error?: Error) => void)[] = [];
  const stream = {
    ...{ writableLength: 0, destroyed: false, on: vi.fn() },
    write(line: string, done: (error?: Error) => void) {
      written.push(line);
      ended.push(done);
      return true;
    },
    ...more,
  };
  return { stream: stream as typeof stream & LogStream, written, ended };
}

describe("lines of the log", () => {
  it("are taken as long as so many bytes wait, the line itself among them", () => {
    const { stream, written } = openStream();
    const output = createLogOutput(stream, 10);
    stream.writableLength = 7;
    output.write("ab\n");
    expect([written, output.dropped()]).toEqual([["ab\n"], 0]);
    output.write("abc\n");
    expect([written, output.dropped()]).toEqual([["ab\n"], 1]);
  });

  it("wait up to a megabyte unless told otherwise", () => {
    const { stream, written } = openStream();
    const output = createLogOutput(stream);
    stream.writableLength = 1_048_576 - 2;
    output.write("a\n");
    stream.writableLength++;
    output.write("b\n");
    expect([written, output.dropped()]).toEqual([["a\n"], 1]);
  });

  it("are dropped where the reader is gone", () => {
    const { stream, written } = openStream({ destroyed: true });
    const output = createLogOutput(stream);
    output.write("a\n");
    expect([written, output.dropped()]).toEqual([[], 1]);
    expect(stream.on).toHaveBeenCalledWith("error", expect.any(Function));
  });

  it("come after a line that tells how many are missing, once for each", () => {
    const { stream, written } = openStream();
    const output = createLogOutput(stream, 200);
    stream.writableLength = 200;
    for (const line of ["a\n", "b\n"]) output.write(line);
    stream.writableLength = 0;
    for (const line of ["c\n", "d\n"]) output.write(line);
    expect(written).toEqual([gap(2), "c\n", "d\n"]);
    stream.writableLength = 200;
    output.write("e\n");
    stream.writableLength = 0;
    output.write("f\n");
    expect(written.slice(3)).toEqual([gap(1), "f\n"]);
    expect(output.dropped()).toBe(3);
  });

  it("that were taken and then failed count as dropped, those that tell of a gap do not", () => {
    const { stream, written, ended } = openStream();
    const output = createLogOutput(stream);
    output.write("a\n");
    output.write("b\n");
    ended[0]?.(new Error("broken"));
    ended[1]?.();
    expect(output.dropped()).toBe(1);
    output.write("c\n");
    expect(written.slice(2)).toEqual([gap(1), "c\n"]);
    ended[2]?.(new Error("broken"));
    expect(output.dropped()).toBe(1);
  });

  it("go into a file at once, and on when it takes lines again", () => {
    const dir = mkdtempSync(join(tmpdir(), "txgloss-log-"));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const path = join(dir, "log");
    const fd = openSync(path, "w");
    const { stream, written } = openStream({ fd, writableLength: 2_000_000, destroyed: true });
    const output = createLogOutput(stream);
    output.write("a\n");
    expect([readFileSync(path, "utf8"), written, output.dropped()]).toEqual(["a\n", [], 0]);
    closeSync(fd);
    output.write("b\n");
    expect(output.dropped()).toBe(1);
  });

  it("go through the stream where its number is of nothing", () => {
    const { stream, written } = openStream({ fd: 1_000_000 });
    createLogOutput(stream).write("a\n");
    expect(written).toEqual(["a\n"]);
  });
});
