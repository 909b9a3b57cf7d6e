import type { AccountView, BalanceChange } from "../../model/told/account-view.ts";
import type { ChangeFacts } from "../../model/told/picture-facts.ts";
import type { Pictured } from "../picture/cast.ts";
import { type Filling, html, type Markup } from "./markup.ts";
import { account, dollars, grouped, nameOf, priceSource } from "./own-text.ts";

/** `view`: worth, and whether balances agree; null: unknown. */
export function changeSection({ facts, planned = false }: Pictured, view: AccountView | null): Markup | null {
  const { subject } = facts;
  const told = new Map((view?.balance_changes ?? []).map((change) => [keyOf(change), change]));
  const changes = [...facts.changes, ...passedOf(view)];
  if (changes.length === 0) return null;
  const rows = changes.map((change) => {
    const { token, untrusted, token_id, delta, raw } = change;
    const lost = delta.startsWith("-");
    const shown = delta === "0" ? "±0" : `${lost ? "−" : "+"}${grouped(delta.replace("-", ""))}`;
    const name = html`${nameOf(token, untrusted)}${token_id !== undefined && ` #${token_id}`}${raw && html` <small>raw units</small>`}`;
    return html`<tr><th scope="row">${name}</th><td class="num ${lost ? "minus" : "plus"}">${shown}</td>${view !== null && valueCells(told.get(keyOf(change)))}</tr>`;
  });
  const heads =
    view !== null &&
    html`<th scope="col" class="num">Worth then</th><th scope="col">Price from</th><th scope="col">Balances</th>`;
  const fee = view?.role === "sender" && changes.some(({ token_address }) => token_address === null);
  const hints: Filling = [
    fee && html`<p class="hint">The fee of the transaction is not part of it.</p>`,
    [...told.values()].some(({ balance_check }) => balance_check === "differs") &&
      html`<p class="note">“Differ” means: the balance before and after the block changed by another amount than the transaction tells. The token may keep a fee or change balances by itself, or another transaction of the block moved it too.</p>`,
  ];
  return html`<section><h2 id="changes">What ${planned ? "would change" : "changed"} for ${account(subject, null, "")}</h2><div class="scroll" role="region" aria-labelledby="changes" tabindex="0"><table class="changes${view !== null && " valued"}"><thead><tr><th scope="col">Asset</th><th scope="col" class="num">Change</th>${heads}</tr></thead><tbody>${rows}</tbody></table></div>${hints}</section>`;
}

/** Equal in and out, but balances differ. */
function passedOf(view: AccountView | null): ChangeFacts[] {
  const untrusted = new Set(view?.provenance.untrusted_fields);
  return (view?.balance_changes ?? []).flatMap(({ token, token_address, delta }, i) =>
    delta === "0"
      ? [{ token, token_address, delta, raw: false, untrusted: untrusted.has(`balance_changes[${i}].token`) }]
      : [],
  );
}

function keyOf({ token_address, token_id }: Pick<ChangeFacts, "token_address" | "token_id">): string {
  return `${token_address} ${token_id}`;
}

/** Worth, price source, agreement. Unknown never looks known. */
function valueCells(change: BalanceChange | undefined): Markup {
  if (change === undefined)
    return html`<td class="num none">–</td><td class="none">–</td><td class="none">not checked</td>`;
  const { usd, price_source, standard, balance_check } = change;
  const isNft = standard === "erc721" || standard === "erc1155";
  const worth =
    usd === null
      ? html`<td class="num none">${isNft ? "–" : "no price known"}</td><td class="none">–</td>`
      : html`<td class="num">${dollars(usd)}</td><td>${priceSource(price_source ?? "")}</td>`;
  const { look, word } = checkWords[balance_check];
  return html`${worth}<td class="${look}">${word}</td>`;
}

const checkWords = {
  equal: { look: "agrees", word: "agree" },
  differs: { look: "differs", word: "differ" },
  not_checked: { look: "none", word: "not checked" },
} as const;
