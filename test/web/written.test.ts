import { describe, expect, it } from "vitest";
import type { Address } from "../../src/kernel/address.ts";
import { pageHeaders, referencePolicy } from "../../src/web/links.ts";
import { html } from "../../src/web/markup.ts";
import { dollars, grouped, inWords, priceSource, sentence, timeOf } from "../../src/web/own-text.ts";
import { renderMessagePage } from "../../src/web/preview/message-page.ts";
import { emptyForm, renderPreviewForm, renderPreviewTrouble } from "../../src/web/preview/preview-form.ts";
import { renderPreviewPage } from "../../src/web/preview/preview-page.ts";
import { renderProtocolList, renderProtocolPage } from "../../src/web/protocol-pages.ts";
import { renderReferencePage } from "../../src/web/reference-page.ts";
import { renderStartPage } from "../../src/web/start-page.ts";
import { renderTransactionPage } from "../../src/web/transaction-page.ts";
import { renderPricePage, renderTroublePage } from "../../src/web/trouble-page.ts";
import { bareEvidence, barePage, fullEvidence, fullMessage, fullPage, fullPreview } from "./sample.ts";

const form = { request: '{"to":"<b>"}', from: "0x1" };
const signer = "0x9c1185a5c5e9fc54612808977ee8f548b2258d31";
const operation = { method: "POST", path: "/explain", summary: "Explain <it>" };
const full = fullPage();
const bare = barePage();
const preview = fullPreview();
const message = fullMessage();
const fewEvidence = { ...fullEvidence(), calls: [], superseded: [], unexplained: [], risk: bareEvidence().risk };
const protocol = {
  ...{ id: "punks", name: "Punks & co", family: "nft_market", site: "https://punks.example" },
  contracts: [
    { role: "the_market", label: "Market", address: signer, source: ["a", "b", "c"] },
    { role: "fees", label: "Fees", address: signer, source: ["a"] },
  ],
  members: [
    { role: "pools", proof: "registry" as const },
    { role: "clones", proof: "creation" as const },
    { role: "vaults", proof: "address" as const },
  ],
  rules: [
    { id: "sell", action: "nft_sell", says: "<sell> {it}", anchor: "call sell" },
    { id: "buy", action: "nft_buy", says: "<buy> {it} and <get> {that}", anchor: "call buy" },
    { id: "buy-2", action: "nft_buy", says: "<buy> {it}", anchor: "call buy2" },
  ],
};
const standard = { ...protocol, id: "erc", name: null, site: null, family: "a_token", contracts: [], members: [] };

/** One element a line, drawings and the middle of long lists left out: what a reviewer reads when a page changes. */
function readable(page: string): string {
  const drawn = page.replace(/<svg[^>]*>.*?<\/svg>/gs, "<svg/>");
  const lines = drawn
    .replace(/<(?=(?:h\d|p|section|tr|td|li|ul|div|details|form|label|figure|table|main)[ >])/g, "\n<")
    .split("\n");
  return lines.map((line, i) => (isAmongMany(lines, i) ? "…" : line)).join("\n");
}

/** Two items before it, and two after it. */
function isAmongMany(lines: readonly string[], place: number): boolean {
  return [-2, -1, 0, 1, 2].every((away) => lines[place + away]?.startsWith("<li>"));
}

/** Made-up pages with all and with nothing in them. `npx vitest -u test/web/written.test.ts` writes them anew. */
describe("every page is written as it was read", () => {
  it.each<[string, () => string]>([
    ["transaction-full", () => renderTransactionPage(full)],
    ["transaction-bare", () => renderTransactionPage(bare)],
    ["preview-full", () => renderPreviewPage({ preview, facts: full.facts, evidence: fewEvidence, form })],
    [
      "preview-bare",
      () =>
        renderPreviewPage({
          preview: {
            ...{ ...preview, outcome: "not_simulated", asks: [], assets_moved: [], risk_flags: [], notes: [] },
            ...{ fee_estimate_usd: null, provenance: { untrusted_fields: [], note: "" } },
          },
          facts: bare.facts,
          evidence: bareEvidence(),
          form: emptyForm,
        }),
    ],
    ["message-full", () => renderMessagePage({ message, signer: signer as Address, form })],
    [
      "message-bare",
      () =>
        renderMessagePage({
          message: {
            ...{ ...message, grants: [], risk_flags: [], partial: false },
            message: { primary_type: null, contract: null, contract_label: null, fields: [] },
            provenance: { untrusted_fields: [], note: "" },
          },
          signer: signer as Address,
          form: emptyForm,
        }),
    ],
    ["preview-form", renderPreviewForm],
    [
      "preview-trouble",
      () => renderPreviewTrouble({ title: "No", message: "Not <so>.", code: "bad", retryable: true }, form),
    ],
    [
      "trouble",
      () => renderTroublePage({ code: "overloaded", message: "<Too> much.", retryable: true, query: "0x12" }),
    ],
    ["used-up", () => renderPricePage({ usd: "0.01", resource: "https://a.example/<explain>" })],
    ["used-up-without-price", () => renderPricePage({ usd: null, resource: "https://a.example" })],
    ["start", renderStartPage],
    ["reference", () => renderReferencePage([operation], true)],
    ["reference-without-library", () => renderReferencePage([operation, operation], false)],
    ["protocols", () => renderProtocolList([protocol, standard, { ...protocol, id: "apes", name: "Apes" }])],
    ["protocol", () => renderProtocolPage(protocol)],
    ["standard", () => renderProtocolPage({ ...standard, rules: [] })],
  ])("%s", async (name, render) => {
    await expect(readable(render())).toMatchFileSnapshot(`written/${name}.txt`);
  });
});

