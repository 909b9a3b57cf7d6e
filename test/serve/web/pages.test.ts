import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { CheckStatus } from "../../../src/model/explanation.ts";
import type { AccountView, BalanceChange } from "../../../src/model/told/account-view.ts";
import { pageHeaders, referencePolicy } from "../../../src/serve/web/links.ts";
import { html, trustedMarkup } from "../../../src/serve/web/markup.ts";
import { renderTransactionPage, type TransactionPage } from "../../../src/serve/web/transaction-page.ts";
import { hostilePage, recordedPages } from "../../support/recorded-pictures.ts";
import { bareEvidence, fullPage } from "./sample.ts";

const pages = recordedPages();
const find = (start: string) => [...pages].find(([hash]) => hash.startsWith(start))?.[1] as TransactionPage;
const swap = find("0x1dadb993");

describe("the page of a transaction", () => {
  it("has at most 12 KB, compressed, for every recording", () => {
    const sizes = [...pages].map(([hash, page]) => [hash, gzipSync(renderTransactionPage(page)).length] as const);
    expect(sizes.filter(([, bytes]) => bytes > 12 * 1024)).toEqual([]);
  });

  it("is the same bytes each time, without script, style or image in it", () => {
    for (const page of pages.values()) {
      const text = renderTransactionPage(page);
      expect(renderTransactionPage(structuredClone(page))).toBe(text);
      expect(text).not.toMatch(/<script|<style|<img|<iframe|\sstyle=|\son\w+=|javascript:/i);
    }
  });

  it("shows the sentence, the exact movements and the changes", () => {
    const text = renderTransactionPage(swap);
    expect(text).toContain(
      '<h1><bdi><span class="whole">0xA01f…8D8c</span> swapped 2,043,496 TYBG for 0.168876 ETH on Rainbow.</bdi></h1>',
    );
    expect(text.match(/<tr><th scope="row">\d+<\/th>/g)).toHaveLength(13);
    expect(text).toContain('<td class="num minus">−2,043,495.674885273676574334</td>');
    expect(text).toContain('<td class="num plus">+0.168875532937728981</td>');
  });

  it("shows what changes were worth and from whom that is known, apart from what is not known", () => {
    const { balance_changes } = swap.view as AccountView;
    const [first, second] = balance_changes as [BalanceChange, BalanceChange];
    const changed = (more: Partial<BalanceChange>, other: Partial<BalanceChange> = {}) => {
      const view = {
        ...(swap.view as AccountView),
        balance_changes: [
          { ...first, ...more },
          { ...second, ...other },
        ],
      };
      return renderTransactionPage({ ...swap, view });
    };
    const feed = `0x${"7".repeat(40)}`;
    const known = changed(
      { usd: -1234.5, price_source: `chainlink:${feed}@block`, balance_check: "equal" },
      { usd: 0.0000042, price_source: "prices.example", balance_check: "differs" },
    );
    expect(known).toContain('<td class="num">−$1,234.50</td><td>Chainlink <a');
    expect(known).toContain(`title="${feed}"`);
    expect(known).toContain('<td class="num">$0.000004</td><td>prices.example</td><td class="differs">differ</td>');
    expect(known).toContain('<td class="agrees">agree</td>');
    expect(known).toContain("changed by another amount than the transaction tells");
    const unknown = changed({ usd: null, price_source: null, balance_check: "not_checked" });
    expect(unknown).toContain('<td class="num none">no price known</td><td class="none">–</td>');
    expect(unknown).not.toContain("“Differ” means");
    const passed = { ...first, token_address: `0x${"9".repeat(40)}`, delta: "0", balance_check: "differs" as const };
    const came = { ...(swap.view as AccountView), balance_changes: [...balance_changes, passed] };
    expect(renderTransactionPage({ ...swap, view: came })).toMatch(/<td class="num plus">±0<\/td>.*differ<\/td>/);
    expect(renderTransactionPage({ ...swap, view: null })).not.toContain("Worth then");
  });

  it("leads to the JSON and to the evidence", () => {
    const text = renderTransactionPage(swap);
    const { tx_hash } = swap.explanation;
    expect(text).toContain(`href="/tx/${tx_hash}.json"`);
    expect(text).toContain(`href="/tx/${tx_hash}/evidence"`);
  });

  it("shows rights that stay and flags in plain words", () => {
    const text = renderTransactionPage(find("0x17514223"));
    expect(text).toContain("<strong>Unlimited spending</strong>");
    expect(text).toContain("spend <strong>unlimited</strong> <bdi>USDC</bdi>");
  });

  it("names the rules with their version, and the logs and calls that they rest on", () => {
    const text = renderTransactionPage(swap);
    const [action] = swap.evidence.actions;
    expect(text).toContain(`>${action?.rule}</a> <small>version <span class="hex">${action?.version}</span></small>`);
    expect(text).toMatch(/<details class="evidence"><summary>/);
    expect(text).toContain("call 0: ");
    const borrow = renderTransactionPage(find("0x90a83a26"));
    expect(borrow).toMatch(/#eventlog">log \d+<\/a>/);
  });

  it.each([
    ["ok", "clean", "Clean"],
    ["partial", "open", "Checked in part"],
    ["unavailable", "open", "Not checked"],
    ["inconclusive", "open", "Not known"],
    ["not_applicable", "none", "Nothing to check"],
  ] as [CheckStatus, string, string][])("shows a check that is %s as %s: %s", (status, look, word) => {
    const checks = { ...swap.explanation.checks, drainer_blacklist: status };
    const text = renderTransactionPage({ ...swap, explanation: { ...swap.explanation, checks } });
    expect(text).toContain(
      `<li class="check ${look}"><span class="asks">On a list of drainers?</span><strong class="word">${word}</strong>`,
    );
  });

  it("never calls a check clean that found something", () => {
    const checks = { ...swap.explanation.checks, drainer_blacklist: "ok" } as const;
    const risk_flags = [{ flag: "known_drainer", detail: "It is listed." }] as const;
    const text = renderTransactionPage({
      ...swap,
      explanation: { ...swap.explanation, checks, risk_flags: [...risk_flags] },
    });
    expect(text).toContain(
      '<li class="check found"><span class="asks">On a list of drainers?</span><strong class="word">Found',
    );
    expect(text).toContain('<li class="flag grave"><strong>Known drainer</strong>');
  });

  it("says what could not be seen, and that it rests on a recording", () => {
    const text = renderTransactionPage({ ...find("0x6565ce88"), source: "recording" });
    expect(text).toContain("<strong>Incomplete.</strong> <bdi>Ether moved inside the call could not be traced.</bdi>");
    expect(text).toContain("this is from a recording");
  });

  it("makes hostile text inert", () => {
    const text = renderTransactionPage(hostilePage(swap));
    expect(text).not.toMatch(/<script|<img|<svg onload|[\u202a-\u202e]/i);
    expect(text.match(/<svg/g)).toHaveLength(2);
    expect(text).toContain("&lt;script&gt;window.pwned=1&lt;/script&gt;");
  });
});

describe("a transaction's page", () => {
  const full = fullPage();
  const { checks } = full.explanation;

  it("lists 40 entries without a word of more", () => {
    const { calls, superseded } = full.evidence;
    const evidence = { ...bareEvidence(), calls: calls.slice(0, 40), superseded: superseded.slice(0, 40) };
    expect(renderTransactionPage({ ...full, evidence })).not.toMatch(/and -?\d+ more</);
  });

  it("tells of the fee only where the sender's ether changed", () => {
    const told = (role: "sender" | "subject", places: number) => {
      const changes = full.facts.changes.slice(0, places);
      const view = full.view && { ...full.view, role };
      return /The fee of the transaction/.test(
        renderTransactionPage({ ...full, facts: { ...full.facts, changes }, view }),
      );
    };
    expect([told("sender", 4), told("sender", 3), told("subject", 4)]).toEqual([true, false, false]);
  });

  it("repeats what was found where a check did not reach everything", () => {
    const risk_flags = [{ flag: "known_drainer" as const, detail: "" }];
    const told = (drainer_blacklist: "partial" | "ok") =>
      renderTransactionPage({
        ...full,
        explanation: { ...full.explanation, risk_flags, checks: { ...checks, drainer_blacklist } },
      });
    expect(told("partial")).toContain("<span>What was not checked may hold anything. Yes; see above.</span>");
    expect(told("ok")).toContain("<span>Yes; see above.</span>");
  });
});

describe("headers", () => {
  it("allow own styles and images only, and the reference its one program", () => {
    expect(pageHeaders).toEqual({
      "content-security-policy":
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    expect(referencePolicy).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(String(html`<b>${"<"}</b>`)).toBe("<b>&lt;</b>");
  });
});

describe("markup", () => {
  it("escapes all that is not markup already", () => {
    expect(html`<a title="${"\"'<&>"}">${["<b>", trustedMarkup("<i>"), 3, null, false]}</a>`.text).toBe(
      '<a title="&quot;&#39;&lt;&amp;&gt;">&lt;b&gt;<i>3</a>',
    );
  });
});
