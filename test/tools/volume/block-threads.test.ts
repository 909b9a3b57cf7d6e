import { describe, expect, it, onTestFinished, vi } from "vitest";
import { EngineError } from "../../../src/engine/engine.ts";
import { BlockThread, ThreadDeath } from "../../../src/tools/volume/block-thread.ts";
import { BlockThreads, refuseLongLine } from "../../../src/tools/volume/block-threads.ts";
import type { BlockAnswer, FilterWork } from "../../../src/tools/volume/block-work.ts";
import { hashOf } from "../../support/sample.ts";

/** The code of a thread that does this with the text of a block. `answer` answers the block of that number. */
function entryOf(act: string): URL {
  const code = `import { parentPort, threadId } from "node:worker_threads";
const held = [];
const answer = (id, text, more = {}) =>
  parentPort.postMessage({ what: "answered", id, answer: { bytes: Buffer.from(text), answers: 1, failures: 0, recorded: 0, ...more } });
parentPort.on("message", ({ id, block: { first, bytes } }) => {
  const text = Buffer.from(bytes).toString();
  ${act}
});`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

const blockOf = (text: string, first = 1) => ({ first, lines: 1, bytes: Buffer.from(text) });
const told = ({ bytes }: BlockAnswer) => Buffer.from(bytes).toString();
const work = (threads: number) => ({ threads }) as FilterWork;

function openThread(act: string): BlockThread {
  const thread = new BlockThread(work(1), entryOf(act));
  onTestFinished(() => thread.close());
  return thread;
}

function openThreads(threads: number, act: string): BlockThreads {
  const opened = new BlockThreads(work(threads), entryOf(act));
  onTestFinished(() => opened.close());
  return opened;
}

describe("a thread", () => {
  it("answers each block by itself, in whatever order, and leaves the bytes that it was given", async () => {
    const thread = openThread(
      "held.push([id, text, first]); if (held.length === 2) for (const [of, said, at] of held.reverse()) answer(of, said + at);",
    );
    const first = blockOf("a", 5);
    const answers = [thread.answer(first), thread.answer(blockOf("b", 6))];
    expect([thread.load, thread.isDead]).toEqual([2, false]);
    expect((await Promise.all(answers)).map(told)).toEqual(["a5", "b6"]);
    expect([thread.load, told({ ...first, answers: 1, failures: 0, recorded: 0 })]).toEqual([0, "a"]);
  });

  it.each([
    ["process.exit(3);", "A thread ended: it left"],
    ['throw new Error("oops");', "A thread ended: oops"],
    ['throw "text";', "A thread ended: it left"],
  ])("that ends by %j takes all its blocks along, and no more", async (act, message) => {
    const thread = openThread(act);
    const answers = [thread.answer(blockOf("a")), thread.answer(blockOf("b"))];
    for (const answer of answers) await expect(answer).rejects.toEqual(new ThreadDeath(message));
    expect([thread.load, thread.isDead]).toEqual([0, true]);
    await expect(thread.answer(blockOf("c"))).rejects.toEqual(new ThreadDeath(message));
  });

  it("that refuses its rules says what is wrong with them", async () => {
    const thread = openThread('parentPort.postMessage({ what: "refused", errors: [] });');
    await expect(thread.answer(blockOf("a"))).rejects.toBeInstanceOf(EngineError);
    await expect(thread.answer(blockOf("b"))).rejects.toBeInstanceOf(EngineError);
    expect(thread.isDead).toBe(true);
  });
});

describe("the threads of a filter", () => {
  it("share the blocks", async () => {
    const threads = openThreads(2, "answer(id, String(threadId));");
    const answers = await Promise.all(["a", "b"].map((text) => threads.answer(blockOf(text))));
    expect(new Set(answers.map(told)).size).toBe(2);
  });

  it("have four blocks at once each, and the next as soon as one is answered", async () => {
    const act =
      "held.push(id); if (held.length === 4) setImmediate(() => { const most = held.length; for (const of of held.splice(0)) answer(of, String(most)); });";
    const threads = openThreads(1, act);
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => threads.answer(blockOf(String(i)))));
    expect(answers.map(told)).toEqual(Array.from({ length: 12 }, () => "4"));
  });

  it("lose the line that one of them dies of, and count the others", async () => {
    const act =
      'if (text.includes("die")) process.exit(3); const lines = text.split("\\n").length - 1; answer(id, text.toUpperCase(), { answers: lines, failures: lines, recorded: 2 });';
    const threads = openThreads(1, act);
    const { bytes, ...counts } = await threads.answer(blockOf(`a\ndie ${hashOf(1)}\n"b"\n`, 11));
    const [first, second = "", ...more] = told({ bytes, ...counts }).split("\n");
    expect([first, ...more]).toEqual(["A", '"B"', ""]);
    expect(counts).toEqual({ answers: 3, failures: 3, recorded: 4 });
    expect(JSON.parse(second)).toEqual({
      ...{
        error: "internal",
        message: "Our mistake: A thread ended: it left",
        retryable: false,
        line: 12,
        tx_hash: null,
      },
    });
    expect(told(await threads.answer(blockOf("c\n")))).toBe("C\n");
  });

  it("say what is wrong with the rules, and not which line it was", async () => {
    const threads = openThreads(2, 'parentPort.postMessage({ what: "refused", errors: [] });');
    await expect(threads.answer(blockOf("a\nb\n"))).rejects.toBeInstanceOf(EngineError);
  });
});

describe("the threads of a filter that is over", () => {
  it("are ended, all of them", async () => {
    const closed = vi.spyOn(BlockThread.prototype, "close");
    onTestFinished(() => closed.mockRestore());
    await new BlockThreads(work(2), entryOf("")).close();
    expect(closed).toHaveBeenCalledTimes(2);
  });
});

describe("a line that is too long", () => {
  it("is an error object in its place", () => {
    const { bytes, ...counts } = refuseLongLine(7);
    expect(counts).toEqual({ answers: 1, failures: 1, recorded: 0 });
    expect(told({ bytes, ...counts })).toBe(
      '{"error":"line_too_long","message":"The line is longer than 64 MB.","retryable":false,"line":7,"tx_hash":null}\n',
    );
  });
});
