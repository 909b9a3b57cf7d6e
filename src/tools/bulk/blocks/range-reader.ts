import type { Engine } from "../../../engine/build-engine.ts";
import type { EndpointPool } from "../../../gather/network/rpc/endpoint-pool.ts";
import { ServiceError } from "../../../kernel/error.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { RangeJob } from "../queue/range-job.ts";
import { completeCases, draftCases, type StateQuestions } from "./block-cases.ts";
import { readWholeBlock, type WholeBlock } from "./read-block.ts";

export interface ReaderParts extends Omit<StateQuestions, "engine"> {
  pool: EndpointPool;
}

/** The transactions of one block, in order. */
export interface BlockCases {
  number: number;
  cases: CaseFile[];
}

/** How many blocks are read ahead of the one that is decided. */
const ahead = 4;

/**
 * Reads a range of blocks as case files, in order. Checks that each block follows the one before it. Throws ServiceError
 * `upstream_unavailable`.
 */
export async function* readBlockRange(
  { pool, ...questions }: ReaderParts,
  engine: Engine,
  { first, last, traces, state }: RangeJob,
  signal: AbortSignal,
): AsyncGenerator<BlockCases> {
  const readOne = async (number: number) => {
    const whole = await readWholeBlock(number, { pool, traces, signal });
    const drafts = draftCases(whole);
    const cases = state ? await completeCases(drafts, whole, { engine, ...questions }, signal) : drafts;
    return { number, whole, cases };
  };
  const open: ReturnType<typeof readOne>[] = [];
  let parent: WholeBlock | undefined;
  for (let number = first; number <= last; number++) {
    for (let next = number + open.length; open.length < ahead && next <= last; next++)
      open.push(quietly(readOne(next)));
    const { whole, cases } = await (open.shift() as (typeof open)[number]);
    if (parent !== undefined && whole.parentHash !== parent.hash)
      throw new ServiceError("upstream_unavailable", `Block ${number} does not follow the block before it.`);
    parent = whole;
    yield { number, cases };
  }
}

/** Marks a promise's failure as handled. Whoever awaits the promise still gets it. */
function quietly<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}
