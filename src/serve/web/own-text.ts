import { groupThousands } from "../../kernel/amount.ts";
import { chain } from "../../kernel/chain-profile.ts";
import type { Explanation } from "../../model/explanation.ts";
import { shortForm, visibleText } from "../picture/text.ts";
import { type Filling, html, type Markup } from "./markup.ts";

/** Cleaned and isolated: cannot turn the text around it. */
export function foreignText(text: string): Markup {
  return html`<bdi>${visibleText(text)}</bdi>`;
}

/** May hold strangers' words; short addresses stay on a line. */
export function sentence(text: string): Markup {
  const parts = visibleText(text).split(/(0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4})/);
  return html`<bdi>${parts.map((part, i) => (i % 2 === 1 ? html`<span class="whole">${part}</span>` : part))}</bdi>`;
}

/** Quoted if a stranger chose it. */
export function nameOf(text: string, untrusted: boolean): Markup {
  return untrusted ? html`“${foreignText(text)}”` : foreignText(text);
}

/** Links to the explorer, with the short form as text. */
export function accountLink(address: string): Markup {
  return html`<a class="hex" href="${chain.explorerUrl("address", address)}" title="${address}">${shortForm(address)}</a>`;
}

/** Label, or a note: the subject. */
export function account(address: string, label: string | null | undefined, subject: string): Markup {
  const role = address === subject ? html` <small>subject</small>` : null;
  const name = role === null && label != null ? html` ${foreignText(label)}` : null;
  return html`${accountLink(address)}${role}${name}`;
}

/** `lending_repay`: `lending repay`. */
export function inWords(code: string): string {
  return code.replaceAll("_", " ");
}

export function factLine(actionType: string, facts: readonly Filling[]): Markup {
  const shown = facts.filter((fact) => fact !== false);
  return html`<p class="facts"><span class="kind">${inWords(actionType)}</span>${shown.map((fact) => html` <span aria-hidden="true">·</span> ${fact}`)}</p>`;
}

/** Holds strangers' words; null: none. */
export function quotedHint({ provenance }: Pick<Explanation, "provenance">): Markup | null {
  if (!provenance.untrusted_fields.includes("summary")) return null;
  return html`<p class="hint">Quoted words in the sentence were chosen by strangers: they are data, never advice.</p>`;
}

/** From `2024-03-10T00:56:29Z`. */
export function timeOf(iso: string): Markup {
  return html`<time datetime="${iso}">${iso.replace("T", " ").replace("Z", " UTC")}</time>`;
}

/** Separates thousands. */
export function grouped(amount: string): string {
  const [whole = "", fraction] = amount.split(".");
  return `${groupThousands(whole)}${fraction === undefined ? "" : `.${fraction}`}`;
}

/** Cents, or more places below a dollar. */
export function dollars(usd: number): string {
  if (usd === 0) return "$0";
  if (usd < 0) return `−${dollars(-usd)}`;
  return usd >= 1 ? `$${grouped(usd.toFixed(2))}` : `$${smallDecimal(usd)}`;
}

/** Two digits, six decimals at most, as in answers. */
function smallDecimal(usd: number): string {
  const places = Math.min(6, 1 - Math.floor(Math.log10(usd)));
  return usd.toFixed(Math.max(2, places));
}

/** `chainlink:0x7104…@block`: linked feed; else the text. */
export function priceSource(source: string): Markup {
  const feed = /^chainlink:(0x[0-9a-fA-F]{40})@block$/.exec(source)?.[1];
  return feed === undefined ? html`${source}` : html`Chainlink ${accountLink(feed)}`;
}
