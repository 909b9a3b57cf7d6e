import { describe, expect, it } from "vitest";
import { createLogger, describeCause, type LogLevel } from "../../src/kernel/logger.ts";

describe("the log", () => {
  it.each<[LogLevel, string[]]>([
    ["silent", []],
    ["error", ["error"]],
    ["warn", ["error", "warn"]],
    ["info", ["error", "warn", "info"]],
    ["debug", ["error", "warn", "info", "debug"]],
  ])("of level %s has lines of %j", (level, expected) => {
    const lines: string[] = [];
    const logger = createLogger(level, (line) => lines.push(line));
    for (const name of ["error", "warn", "info", "debug"] as const) logger[name]({ event: "x", n: 1 });
    const read = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(read.map((line) => line.level)).toEqual(expected);
    for (const { time, level: _, ...rest } of read) {
      expect(rest).toEqual({ event: "x", n: 1 });
      expect(new Date(time as string).toISOString()).toBe(time);
    }
    expect(lines.every((line) => line.endsWith("}\n"))).toBe(true);
  });

  it("has of a cause its stack and no secrets of addresses", () => {
    const error = new Error("at https://user:pass@node.example/v2/key?x=1 and postgresql://u:p@db:5432/x", {
      cause: "because of http://[broken/key",
    });
    const text = describeCause(error);
    expect(text.startsWith("Error: at https://node.example and postgresql://db:5432\n    at ")).toBe(true);
    expect(text.endsWith("\ncaused by because of (an address)")).toBe(true);
    const bare = new Error("no stack");
    delete bare.stack;
    expect(describeCause(bare)).toBe("no stack");
    expect(describeCause(7)).toBe("7");
  });
});
