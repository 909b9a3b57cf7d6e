import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codesOf, createLogger, describeCause, type LogLevel } from "../../src/kernel/logger.ts";

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

  const hex = (min: number, max: number) =>
    fc
      .array(fc.constantFrom(..."0123456789abcdef"), { minLength: min, maxLength: max })
      .map((digits) => digits.join(""));
  const secrets = fc.oneof(
    hex(130, 400).map((digits) => `0x${digits}`),
    fc.tuple(hex(24, 24), hex(64, 64)).map(([id, key]) => `svc_${id}_${key}`),
    fc.uint8Array({ minLength: 150, maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString("base64")),
    hex(8, 64).map((digits) => `https://node.example/v2/${digits}?token=${digits}`),
  );

  it("has of a cause no signature, pass, header or key of an address, wherever it stands", () => {
    fc.assert(
      fc.property(secrets, fc.string(), fc.boolean(), (secret, text, isNested) => {
        const inner = new TypeError(`${text} "${secret}" ${text}`);
        const told = describeCause(isNested ? new Error("outer", { cause: inner }) : inner);
        expect(told).not.toContain(secret);
        expect(told).not.toContain(secret.slice(-40));
      }),
    );
  });

  it("names what failed by codes alone where a caller is the cause", () => {
    const failed = Object.assign(new Error("0xsignature"), { code: "ENOTFOUND" });
    const odd = Object.assign(new RangeError("x", { cause: failed }), { code: "a sentence" });
    expect(codesOf(new Error("y", { cause: odd }))).toBe("Error < RangeError < ENOTFOUND");
    expect(codesOf("text")).toBe("");
    const circular = new Error("z");
    circular.cause = circular;
    expect(codesOf(circular)).toBe(Array(6).fill("Error").join(" < "));
  });
});
