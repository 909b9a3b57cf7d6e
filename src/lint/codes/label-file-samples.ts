import type { CodeSample } from "./code-sample.ts";

/** How files of labels go wrong, and right. */
export const labelFileSamples: Readonly<Record<string, CodeSample>> = {
  LB100: {
    bad: `(labels/tokens.yaml that may not be read)`,
    good: `(labels/tokens.yaml that may be read)`,
  },
  LB101: {
    bad: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, symbol: USDX, name: A token, decimals: 6, well_known: true, source: list }`,
    good: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }`,
  },
  LB102: {
    bad: `  - { address: &usdc "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }`,
    good: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }`,
  },
  LB103: {
    bad: `  - { address: 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913, symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }`,
    good: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }`,
  },
  LB104: {
    bad: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: 9007199254740993, name: A token, decimals: 6, well_known: true, source: list }`,
    good: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: "9007199254740993", name: A token, decimals: 6, well_known: true, source: list }`,
  },
  LB105: {
    bad: `schema: token/v1
sources: { list: "https://example.org/list" }
tokens:
  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }`,
    good: `schema: tokens/v1
sources: { list: "https://example.org/list" }
tokens:
  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }`,
  },
  LB106: {
    bad: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, well_known: true, source: list }`,
    good: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }`,
  },
  LB107: {
    bad: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimal: 6, decimals: 6, well_known: true, source: list }`,
    good: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }`,
  },
  LB108: {
    bad: `  - { address: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }`,
    good: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }`,
  },
  LB109: {
    bad: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", label: "Coinbase ", category: bridge, source: list }`,
    good: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", label: Coinbase, category: bridge, source: list }`,
  },
  LB110: {
    bad: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", label: One bridge, category: bridge, source: list }
  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", label: Another bridge, category: bridge, source: list }`,
    good: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", label: One bridge, category: bridge, source: list }`,
  },
  LB111: {
    bad: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", label: One bridge, category: bridge, source: list }
  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", label: One bridge, category: bridge, source: list }`,
    good: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", label: One bridge, category: bridge, source: list }`,
  },
  LB112: {
    bad: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }
  - { address: "0x4200000000000000000000000000000000000006", symbol: usdc, name: A token, decimals: 6, well_known: true, source: list }`,
    good: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }
  - { address: "0x4200000000000000000000000000000000000006", symbol: WETH, name: A token, decimals: 6, well_known: true, source: list }`,
  },
  LB113: {
    bad: `  - { address: "0x4200000000000000000000000000000000000006", symbol: USDC, name: A token, decimals: 6, well_known: false, source: list }
  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }`,
    good: `  - { address: "0x4200000000000000000000000000000000000006", symbol: BRIDGED, name: A token, decimals: 6, well_known: false, source: list }
  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }`,
  },
  LB114: {
    bad: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: lst }
  - { address: "0x4200000000000000000000000000000000000006", symbol: WETH, name: A token, decimals: 6, well_known: true, source: list }`,
    good: `  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }
  - { address: "0x4200000000000000000000000000000000000006", symbol: WETH, name: A token, decimals: 6, well_known: true, source: list }`,
  },
  LB115: {
    bad: `schema: tokens/v1
sources: { other: "https://example.org/other", list: "https://example.org/list" }
tokens:
  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }`,
    good: `schema: tokens/v1
sources: { list: "https://example.org/list" }
tokens:
  - { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: USDC, name: A token, decimals: 6, well_known: true, source: list }`,
  },
  LB116: {
    bad: `schema: chains/v1
sources: { list: "https://example.org/list" }
schemes:
  across:
    source: list
    extends: eip
    names: {}`,
    good: `schema: chains/v1
sources: { list: "https://example.org/list" }
schemes:
  eip155:
    source: list
    names: {}
  across:
    source: list
    extends: eip155
    names: {}`,
  },
};
