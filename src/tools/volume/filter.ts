import { BlockThreads, refuseLongLine } from "./block-threads.ts";
import type { BlockAnswer, FilterWork } from "./block-work.ts";
import { type BlockOptions, readBlocks } from "./line-blocks.ts";
import { OrderedQueue } from "./ordered-queue.ts";

export interface FilterProgress extends Omit<BlockAnswer, "bytes"> {
  /** Of the input, answered and written. */
  bytes: number;
}

export interface FilterOptions extends BlockOptions {
  work: FilterWork;
  /** NDJSON. */
  input: AsyncIterable<Uint8Array>;
  /** Resolves when there is room. */
  write(bytes: Uint8Array): Promise<void>;
  progress?: (now: FilterProgress) => void;
  /** Of the threads. */
  entry?: URL;
}

/**
 * One line of output a line of input, in order. Reads no faster than the output takes answers, so memory is bounded. Rejects with
 * EngineError, and as input and output do.
 */
export async function runFilter({
  work,
  input,
  write,
  progress,
  entry,
  ...cut
}: FilterOptions): Promise<FilterProgress> {
  const threads = new BlockThreads(work, entry);
  // Large enough that no thread waits while the first block takes longer than others.
  const queue = new OrderedQueue<{ answer: BlockAnswer; end: number }>(work.threads * 8);
  const now: FilterProgress = { bytes: 0, answers: 0, failures: 0, recorded: 0 };
  const read = async () => {
    for await (const block of readBlocks(input, cut)) {
      const answered = block.tooLong ? Promise.resolve(refuseLongLine(block.first)) : threads.answer(block);
      if (!(await queue.push(answered.then((answer) => ({ answer, end: block.end }))))) return;
    }
    queue.end();
  };
  const reading = read().catch((error) => queue.fail(error));
  try {
    for await (const { answer, end } of queue) {
      await write(answer.bytes);
      now.bytes = end;
      now.answers += answer.answers;
      now.failures += answer.failures;
      now.recorded += answer.recorded;
      progress?.(now);
    }
    await reading;
    return now;
  } finally {
    queue.fail(new Error("the filter ended"));
    await threads.close();
  }
}
