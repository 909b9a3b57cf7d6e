import { onTestFinished } from "vitest";
import { createGatherer, type Gatherer, type GathererOptions } from "../../src/chain/gather.ts";
import { multicallAddress, tokenAddress } from "./rpc-server-chain.ts";

/** A clock that a test moves by hand; milliseconds since the epoch. It starts one day after the fixture's blocks. */
export function handClock(): { time: number; now(): number } {
  const clock = { time: (1_700_000_000 + 86_400) * 1000, now: () => clock.time };
  return clock;
}

/** A gatherer over local servers, closed with the test. It looks up one token and has no price. */
export function openGatherer(rpcUrls: string[], options: Partial<GathererOptions> = {}): Gatherer {
  const gatherer = createGatherer({
    chainId: 8453,
    rpcUrls,
    blockscoutUrl: null,
    recordingsDir: null,
    callTimeoutMs: 2_000,
    multicall: multicallAddress,
    planLookups: () => ({ tokens: [tokenAddress], reads: [] }),
    price: null,
    clock: handClock(),
    ...options,
  });
  onTestFinished(() => gatherer.close());
  return gatherer;
}