describe("lists of one", () => {
  it("are shown like longer ones", () => {
    const { contracts, members, rules } = protocol;
    const one = { contracts: contracts.slice(0, 1), members: members.slice(0, 1), rules: rules.slice(0, 1) };
    const heads = (page: string) => [...page.matchAll(/<h[23][^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(heads(renderProtocolPage({ ...protocol, ...one }))).toEqual(["Rules", "Contracts", "Proven contracts"]);
    expect(renderProtocolPage({ ...protocol, ...one })).toContain('<span class="tag">nft sell</span>');
    const { calls, superseded, unexplained, unclaimed_logs, risk, ...rest } = fullEvidence();
    const first = {
      calls: calls.slice(0, 1),
      superseded: superseded.slice(0, 1),
      unexplained: unexplained.slice(0, 1),
    };
    const found = { examined: [], findings: risk.findings.slice(0, 1), lookups: risk.lookups.slice(0, 1) };
    const told = (evidence: Partial<typeof first>) =>
      heads(
        renderTransactionPage({
          ...full,
          evidence: { ...rest, ...first, unclaimed_logs: [], risk: found, ...evidence },
        }),
      ).slice(-7);
    expect(told({})).toEqual([
      ...["Rules", "Logs that they rest on", "Calls", "Rules that fit and lost", "What no rule explains"],
      ...["Findings", "Who was asked"],
    ]);
    expect(told({ unexplained: [], unclaimed_logs } as never)).toEqual(told({}));
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

describe("a page that says what went wrong", () => {
  const page = (retryable: boolean) => renderTroublePage({ code: "no_such_code", message: "So.", retryable });

  it("says that trying again may help only where it may", () => {
    expect(page(true)).toContain("<p>So.</p><p>Trying again later may help.</p><form");
    expect(page(false)).toContain("<h1>That did not work</h1><p>So.</p><form");
    const preview = (retryable: boolean) =>
      renderPreviewTrouble({ title: "No", message: "So.", code: "bad", retryable }, emptyForm);
    expect(preview(false)).toContain('<p class="note">So.</p>');
    expect(preview(true)).toContain('<p class="note">So. Trying again later may help.</p>');
  });

  it("shows at most 200 characters of what was asked for", () => {
    const shown = renderTroublePage({ code: "bad", message: "", retryable: false, query: "q".repeat(201) });
    expect(shown).toContain(`value="${"q".repeat(200)}"`);
  });
});

describe("how a preview would end", () => {
  it.each([
    ["success", " would go through", "A simulation on block 99 showed what it would do if it were sent now."],
    ["reverted", ' <strong class="minus">would fail</strong>', "A simulation on block 99 showed"],
    ["rejected", ' <strong class="minus">no node would take it</strong>', "Nobody could run it, so this is"],
    ["not_simulated", " not simulated", "Nobody could run it, so this is what it asks for by its data alone."],
  ] as const)("%s", (outcome, word, says) => {
    const page = renderPreviewPage({
      preview: { ...preview, outcome },
      facts: full.facts,
      evidence: bareEvidence(),
      form,
    });
    expect(page).toContain(
      `<p class="facts"><span class="kind">nft buy</span> <span aria-hidden="true">·</span>${word} <span aria-hidden="true">·</span> fee about $0.012</p>`,
    );
    expect(page).toContain(`<strong>Not happened.</strong> ${says}`);
  });
});

describe("a transaction's page", () => {
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
