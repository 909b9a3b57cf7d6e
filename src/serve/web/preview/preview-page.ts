import type { Evidence } from "../../../model/evidence.ts";
import type { PictureFacts } from "../../../model/told/picture-facts.ts";
import type { Preview } from "../../../model/told/preview.ts";
import { changeSection } from "../change-section.ts";
import { evidenceSection } from "../evidence-section.ts";
import { type Filling, html, type Markup } from "../markup.ts";
import { grantSection, movementTable, pictureSection } from "../movement-section.ts";
import { dollars, factLine, foreignText, inWords, quotedHint, sentence } from "../own-text.ts";
import { checkSection, flagSection } from "../risk-section.ts";
import { shell } from "../shell.ts";
import { otherPreview, type PreviewForm } from "./preview-form.ts";

export interface PreviewPage {
  preview: Preview;
  facts: PictureFacts;
  evidence: Evidence;
  form: PreviewForm;
}

const outcomes = {
  success: "would go through",
  reverted: "would fail",
  rejected: "no node would take it",
  not_simulated: "not simulated",
} as const satisfies Record<Preview["outcome"], string>;

export function renderPreviewPage({ preview, facts, evidence, form }: PreviewPage): string {
  const pictured = { explanation: preview, facts, planned: true };
  const title = `Before signing: ${inWords(preview.action_type)} · txgloss`;
  return shell({ title, unlisted: true }, [
    html`<h1>${sentence(preview.summary)}</h1>`,
    factLine(preview.action_type, factsOf(preview)),
    unhappened(preview),
    flagSection(preview),
    quotedHint(preview),
    noteSection(preview),
    askSection(preview),
    pictureSection(pictured),
    changeSection(pictured, null),
    grantSection(pictured),
    checkSection(preview),
    movementTable(pictured),
    evidenceSection(pictured, evidence, null),
    otherPreview(form),
  ]);
}

function factsOf({ outcome, fee_estimate_usd }: Preview): Filling[] {
  const bad = outcome === "reverted" || outcome === "rejected";
  return [
    bad ? html`<strong class="minus">${outcomes[outcome]}</strong>` : outcomes[outcome],
    fee_estimate_usd === null ? "fee in USD unknown" : `fee about ${dollars(fee_estimate_usd)}`,
  ];
}

function unhappened({ outcome, simulation }: Preview): Markup {
  const says =
    outcome === "not_simulated" || outcome === "rejected"
      ? "Nobody could run it, so this is what it asks for by its data alone."
      : `A simulation on block ${simulation.block_number} showed what it would do if it were sent now.`;
  return html`<p class="unhappened"><strong>Not happened.</strong> ${says}</p>`;
}

function noteSection({ notes }: Preview): Markup {
  return html`<section><h2>What is not certain</h2><ul class="plain uncertain">${notes.map(({ detail }) => html`<li>${foreignText(detail)}</li>`)}</ul></section>`;
}

/** By calldata; null: simulated. */
function askSection({ asks }: Preview): Markup | null {
  if (asks.length === 0) return null;
  return html`<section><h2>What it asks for</h2><ul>${asks.map((ask) => html`<li>${foreignText(ask)}</li>`)}</ul></section>`;
}
