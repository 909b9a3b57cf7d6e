import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { ServiceError } from "../../src/kernel/error.ts";
import { limits } from "../../src/kernel/limits.ts";
import { CaseInputError } from "../../src/receipt/case-from-receipt.ts";
import { CaseFileError } from "../../src/recordings/case-format.ts";
import { answerBlock } from "../../src/volume/line-answer.ts";
import { isEmpty, readBlocks } from "../../src/volume/line-blocks.ts";
import { describeLineError, LineError } from "../../src/volume/line-error.ts";
import { hashOfLine, readLine } from "../../src/volume/line-input.ts";
import { OrderedQueue } from "../../src/volume/ordered-queue.ts";
import { startPace } from "../../src/volume/pace.ts";
import { openResumed } from "../../src/volume/resume.ts";
import { caseFileOf, hashOf } from "../support/sample.ts";

const hash = hashOf(1);

function outcomeOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    const { code, message } = error as LineError;
    return [code, message];
  }
}

describe("a line of the input", () => {
  const noHash = ["invalid_tx_hash", "The hash is not 0x followed by 64 hex digits."];
  const kinds =
    'The line is no hash, no case file, and no {"transaction", "receipt"}: see the table of lines in docs/volume.md.';
  it.each<[string, string, unknown]>([
    ["a hash", hash, { hash }],
    ["a hash with blanks", ` ${hash}\r`, { hash }],
    ["a hash in upper case", `0x${hash.slice(2).toUpperCase()}`, { hash }],
    ["a hash in quotes", `"${hash}"`, { hash }],
    ["a hash in an object", JSON.stringify({ tx_hash: hash, more: 1 }), { hash }],
    ["what begins like a hash", "0x12", noHash],
    ["a text", '"0x12"', noHash],
    ["an object with a text", '{"tx_hash":"0x12"}', noHash],
    ["a number", "5", ["invalid_line", kinds]],
    ["null", "null", ["invalid_line", kinds]],
    ["a list", "[]", ["invalid_line", kinds]],
    ["an object of something else", "{}", ["invalid_line", kinds]],
  ])("is %s", (_name, line, expected) => {
    expect(outcomeOf(() => readLine(line))).toEqual(expected);
  });

  it("is a case file, of this chain", () => {
    const caseFile = caseFileOf(hash);
    expect(readLine(JSON.stringify(caseFile))).toEqual({ caseFile });
    expect(outcomeOf(() => readLine(JSON.stringify({ ...caseFile, chain_id: 1 })))).toEqual([
      ...["wrong_chain", "The case is of chain 1; these rules are for Base, chain 8453."],
    ]);
    expect(() => readLine(JSON.stringify({ version: 0 }))).toThrow(CaseFileError);
    // What is beside the version does not make it another kind of line.
    expect(() => readLine(JSON.stringify({ version: 0, transaction: {}, tx_hash: hash }))).toThrow(CaseFileError);
  });

  it.each(["transaction", "receipt"])("is a %s with what belongs to it", (name) => {
    expect(() => readLine(JSON.stringify({ [name]: {}, tx_hash: hash }))).toThrow(CaseInputError);
  });

  it("is no JSON", () => {
    expect(outcomeOf(() => readLine("{"))).toEqual(["invalid_json", expect.stringMatching(/^The line is no JSON: ./)]);
  });

  it.each<[string, string | null]>([
    [hash, hash],
    [` "${hash}" `, hash],
    [` ${hash}\r`, hash],
    [JSON.stringify({ tx_hash: hash, transaction: { hash: hashOf(2) } }), hash],
    [JSON.stringify({ transaction: { hash } }), hash],
    [JSON.stringify({ transaction: hash }), null],
    ["0x12", null],
    ["{", null],
    ["[]", null],
    ["null", null],
  ])("%s is about %s", (line, expected) => {
    expect(hashOfLine(line)).toBe(expected);
  });
});

