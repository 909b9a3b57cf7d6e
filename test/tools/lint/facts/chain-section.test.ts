import { expect, it } from "vitest";
import { ChainSections } from "../../../../src/tools/lint/facts/chain-section.ts";

const chains = new ChainSections({ id: 8453, name: "Base" }, [
  { id: 1, name: "Ethereum" },
  { id: 10, name: "OP Mainnet" },
  { id: 10, name: "optimism" },
  { id: 42161, name: "Arbitrum One" },
  { id: 84532, name: "Base Sepolia" },
  { id: 999, name: "Database" },
  { id: 5, name: "Base" },
  { id: 2, name: "Mainnet" },
]);

it.each<[string[], string | undefined]>([
  [[], undefined],
  [["pool"], undefined],
  [["base"], "own"],
  [["BaseMainnet"], "own"],
  [["basescan.org"], "own"],
  [["baseMainnet"], "own"],
  [["chain 8453"], "own"],
  [["0x2105"], "own"],
  [["0x2106"], undefined],
  [["8454"], undefined],
  [["database"], "Database"],
  // The inner text counts first, and within a text one of our test networks.
  [["ethereum", "base"], "Ethereum"],
  [["base", "ethereum"], "own"],
  [["pool", "base"], "own"],
  [["sepolia base"], "Base Sepolia"],
  [["base sepolia 8453"], "Base Sepolia"],
  [["sepolia"], undefined],
  // The name of a chain must be the whole beginning of a line, the whole quoted text, or the whole stated value.
  [["ethereum: {"], "Ethereum"],
  [["  Ethereum = ["], "Ethereum"],
  [["the ethereum pool"], undefined],
  [["x ('ethereum', 1)"], "Ethereum"],
  [['x: "Arbitrum One"'], "Arbitrum One"],
  [["x: `arbitrum-one`"], "Arbitrum One"],
  [["x: 'ethereum pool'"], undefined],
  [["x, chainId: 10"], "optimism"],
  [["x, chain_id = '1'"], "Ethereum"],
  [["x, network: optimism"], "optimism"],
  [["x, amount: 10"], undefined],
  [["export const ethereumMainnet = {"], "Ethereum"],
  [["eip155 chain id 1: {"], "Ethereum"],
  [["OP Mainnet"], "OP Mainnet"],
  [["op"], "OP Mainnet"],
  [["mainnet"], undefined],
  [["chain: {"], undefined],
  [["2"], "Mainnet"],
  [["one of arbitrum's"], undefined],
])("%j stands in the section %s", (trail, section) => {
  expect(chains.of(trail)).toBe(section);
});
