import { describe, expect, it } from "vitest";
import { quoted } from "../../../src/engine/present/phrase.ts";

describe("text from the chain", () => {
  it.each([
    ["visit https://evil.example/x now", '"visit (link) now"'],
    ["go www.evil.com.", '"go (link)"'],
    ["claim at reward-usdc.com/claim?x=1 please", '"claim at (link) please"'],
    ["evil。com", '"(link)"'],
    ["ipfs://Qm123", '"(link)"'],
    ["ev\u200bil.c\u200bom", '"(link)"'],
    ["hxxp://evil[.]com", '"(link)"'],
    ["(my link) at evil.com", `"'my link' at (link)"`],
  ])("loses its links: %s", (text, shown) => {
    expect(quoted(text)).toEqual({ text: shown, untrusted: true });
  });

  it.each(["alice.base.eth", "amount exceeds 1.5 ETH", "UniswapV2: K", "insufficient.allowance", "e.g. too little"])(
    "keeps what is no link: %s",
    (text) => {
      expect(quoted(text)?.text).toBe(`"${text}"`);
    },
  );

  it("shows where characters turn the reading direction, and is nothing where there is nothing else", () => {
    expect(quoted("vitalik\u202egnp.eth")?.text).toBe('"vitalik\ufffdgnp.eth"');
    expect(quoted("\u202e\u2066")).toBeUndefined();
  });
});
