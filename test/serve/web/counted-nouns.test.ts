import { describe, expect, it } from "vitest";
import type { ProtocolFacts } from "../../../src/model/told/protocol-facts.ts";
import { renderProtocolPage } from "../../../src/serve/web/protocol-pages.ts";

const rule = { id: "mint", action: "nft_mint", says: "mint {gets}", anchor: "call mint at market" };
const contract = { role: "market", label: "Market", address: `0x${"12".repeat(20)}`, source: ["unverified: a test"] };

describe("the description of a protocol's page", () => {
  it.each([
    [0, "0 rules, 0 contracts"],
    [1, "1 rule, 1 contract"],
    [2, "2 rules, 2 contracts"],
  ])("counts %d with its noun", (count, words) => {
    const facts = {
      ...{ id: "punks", name: "Punks", site: null, family: "nft", members: [] },
      ...{ rules: Array(count).fill(rule), contracts: Array(count).fill(contract) },
    } as unknown as ProtocolFacts;
    expect(renderProtocolPage(facts)).toContain(`content="What txgloss knows of Punks: ${words}."`);
  });
});
