import { describe, expect, it } from "vitest";
import { dollars, grouped, inWords, priceSource, sentence, timeOf } from "../../../src/serve/web/own-text.ts";

describe("text of our own", () => {
  it.each([
    [0, "$0"],
    [1, "$1.00"],
    [-1234.5, "−$1,234.50"],
    [1234567.891, "$1,234,567.89"],
    [0.999, "$1.00"],
    [0.99, "$0.99"],
    [0.1, "$0.10"],
    [0.0123, "$0.012"],
    [0.00456, "$0.0046"],
    [0.0000042, "$0.000004"],
    [-0.05, "−$0.050"],
  ])("%d dollars are %s", (usd, text) => {
    expect(dollars(usd)).toBe(text);
  });

  it.each([
    ["1234.5678", "1,234.5678"],
    ["1000000", "1,000,000"],
    ["12", "12"],
    ["", ""],
  ])("%s is grouped as %s", (amount, text) => {
    expect(grouped(amount)).toBe(text);
  });

  it("keeps short addresses together, writes times and codes for people, and links feeds", () => {
    expect(sentence("0xaaaa…bbbb paid 0xcccc…dddd").text).toBe(
      '<bdi><span class="whole">0xaaaa…bbbb</span> paid <span class="whole">0xcccc…dddd</span></bdi>',
    );
    expect(timeOf("2024-03-10T00:56:29Z").text).toBe(
      '<time datetime="2024-03-10T00:56:29Z">2024-03-10 00:56:29 UTC</time>',
    );
    expect(inWords("lending_repay_all")).toBe("lending repay all");
    const feed = `0x${"7".repeat(40)}`;
    expect(priceSource(`chainlink:${feed}@block`).text).toBe(
      `Chainlink <a class="hex" href="https://basescan.org/address/${feed}" title="${feed}">0x7777…7777</a>`,
    );
    expect(priceSource(`chainlink:${feed}0@block`).text).toBe(`chainlink:${feed}0@block`);
    expect(priceSource("a<b").text).toBe("a&lt;b");
  });
});
