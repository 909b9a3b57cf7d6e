import type { Engine } from "../../../engine/build-engine.ts";
import { createChainlinkPrice } from "../../../gather/lookup/price/price.ts";
import { openNetwork } from "../../../gather/network/network.ts";
import type { EndpointPool } from "../../../gather/network/rpc/endpoint-pool.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import { assert, ServiceError } from "../../../kernel/error.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { Config } from "../../../serve/settings/config.ts";
import type { RangeJob } from "../queue/range-job.ts";
import { completeCases, draftCases, type StateQuestions } from "./block-cases.ts";
import { readWholeBlock, type WholeBlock } from "./read-block.ts";

export interface ReaderParts extends Omit<StateQuestions, "engine"> {
  pool: EndpointPool;
}

export interface BlockCases {
  number: number;
  cases: CaseFile[];
}

/** Blocks read ahead of the one that is decided. */
const ahead = 4;

/** Case files in order; each block must follow the one before. Throws ServiceError `upstream_unavailable`. */
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

/** Whoever awaits the promise still gets its failure. */
function quietly<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}

/** Longer than for one transaction: whole blocks are large. */
const blockTimeoutMs = 30_000;

/** Opens the endpoints of the settings. Nothing is asked yet. */
export function openBlockReader(
  { rpcUrls, rpcTimeoutMs, endpointSockets: socketsMax }: Pick<Config, "rpcUrls" | "rpcTimeoutMs" | "endpointSockets">,
  { labels }: Pick<Engine, "labels">,
): { reader: ReaderParts; close(): void } {
  const callTimeoutMs = Math.max(rpcTimeoutMs, blockTimeoutMs);
  const network = openNetwork({ chainId: chain.id, rpcUrls, callTimeoutMs, socketsMax, blockscoutUrl: null });
  const [multicall] = labels.system("multicall3");
  const [feed] = labels.system("eth_usd_feed");
  assert(multicall !== undefined, "labels name no multicall3");
  const price = feed === undefined ? null : createChainlinkPrice(feed);
  return { reader: { pool: network.pool, multicall, price }, close: () => network.close() };
}
