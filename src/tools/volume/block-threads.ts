import { BlockThread, ThreadDeath } from "./block-thread.ts";
import type { BlockAnswer, BlockWork, FilterWork } from "./block-work.ts";
import { eachLine } from "./line-blocks.ts";
import { describeLineError, LineError } from "./line-error.ts";
import { hashOfLine } from "./line-input.ts";

/** One to work on, and some for the time until it gets more. */
const blocksEach = 4;

/** A dead thread is replaced, and the line that killed it gets an error object. */
export class BlockThreads {
  readonly #work: FilterWork;
  readonly #entry: URL | undefined;
  readonly #threads: BlockThread[];
  readonly #waiting: (() => void)[] = [];
  /** Repeats blocks that killed another one, line by line, to find the line. */
  #alone: BlockThread | undefined;
  #before: Promise<unknown> = Promise.resolve();

  constructor(work: FilterWork, entry?: URL) {
    this.#work = work;
    this.#entry = entry;
    this.#threads = Array.from({ length: work.threads }, () => this.#start());
  }

  /** Rejects only with EngineError. */
  async answer(block: BlockWork): Promise<BlockAnswer> {
    try {
      return await this.#ask(block);
    } catch (error) {
      if (!(error instanceof ThreadDeath)) throw error;
      const again = this.#before.then(() => this.#answerAlone(block));
      this.#before = again.catch(() => {});
      return again;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads, this.#alone].map((thread) => thread?.close()));
  }

  async #ask(block: BlockWork): Promise<BlockAnswer> {
    let thread = this.#free();
    for (; thread === undefined; thread = this.#free())
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    // Nothing is awaited between the check and the call, so that the next caller counts this block.
    try {
      return await thread.answer(block);
    } finally {
      this.#waiting.shift()?.();
    }
  }

  /** The least busy; undefined: no room. Replaces dead threads. */
  #free(): BlockThread | undefined {
    for (const [i, thread] of this.#threads.entries()) if (thread.isDead) this.#threads[i] = this.#start();
    const least = this.#threads.reduce((one, other) => (other.load < one.load ? other : one));
    return least.load < blocksEach ? least : undefined;
  }

  async #answerAlone({ first, bytes }: BlockWork): Promise<BlockAnswer> {
    const found: BlockAnswer[] = [];
    for (const { from, to } of eachLine(bytes)) {
      const line: BlockWork = { first: first + found.length, lines: 1, bytes: bytes.subarray(from, to) };
      if (this.#alone === undefined || this.#alone.isDead) this.#alone = this.#start();
      const answer = this.#alone.answer(line).catch((error) => {
        if (error instanceof ThreadDeath) return failedLine(line, error);
        throw error;
      });
      found.push(await answer);
    }
    const sum = (count: "answers" | "failures" | "recorded") => found.reduce((all, one) => all + one[count], 0);
    return {
      bytes: Buffer.concat(found.map((one) => one.bytes)),
      answers: sum("answers"),
      failures: sum("failures"),
      recorded: sum("recorded"),
    };
  }

  #start(): BlockThread {
    return new BlockThread(this.#work, this.#entry);
  }
}

export function refuseLongLine(first: number): BlockAnswer {
  return failed(first, new LineError("line_too_long", "The line is longer than 64 MB."), "");
}

function failedLine({ first, bytes }: BlockWork, error: Error): BlockAnswer {
  return failed(first, error, Buffer.from(bytes).toString("utf8"));
}

function failed(line: number, error: Error, text: string): BlockAnswer {
  const told = JSON.stringify(describeLineError(error, line, hashOfLine(text)));
  return { bytes: Buffer.from(`${told}\n`), answers: 1, failures: 1, recorded: 0 };
}
