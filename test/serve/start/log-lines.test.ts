import { closeSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLogOutput, type LogStream } from "../../../src/serve/start/log-output.ts";

/** A stream for which a test says how much waits in it, and when each line is taken or lost. */
function streamOf(parts: { fd?: number } = {}) {
  const lines: string[] = [];
  const taken: ((error?: Error) => void)[] = [];
  const heard: string[] = [];
  const stream = {
    ...{ destroyed: false, writableLength: 0, ...parts },
    on: (name: string) => heard.push(name),
    write: (line: string, then: (error?: Error) => void) => {
      lines.push(line);
      taken.push(then);
    },
  };
  return { stream, lines, taken, heard, output: createLogOutput(stream as unknown as LogStream, 10) };
}

const gap = (line: string | undefined) => {
  const { time, ...rest } = JSON.parse(line ?? "");
  return { ...rest, dated: !Number.isNaN(Date.parse(time)), ends: line?.endsWith("}\n") };
};
const gapOf = (dropped: number) => ({ level: "warn", event: "log", dropped, dated: true, ends: true });

describe("lines of the log into a stream", () => {
  it("are taken while no more than so many bytes wait", () => {
    const { stream, lines, output } = streamOf();
    stream.writableLength = 5;
    output.write("12345");
    expect([lines, output.dropped()]).toEqual([["12345"], 0]);
    output.write("123456");
    expect([lines.length, output.dropped()]).toEqual([1, 1]);
  });

  it("may wait up to a mebibyte by default", () => {
    const { stream, lines } = streamOf();
    const output = createLogOutput(stream as unknown as LogStream);
    stream.writableLength = 1_048_575;
    output.write("a");
    output.write("ab");
    expect([lines, output.dropped()]).toEqual([["a"], 1]);
  });

  it("tell how many are missing before the next one, once, as soon as there is room for that", () => {
    const { stream, lines, output } = streamOf();
    const wide = createLogOutput(stream as unknown as LogStream, 1_000);
    stream.writableLength = 1_000;
    wide.write("a\n");
    wide.write("b\n");
    expect([lines, wide.dropped()]).toEqual([[], 2]);
    stream.writableLength = 990;
    // There is room for the line, but not for the gap.
    wide.write("c\n");
    expect(lines.splice(0)).toEqual(["c\n"]);
    stream.writableLength = 0;
    wide.write("d\n");
    wide.write("e\n");
    expect([gap(lines[0]), lines.slice(1)]).toEqual([gapOf(2), ["d\n", "e\n"]]);
    stream.destroyed = true;
    wide.write("f\n");
    expect([lines.length, wide.dropped(), output.dropped()]).toEqual([3, 3, 0]);
    stream.destroyed = false;
    wide.write("g\n");
    expect([gap(lines[3]), lines.slice(4)]).toEqual([gapOf(1), ["g\n"]]);
  });

  it("count as dropped when they are lost on their way, but not the word of a gap", () => {
    const { stream, lines, taken } = streamOf();
    const output = createLogOutput(stream as unknown as LogStream, 1_000);
    output.write("a\n");
    taken[0]?.();
    expect(output.dropped()).toBe(0);
    taken[0]?.(new Error("gone"));
    expect(output.dropped()).toBe(1);
    output.write("b\n");
    expect([gap(lines[1]), lines[2]]).toEqual([gapOf(1), "b\n"]);
    taken[1]?.(new Error("gone"));
    expect(output.dropped()).toBe(1);
  });

  it("end nothing when the stream breaks", () => {
    const { stream, output, heard } = streamOf();
    expect(heard).toEqual(["error"]);
    stream.write = () => {
      throw new Error("broken");
    };
    output.write("a");
    expect(output.dropped()).toBe(1);
  });
});

describe("lines of the log into a file", () => {
  it("are written past the stream, and dropped when it takes none", () => {
    const path = join(mkdtempSync(join(tmpdir(), "log-")), "log");
    const fd = openSync(path, "w");
    const { output, lines } = streamOf({ fd });
    output.write("longer than the stream may hold\n");
    output.write("b\n");
    expect(readFileSync(path, "utf8")).toBe("longer than the stream may hold\nb\n");
    closeSync(fd);
    const reading = openSync(path, "r");
    const { output: other } = streamOf({ fd: reading });
    other.write("c\n");
    closeSync(reading);
    expect([lines, output.dropped(), other.dropped()]).toEqual([[], 0, 1]);
  });

  it("may go to a device, too", () => {
    const fd = openSync("/dev/null", "w");
    const { output, lines } = streamOf({ fd });
    output.write("a");
    closeSync(fd);
    expect([lines, output.dropped()]).toEqual([[], 0]);
  });

  it("go through the stream where there is no such file", () => {
    const { output, lines } = streamOf({ fd: 9_999 });
    output.write("a");
    expect([lines, output.dropped()]).toEqual([["a"], 0]);
  });
});
