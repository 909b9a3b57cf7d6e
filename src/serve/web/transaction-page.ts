import type { Evidence } from "../../model/evidence.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { AccountView } from "../../model/told/account-view.ts";
import type { Pictured } from "../picture/cast.ts";
import { shortForm } from "../picture/text.ts";
import { changeSection } from "./change-section.ts";
import { evidenceSection } from "./evidence-section.ts";
import { paths } from "./links.ts";
import { type Filling, html, type Markup } from "./markup.ts";
import { grantSection, movementTable, pictureSection } from "./movement-section.ts";
import { dollars, factLine, foreignText, inWords, quotedHint, sentence, timeOf } from "./own-text.ts";
import { checkSection, flagSection } from "./risk-section.ts";
import { shell } from "./shell.ts";

export interface TransactionPage extends Pictured {
  explanation: Explanation;
  evidence: Evidence;
  /** With known prices and balances; null: not asked. */
  view: AccountView | null;
  /** A recording may be older. */
  source: "network" | "recording";
}

/** The same input gives the same bytes. */
export function renderTransactionPage(page: TransactionPage): string {
  const { explanation, evidence, source } = page;
  const title = `${shortForm(explanation.tx_hash)}: ${inWords(explanation.action_type)} · txgloss`;
  return shell({ title, unlisted: true }, [
    html`<h1>${sentence(explanation.summary)}</h1>`,
    factLine(explanation.action_type, factsOf(explanation)),
    source === "recording" &&
      html`<p class="note">No source of the network answered; this is from a recording of the transaction.</p>`,
    flagSection(explanation),
    explanation.partial && partialNote(evidence),
    quotedHint(explanation),
    pictureSection(page),
    changeSection(page, page.view),
    grantSection(page),
    checkSection(explanation),
    movementTable(page),
    evidenceSection(page, evidence, {
      events: `${explanation.explorer_url}#eventlog`,
      json: paths.evidence(explanation.tx_hash),
    }),
    otherForms(explanation),
  ]);
}

function factsOf({ status, timestamp, block_number, gas_paid_usd, tx_hash, explorer_url }: Explanation): Filling[] {
  return [
    status === "reverted" && html`<strong class="minus">failed</strong>`,
    timestamp === null ? "time unknown" : timeOf(timestamp),
    `block ${block_number}`,
    gas_paid_usd === null ? "fee in USD unknown" : `fee ${dollars(gas_paid_usd)}`,
    html`<a class="hex" href="${explorer_url}" title="${tx_hash}">${shortForm(tx_hash)}</a>`,
  ];
}

function partialNote({ partial }: Evidence): Markup {
  const reasons = partial.length === 0 ? ["What it did is not fully known."] : partial;
  return html`<p class="note"><strong>Incomplete.</strong> ${reasons.map((reason) => html`${foreignText(reason)} `)}</p>`;
}

function otherForms({ tx_hash, explorer_url }: Explanation): Markup {
  return html`<p class="forms">Also as <a href="${paths.answer(tx_hash)}">JSON</a>, as a <a href="${paths.evidence(tx_hash)}">list of its evidence</a>, as a <a href="${paths.drawing(tx_hash)}">picture</a>, and on <a href="${explorer_url}">the explorer</a>.</p>`;
}
