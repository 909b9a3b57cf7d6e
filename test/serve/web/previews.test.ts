import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openEngine } from "../../../src/engine/engine.ts";
import { toAnswer } from "../../../src/gather/preview/preview-answer.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { renderMessagePage } from "../../../src/serve/web/preview/message-page.ts";
import { emptyForm } from "../../../src/serve/web/preview/preview-form.ts";
import { type PreviewPage, renderPreviewPage } from "../../../src/serve/web/preview/preview-page.ts";
import { hostilePage, hostileStrings, recordedDir, recordedPages } from "../../support/recorded-pictures.ts";
import { plannedCase } from "../../support/recorded-previews.ts";
import { root } from "../../support/shared.ts";
import { bareEvidence, fullPage, fullPreview } from "./sample.ts";

const engine = openEngine({ rulesDir: join(root, "rules"), labelsDir: join(root, "labels") });
const files: CaseFile[] = readdirSync(recordedDir)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(join(recordedDir, name), "utf8")));

function pageOf(file: CaseFile, method: "debug_traceCall" | "none"): PreviewPage {
  const planned = plannedCase(file, method);
  const decision = engine.decide(planned);
  const { preview, evidence } = toAnswer(planned, decision);
  return { preview, evidence, facts: decision.pictureFacts(), form: emptyForm };
}

describe.each(["debug_traceCall", "none"] as const)("pages of previews by %s", (method) => {
  const pages = files.map((file) => [file.tx_hash, pageOf(file, method)] as const);

  it("stay small, and say in every recording that nothing has happened", () => {
    const bad = pages.flatMap(([hash, page]) => {
      const text = renderPreviewPage(page);
      const isRight =
        text.includes("<strong>Not happened.</strong>") &&
        text.match(/<svg class="pic \w+ plan"/g)?.length === 2 &&
        text.includes("What is not certain") &&
        !/<script|<style|<img|\sstyle=|\son\w+=|javascript:|What changed for|All movements|Rights that stay/.test(text);
      return isRight && gzipSync(text).length <= 12 * 1024 ? [] : [hash];
    });
    expect(bad).toEqual([]);
  });
});

describe("a page of a preview", () => {
  const [first] = files as [CaseFile];
  const page = pageOf(first, "debug_traceCall");

  it("shows how it would end, and flags that only previews have", () => {
    const told = (parts: Partial<PreviewPage["preview"]>) =>
      renderPreviewPage({ ...page, preview: { ...page.preview, ...parts } });
    const failing = told({
      outcome: "reverted",
      risk_flags: [{ flag: "simulation_reverted", detail: "It would fail." }],
    });
    expect(failing).toContain('<strong class="minus">would fail</strong>');
    expect(failing).toContain('<li class="flag grave"><strong>Would fail</strong>');
    expect(told({ outcome: "rejected" })).toContain('<strong class="minus">no node would take it</strong>');
    expect(told({ fee_estimate_usd: 0.0123 })).toContain("fee about $0.012");
  });

  it("makes hostile text inert", () => {
    const [swap] = [...recordedPages().values()] as [Parameters<typeof hostilePage>[0]];
    const { explanation, facts } = hostilePage(swap);
    const { summary, assets_moved, counterparties, checks, provenance } = explanation;
    const notes = hostileStrings.map((detail) => ({ code: "can_change" as const, detail }));
    const told = { summary, assets_moved, counterparties, checks, provenance, notes, asks: [...hostileStrings] };
    const form = { request: hostileStrings.join(""), from: hostileStrings[1] };
    const text = renderPreviewPage({ ...page, preview: { ...page.preview, ...told }, facts, form });
    expect(text).not.toMatch(/<script|<img|<svg onload/i);
    expect(text.match(/<svg/g)).toHaveLength(2);
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
      preview: { ...fullPreview(), outcome },
      facts: fullPage().facts,
      evidence: bareEvidence(),
      form: emptyForm,
    });
    expect(page).toContain(
      `<p class="facts"><span class="kind">nft buy</span> <span aria-hidden="true">·</span>${word} <span aria-hidden="true">·</span> fee about $0.012</p>`,
    );
    expect(page).toContain(`<strong>Not happened.</strong> ${says}`);
  });
});

describe("a page of a message", () => {
  const me = `0x${"1".repeat(40)}`;
  const types = {
    EIP712Domain: [{ name: "name", type: "string" }],
    Note: [
      { name: "text", type: "string" },
      { name: "to", type: "address" },
    ],
  };
  const message = { text: "<b>free</b>", to: me };
  const { explanation } = engine.decideMessage({
    ...{ from: me, typed_data: { types, primaryType: "Note", domain: { name: "<i>" }, message } },
  } as never);
  const text = renderMessagePage({ message: explanation, signer: me as never, form: emptyForm });

  it("tells value by value what no rule knows, in quotes where a stranger wrote it, without a picture of nothing", () => {
    expect(text).toContain("<strong>Unknown message</strong>");
    expect(text).toContain("What is signed: “<bdi>Note</bdi>”");
    expect(text).toContain('<td class="value"><bdi>&lt;b&gt;free&lt;/b&gt;</bdi></td>');
    expect(text).not.toContain("<svg");
    expect(text).toContain("What others do with the signature later is not known.");
  });

  it("draws the rights that it would give", () => {
    const grant = { token: "USDC", token_address: me, spender: `0x${"2".repeat(40)}`, spender_label: "Router" };
    const grants = [
      { ...grant, amount: "1.5", until: "2030-03-17T17:46:40Z" },
      { ...grant, amount: "unlimited", until: null },
      { ...grant, amount: null, until: null },
      { ...grant, amount: null, token_id: "7", until: null },
    ];
    const told = renderMessagePage({ message: { ...explanation, grants }, signer: me as never, form: emptyForm });
    expect(told.match(/<svg class="pic \w+ plan"/g)).toHaveLength(2);
    expect(told).toContain("spend 1.5 <bdi>USDC</bdi>, until 2030-03-17");
    expect(told).toContain("spend <strong>unlimited</strong> <bdi>USDC</bdi>");
    expect(told).toContain("move <strong>all</strong> NFTs of <bdi>USDC</bdi>");
    expect(told).toContain("move an NFT of <bdi>USDC</bdi>");
    expect(told).toContain("</a> <bdi>Router</bdi>");
  });
});
