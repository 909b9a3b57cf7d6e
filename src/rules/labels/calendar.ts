import type { Address } from "../../kernel/address.ts";
import { type BlockCalendar, createBlockCalendar } from "../../kernel/block-calendar.ts";
import type { ChainCalendar } from "../../model/chain-calendar.ts";

/** Facts of chain files. `since`: an upgrade; left out: from the first block on. Unix seconds. */
export interface ChainFacts {
  upgrades: readonly { name: string; activates: number }[];
  /** From `fromBlock`, made `at`, a block every `ms` milliseconds. */
  blockTimes: readonly { fromBlock: number; at: number; ms: number }[];
  gasCaps: readonly { since: string; gas: number }[];
  /** Put into blocks by the chain itself. */
  deposits: readonly { name: string; from: Address; to: Address; selectors: readonly string[]; since?: string }[];
  /** Regular expressions for lower-case addresses. */
  predeploys: readonly { form: string }[];
  precompiles: readonly { address: Address; name: string; since?: string }[];
}

/** Infinity: no known block. */
type SinceOf = (upgrade: string | undefined) => number;

/** Facts may come in any order. */
export function buildCalendar(facts: ChainFacts): ChainCalendar {
  const blocks = blocksOf(facts);
  const activations = new Map(facts.upgrades.map(({ name, activates }) => [name, activates]));
  const since: SinceOf = (upgrade) => {
    if (upgrade === undefined) return 0;
    const activates = activations.get(upgrade);
    return activates === undefined || blocks === null ? Number.POSITIVE_INFINITY : Number(blocks.blockAt(activates));
  };
  const caps = facts.gasCaps.map((cap) => ({ gas: BigInt(cap.gas), from: since(cap.since) })).sort(byStart);
  const deposits = new Set(
    facts.deposits.flatMap(({ from, to, selectors }) => selectors.map((selector) => keyOf(from, to, selector))),
  );
  const predeploys = facts.predeploys.map(({ form }) => new RegExp(form));
  return {
    blocks,
    gasCap: (block) => caps.findLast(({ from }) => isSince(from, block))?.gas ?? null,
    isPrecompile: precompilesOf(facts, since),
    isSystemDeposit: ({ from, to, input }) => deposits.has(keyOf(from, to, input)),
    isPredeploy: (address) => predeploys.some((form) => form.test(address)),
  };
}

function keyOf(from: string, to: string | null, input: string): string {
  return `${from} ${to} ${input.slice(0, 10)}`;
}

function blocksOf({ blockTimes }: ChainFacts): BlockCalendar | null {
  if (blockTimes.length === 0) return null;
  const ordered = blockTimes.toSorted((a, b) => a.fromBlock - b.fromBlock);
  return createBlockCalendar(ordered.map((segment) => ({ ...segment, fromBlock: BigInt(segment.fromBlock) })));
}

/** A null block is the newest: whether it ever began. */
function isSince(from: number, block: number | null): boolean {
  return block === null ? from < Number.POSITIVE_INFINITY : from <= block;
}

function byStart(a: { from: number }, b: { from: number }): number {
  return a.from - b.from;
}

function precompilesOf({ precompiles }: ChainFacts, since: SinceOf): ChainCalendar["isPrecompile"] {
  const starts = new Map<string, number>(precompiles.map((entry) => [entry.address, since(entry.since)]));
  return (address, block) => {
    const from = starts.get(address);
    return from !== undefined && isSince(from, block);
  };
}

/** For a chain of which nothing is known. */
export const noCalendar: ChainCalendar = buildCalendar({
  ...{ upgrades: [], blockTimes: [], gasCaps: [] },
  ...{ deposits: [], predeploys: [], precompiles: [] },
});
