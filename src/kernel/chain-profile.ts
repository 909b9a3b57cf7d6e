/** What is particular to Base. Addresses of contracts on it (price feed, Multicall3) are data in labels/. */
export const chain = {
  name: "Base",
  /** EIP-155 chain id. */
  id: 8453,
  /** CAIP-2 id. */
  caip2: "eip155:8453",
  /** Web pages of the explorer that people read. `path`: such as `tx` or `address`. */
  explorerUrl: (path: "tx" | "address", id: string): string => `https://basescan.org/${path}/${id}`,
  /** Milliseconds after which a block is final on Ethereum, with a good margin. */
  finalAfterMs: 30 * 60_000,
} as const;
