/** The chain that is explained. Its upgrades are in labels/chain.yaml, its contracts in the other files of labels/. */
export const chain = {
  name: "Base",
  /** EIP-155. */
  id: 8453,
  /** CAIP-2. */
  caip2: "eip155:8453",
  currency: { symbol: "ETH", decimals: 18 },
  /** `id`: a hash or an address. */
  explorerUrl: (path: "tx" | "address", id: string): string => `https://basescan.org/${path}/${id}`,
  /** Milliseconds until a block is final on Ethereum, with a wide margin. */
  finalAfterMs: 30 * 60_000,
} as const;
