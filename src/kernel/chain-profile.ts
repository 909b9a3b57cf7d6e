/**
 * Which chain is explained. What holds on it since which block is data in labels/chain.yaml, addresses of its contracts in the other
 * files of labels/.
 */
export const chain = {
  name: "Base",
  /** EIP-155 chain id. */
  id: 8453,
  /** CAIP-2 id. */
  caip2: "eip155:8453",
  /** The currency that gas is paid in. */
  currency: { symbol: "ETH", decimals: 18 },
  /** A page of the explorer for people. `path`: `tx` or `address`; `id`: the hash or address. */
  explorerUrl: (path: "tx" | "address", id: string): string => `https://basescan.org/${path}/${id}`,
  /** So many milliseconds after it was made, a block is final on Ethereum, with a wide margin. */
  finalAfterMs: 30 * 60_000,
} as const;
