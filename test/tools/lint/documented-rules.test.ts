import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../support/shared.ts";
import { lintFile } from "./lint-written.ts";

const page = readFileSync(join(root, "docs/rule-language.md"), "utf8");
const samples = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);

describe("the page about the rule language", () => {
  it("has at most 5,000 words, and its ten words in a table", () => {
    expect(page.split(/\s+/).length).toBeLessThanOrEqual(5_000);
    const [, table = ""] = /^\| word \|.*\n\|---.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
    expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, word]) => word)).toEqual([
      ...["id", "action", "anchor", "at", "subject", "money", "when", "say", "also", "example"],
    ]);
  });

  it("links to pages and headings that there are", () => {
    const links = [...page.matchAll(/\]\(([^)#]*)(?:#([\w-]+))?\)/g)];
    expect(links.length).toBeGreaterThan(5);
    for (const [, path = "", heading] of links) {
      const text = path === "" ? page : readFileSync(join(root, "docs", path), "utf8");
      const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
        title.toLowerCase().replaceAll(" ", "-"),
      );
      if (heading !== undefined) expect(headings).toContain(heading);
    }
  });

  it("begins with a file that lint takes without a word", () => {
    expect(lintFile("rules/example-lend.yaml", samples[0] ?? "").diagnostics).toEqual([]);
  });

  it("shows a rule about a message that lint takes", () => {
    const head = `protocol: signed
name: Signed
kind: protocol
site: https://example.org
source: ex/book@0123456:A.md
abi_source: ex/contracts@0123456:A.sol
contracts:
  permit2: { Signed permits: "0x1111111111111111111111111111111111111112" }
`;
    const sample = samples.find((text) => /^messages:/m.test(text)) ?? "";
    expect(lintFile("rules/signed.yaml", `${head}${sample}`).diagnostics).toEqual([]);
  });
});
