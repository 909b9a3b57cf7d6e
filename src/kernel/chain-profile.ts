import { createBlockCalendar } from "./block-calendar.ts";

/** Facts about Base. Addresses of its contracts (price feed, Multicall3) are data in labels/. */
export const chain = {
  name: "Base",
  /** EIP-155 chain id. */
  id: 8453,
  /** CAIP-2 id. */
  caip2: "eip155:8453",
  /** The currency that gas is paid in. */
  currency: { symbol: "ETH", decimals: 18 },
  /** Contracts of the chain itself: 0x4200…0000 to 0x4200…07ff (OP Stack specification, "Predeploys"). */
  predeploy: /^0x420{35}[0-7][0-9a-f]{2}$/,
  /** Precompiles: 0x01 to 0x0a, and P256VERIFY (RIP-7212) at 0x100. */
  precompile: /^0x0{37}(?:00[1-9a]|100)$/,
  /** A page of the explorer for people. `path`: `tx` or `address`; `id`: the hash or address. */
  explorerUrl: (path: "tx" | "address", id: string): string => `https://basescan.org/${path}/${id}`,
  /**
   * A block every two seconds since the genesis, every 200 milliseconds since Denim (`block_time` and `genesis.l2_time` of the rollup
   * configuration; base/docs@5fe02127d0:docs/upgrades/denim/200ms-blocks.mdx).
   */
  calendar: createBlockCalendar([
    { fromBlock: 0n, ms: 2_000, at: 1_686_789_347 },
    { fromBlock: 53_556_127n, ms: 200, at: 1_793_901_601 },
  ]),
  /** So many milliseconds after it was made, a block is final on Ethereum, with a wide margin. */
  finalAfterMs: 30 * 60_000,
} as const;