describe("what goes wrong with a line", () => {
  it.each<[unknown, string, string, boolean]>([
    [new ServiceError("overloaded"), "overloaded", new ServiceError("overloaded").message, true],
    [new ServiceError("transaction_not_found", "no"), "transaction_not_found", "no", true],
    [new ServiceError("invalid_tx_hash", "no"), "invalid_tx_hash", "no", false],
    [new LineError("not_recorded", "no"), "not_recorded", "no", false],
    [new TypeError("x is no y"), "internal", "Our mistake: x is no y", false],
    ["x", "internal", "Our mistake: x", false],
  ])("%s", (error, code, message, retryable) => {
    expect(describeLineError(error, 7, hash)).toEqual({ error: code, message, retryable, line: 7, tx_hash: hash });
  });

  it("is told of cases and of transactions with receipts, too", () => {
    const told = (text: string) => {
      try {
        return readLine(text);
      } catch (error) {
        return describeLineError(error, 1, null);
      }
    };
    expect(told('{"version":0}')).toMatchObject({ error: "invalid_case", retryable: false, line: 1, tx_hash: null });
    const input = told('{"transaction":{}}');
    expect(input).toMatchObject({ retryable: false, line: 1 });
    expect(["internal", "invalid_case"]).not.toContain((input as { error: string }).error);
  });
});

