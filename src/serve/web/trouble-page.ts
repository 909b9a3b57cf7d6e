import { paths } from "./links.ts";
import { html, type Markup } from "./markup.ts";
import { findForm, shell } from "./shell.ts";

export interface PageTrouble {
  /** A code of the error table. */
  code: string;
  message: string;
  retryable: boolean;
  /** The query, to be corrected. */
  query?: string;
}

const titles: Readonly<Record<string, string>> = {
  invalid_tx_hash: "That is no transaction hash",
  transaction_not_found: "Nobody knows this transaction",
  transaction_pending: "Not in a block yet",
  upstream_unavailable: "The chain did not answer",
  rate_limited: "Too many requests",
  overloaded: "Too much to do",
  restarting: "A moment, please",
  not_found: "There is no such page",
  method_not_allowed: "This path is for programs",
  invalid_preview: "That cannot be previewed",
  invalid_typed_data: "That message cannot be read",
  other_chain: "That is for another chain",
  body_too_large: "That is too long",
};

/** A path that does not exist. */
export const lostMessage = "The address leads nowhere. A transaction is found by its hash.";

export function troubleTitle(code: string): string {
  return titles[code] ?? "That did not work";
}

export function renderTroublePage({ code, message, retryable, query = "" }: PageTrouble): string {
  const title = troubleTitle(code);
  return shell({ title: `${title} · txgloss`, unlisted: true, withoutField: true }, [
    html`<h1>${title}</h1><p>${message}</p>${retryable && html`<p>Trying again later may help.</p>`}${findForm("find large", query.slice(0, 200))}<p class="hint">A transaction hash is 0x and 64 characters from 0 to 9 and a to f. The link of an explorer works too.</p><p class="hint">Code: <span class="hex">${code}</span></p>`,
  ]);
}

/** x402 offer. */
export interface Price {
  /** Dollars, `0.01`; null: unknown. */
  usd: string | null;
  /** URL that a payment must name. */
  resource: string;
}

/** Free calls used up: price, and how to pay. */
export function renderPricePage({ usd, resource }: Price): string {
  return shell({ title: "Used up for today · txgloss", unlisted: true, withoutField: true }, [
    html`<h1>The free explanations of today are used up</h1><p>They begin anew at midnight, UTC.${usd !== null && ` Until then an explanation costs ${usd} USDC.`}</p>${agentHint(resource)}`,
  ]);
}

function agentHint(resource: string): Markup {
  return html`<section><h2>How a program pays</h2><p>Over <a href="https://www.x402.org">x402</a>: this response has status 402 and the header <span class="hex">PAYMENT-REQUIRED</span>. A client of x402 signs a payment of USDC for <span class="hex">${resource}</span> and asks again; nothing is charged where nothing is explained. A pass for many calls is sold at <span class="hex">POST /pass</span>. <a href="${paths.reference}">The API</a> has the details.</p></section>`;
}
