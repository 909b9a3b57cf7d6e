import { describe, expect, it } from "vitest";
import type { Address } from "../../../src/kernel/address.ts";
import { renderReferencePage, renderStartPage } from "../../../src/serve/http/routes/pages.ts";
import { renderMessagePage } from "../../../src/serve/web/preview/message-page.ts";
import { emptyForm, renderPreviewForm, renderPreviewTrouble } from "../../../src/serve/web/preview/preview-form.ts";
import { renderPreviewPage } from "../../../src/serve/web/preview/preview-page.ts";
import { renderProtocolList, renderProtocolPage } from "../../../src/serve/web/protocol-pages.ts";
import { renderTransactionPage } from "../../../src/serve/web/transaction-page.ts";
import { renderPricePage, renderTroublePage } from "../../../src/serve/web/trouble-page.ts";
import {
  bareEvidence,
  barePage,
  fullEvidence,
  fullMessage,
  fullPage,
  fullPreview,
  protocol,
  signer,
} from "./sample.ts";

const form = { request: '{"to":"<b>"}', from: "0x1" };
const operation = { method: "POST", path: "/explain", summary: "Explain <it>" };
const full = fullPage();
const bare = barePage();
const preview = fullPreview();
const message = fullMessage();
const fewEvidence = { ...fullEvidence(), calls: [], superseded: [], unexplained: [], risk: bareEvidence().risk };
const standard = { ...protocol, id: "erc", name: null, site: null, family: "a_token", contracts: [], members: [] };

/**
 * The page with one element in each line, without drawings and without the middle of long lists. A reviewer reads this when a page changes.
 */
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

/** Made-up pages with everything and with nothing in them. `npx vitest -u test/serve/web/written.test.ts` writes the files again. */
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
    ["reference", () => renderReferencePage([operation, operation])],
    ["protocols", () => renderProtocolList([protocol, standard, { ...protocol, id: "apes", name: "Apes" }])],
    ["protocol", () => renderProtocolPage(protocol)],
    ["standard", () => renderProtocolPage({ ...standard, rules: [] })],
  ])("%s", async (name, render) => {
    await expect(readable(render())).toMatchFileSnapshot(`written/${name}.txt`);
  });
});
