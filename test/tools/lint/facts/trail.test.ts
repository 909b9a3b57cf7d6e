import { describe, expect, it } from "vitest";
import { ChainSections } from "../../../../src/tools/lint/facts/chain-section.ts";
import { findTrails, names, wordsOf } from "../../../../src/tools/lint/facts/trail.ts";

const pool = "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5";
const other = "0x6Cb442acF35158D5eDa88fe602221b67B400Be3E";
const chains = new ChainSections({ id: 8453, name: "Base" }, [
  { id: 1, name: "Ethereum" },
  { id: 10, name: "OP Mainnet" },
  { id: 42161, name: "Arbitrum" },
  { id: 84532, name: "Base Sepolia" },
]);

/** The sections in which a file lists the pool. */
function sections(text: string, path: string) {
  return (findTrails(text, path).get(pool.toLowerCase()) ?? []).map((trail) => chains.of(trail));
}

describe("words of a text", () => {
  it("come apart at capitals, digits and marks", () => {
    expect(wordsOf("AaveV3Base.POOL_ADDRESS")).toEqual(["aave", "v3", "base", "pool", "address"]);
    expect(wordsOf("IPoolUSDCBridge")).toEqual(["i", "pool", "usdc", "bridge"]);
  });
});

describe("an address in JSON", () => {
  const byChain = JSON.stringify({ "10": { pool: other }, "8453": { pool, label: "Main" } });

  it("stands in the section whose key encloses it", () => {
    expect(sections(byChain, "addresses.json")).toEqual(["own"]);
    expect(sections(JSON.stringify({ "10": { pool } }), "addresses.json")).toEqual(["OP Mainnet"]);
    expect(sections(JSON.stringify({ pool }), "addresses.json")).toEqual([undefined]);
  });

  it("stands in the section that a value beside it names", () => {
    expect(sections(JSON.stringify([{ chainId: 8453, address: pool }]), "list.json")).toEqual(["own"]);
    expect(sections(JSON.stringify([{ chainId: 42161, address: pool }]), "list.json")).toEqual(["Arbitrum"]);
  });

  it("may be a key", () => {
    expect(sections(JSON.stringify({ base: { [pool]: { name: "Pool" } } }), "list.json")).toEqual(["own"]);
  });

  it("has every place where it stands", () => {
    expect(sections(JSON.stringify({ arbitrum: pool, base: pool }), "x.json")).toEqual(["Arbitrum", "own"]);
  });

  it("is searched by lines where the text is no JSON", () => {
    expect(sections(`{ // a comment\n  "base": "${pool}"\n}`, "x.json")).toEqual(["own"]);
  });
});

describe("an address in other files", () => {
  it("stands in what encloses its line by indentation", () => {
    const text = `const pools = {\n  arbitrum: {\n    pool: "${other}",\n  },\n  base: {\n    pool: "${pool}",\n  },\n};`;
    expect(sections(text, "pools.ts")).toEqual(["own"]);
    expect(sections(text.replace("base:", "optimism:").replace("arbitrum:", "base:"), "pools.ts")).toEqual([undefined]);
    expect(sections(text.replace("base:", "[Chain.ARBITRUM]:"), "pools.ts")).toEqual(["Arbitrum"]);
    expect(sections(text.replace("base:", "'Arbitrum':"), "pools.ts")).toEqual(["Arbitrum"]);
  });

  it("does not stand in our section where a test network of ours is named", () => {
    expect(sections(`const baseSepolia = {\n  pool: "${pool}",\n};`, "pools.ts")).toEqual(["Base Sepolia"]);
    expect(sections(JSON.stringify({ "base-sepolia": { pool } }), "pools.json")).toEqual(["Base Sepolia"]);
  });

  it("stands in the section that a line of its block names", () => {
    expect(sections(`  {\n    chainId: 8453,\n    address: "${pool}",\n  }`, "pools.ts")).toEqual(["own"]);
    expect(sections(`  {\n    chainId: 10,\n    address: "${pool}",\n  }`, "pools.ts")).toEqual(["OP Mainnet"]);
  });

  it("stands under the headings of a document", () => {
    const text = `# Deployments\n\n## Base\n\n| Pool | ${pool} |\n\n## Arbitrum\n\n| Pool | ${other} |\n`;
    expect(sections(text, "README.md")).toEqual(["own"]);
    expect(sections(text.replace("## Base", "## Ethereum"), "README.md")).toEqual(["Ethereum"]);
  });

  it("stands in the chain that the file's name tells", () => {
    expect(sections(`address constant POOL = ${pool};`, "src/AaveV3Base.sol")).toEqual(["own"]);
    expect(sections(`    ('arbitrum', ${pool}, 'Pool')`, "labels.sql")).toEqual(["Arbitrum"]);
  });

  it("is no part of a longer number", () => {
    expect(sections(`x = ${pool}00`, "a.ts")).toEqual([]);
  });
});

describe("a key", () => {
  const [trail = []] = findTrails(`base:\n  POOL_V3: ${pool}`, "a.yaml").get(pool.toLowerCase()) ?? [];

  it("names words of the trail, whatever the case", () => {
    expect(names(trail, "pool_v3")).toBe(true);
    expect(names(trail, "Base")).toBe(true);
  });

  it("names whole words only", () => {
    expect(names(trail, "poo")).toBe(false);
    expect(names(trail, "router")).toBe(false);
  });
});