describe("the lines of a block", () => {
  it("are answered in order, empty ones by nothing, failures in their place", async () => {
    const bytes = Buffer.from(`a\n\n\r\nlate\nbad\n${hash}\nfails late\n`);
    const answerer = {
      answer(line: string) {
        if (line === "late") return Promise.resolve("LATE");
        if (line === "bad") throw new LineError("invalid_line", "no");
        if (line === hash) throw new LineError("not_recorded", "no");
        if (line === "fails late") return Promise.reject(new ServiceError("overloaded", "wait"));
        return line.toUpperCase();
      },
    };
    const answer = await answerBlock({ first: 11, bytes }, answerer);
    const told = Buffer.from(answer.bytes).toString().split("\n");
    expect([answer.answers, answer.failures, told.length, told.at(-1)]).toEqual([5, 3, 6, ""]);
    expect(told.slice(0, 2)).toEqual(["A", "LATE"]);
    expect(told.slice(2, 5).map((line) => JSON.parse(line))).toEqual([
      { error: "invalid_line", message: "no", retryable: false, line: 15, tx_hash: null },
      { error: "not_recorded", message: "no", retryable: false, line: 16, tx_hash: hash },
      { error: "overloaded", message: "wait", retryable: true, line: 17, tx_hash: null },
    ]);
    const nothing = await answerBlock({ first: 1, bytes: Buffer.from("\n\r\n") }, answerer);
    expect(nothing).toEqual({ bytes: new Uint8Array(), answers: 0, failures: 0 });
  });

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
    const line = `${"x".repeat(limits.blockBytesMax / 4 - 1)}\n`;
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

describe("the pace of a long run", () => {
  it.each<[number, number, number | undefined, string]>([
    [0, 0, undefined, "0 done"],
    [1_200, 0, 0.5, "1,200 done, 0 s left"],
    [1_200, 1_000, undefined, "1,200 done, 1,200 a second"],
    [19, 2_000, undefined, "19 done, 9.5 a second"],
    [20, 2_000, undefined, "20 done, 10 a second"],
    [1_234_567, 100_000, 0, "1,234,567 done, 12,346 a second"],
    [100, 89_000, 0.5, "100 done, 1.1 a second, 89 s left"],
    [100, 89_999, 0.5, "100 done, 1.1 a second, 90 s left"],
    [100, 90_000, 0.5, "100 done, 1.1 a second, 2 min left"],
    [100, 89_500, 1, "100 done, 1.1 a second, 0 s left"],
    [100, 5_340_000, 0.5, "100 done, 0.0 a second, 89 min left"],
    [100, 5_341_000, 0.5, "100 done, 0.0 a second, 2 h left"],
    [100, 7_260_000, 0.5, "100 done, 0.0 a second, 3 h left"],
  ])("%d done in %d ms, %s of all", (done, ms, share, text) => {
    const clock = { time: 5_000, now: () => clock.time };
    const pace = startPace(clock);
    clock.time += ms;
    expect(pace.describe(done, share)).toBe(text);
  });

  it("does not count what an earlier run did", () => {
    const clock = { time: 5_000, now: () => clock.time };
    const pace = startPace(clock, 0.5);
    clock.time += 10_000;
    expect(pace.describe(100, 0.75)).toBe("100 done, 10 a second, 10 s left");
    expect(pace.describe(100, 0.5)).toBe("100 done, 10 a second");
  });
});

describe("a queue in order", () => {
  const taken = async <T>(queue: OrderedQueue<T>) => Readable.from(queue).toArray();

  it("gives what was put in first, first, whichever is done first", async () => {
    const queue = new OrderedQueue<number>(9);
    const first = Promise.withResolvers<number>();
    void queue.push(first.promise);
    void queue.push(Promise.resolve(2));
    queue.end();
    const all = taken(queue);
    first.resolve(1);
    expect(await all).toEqual([1, 2]);
    expect(await taken(queue)).toEqual([]);
  });

  it("lets whoever puts in wait while it is full, and says when nobody takes out any more", async () => {
    const queue = new OrderedQueue<number>(2);
    expect(await queue.push(Promise.resolve(1))).toBe(true);
    let pushed = false;
    const second = queue.push(Promise.resolve(2)).then((room) => {
      pushed = true;
      return room;
    });
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    expect(pushed).toBe(false);
    const items = queue[Symbol.asyncIterator]();
    expect((await items.next()).value).toBe(1);
    const next = items.next();
    expect(await second).toBe(true);
    expect((await next).value).toBe(2);
    const full = [queue.push(Promise.resolve(3)), queue.push(Promise.resolve(4))];
    queue.fail(new Error("over"));
    queue.fail(new Error("later"));
    expect(await Promise.all(full)).toEqual([false, false]);
    expect((await items.next()).value).toBe(3);
    expect((await items.next()).value).toBe(4);
    await expect(items.next()).rejects.toThrow("over");
  });

  it("tells of a failure in its place", async () => {
    const queue = new OrderedQueue<number>(9);
    void queue.push(Promise.resolve(1));
    void queue.push(Promise.reject(new Error("no")));
    const items = queue[Symbol.asyncIterator]();
    expect((await items.next()).value).toBe(1);
    await expect(items.next()).rejects.toThrow("no");
  });
});

describe("a file of answers that goes on", () => {
  const dir = () => {
    const made = mkdtempSync(join(tmpdir(), "txgloss-resume-"));
    onTestFinished(() => rmSync(made, { recursive: true }));
    return made;
  };
  const long = "y".repeat(1 << 20);
  it.each<[string, string | null, { lines: number; last: string | null }, string]>([
    ["none", null, { lines: 0, last: null }, ""],
    ["an empty one", "", { lines: 0, last: null }, ""],
    ["half a line", "abc", { lines: 0, last: null }, ""],
    ["whole lines", "a\nbé\n", { lines: 2, last: "bé" }, "a\nbé\n"],
    ["whole lines and half a line", "a\nbé\nc", { lines: 2, last: "bé" }, "a\nbé\n"],
    ["an empty line", "a\n\n", { lines: 2, last: "" }, "a\n\n"],
    [
      "lines longer than what is read at once",
      `a\n${long}\n${long}\nz`,
      { lines: 3, last: long },
      `a\n${long}\n${long}\n`,
    ],
  ])("%s", async (_name, before, earlier, kept) => {
    const path = join(dir(), "out");
    if (before !== null) writeFileSync(path, before);
    const output = await openResumed(path);
    expect(output.earlier).toEqual(earlier);
    await output.write(Buffer.from("new\n"));
    await output.write(Buffer.from("er\n"));
    await output.close();
    expect(readFileSync(path, "utf8")).toBe(`${kept}new\ner\n`);
  });
});
