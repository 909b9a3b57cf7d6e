import { counted } from "../../kernel/amount.ts";
import type { GrantFacts, PictureFacts } from "../../model/told/picture-facts.ts";
import type { Pictured } from "../picture/cast.ts";
import { drawPicture, narrowSize, wideSize } from "../picture/picture.ts";
import { letterOf } from "../picture/rows.ts";
import { html, type Markup, trustedMarkup } from "./markup.ts";
import { account, grouped, nameOf } from "./own-text.ts";

/** For both widths, with a caption. */
export function pictureSection(pictured: Pictured): Markup {
  const { explanation, facts, planned = false } = pictured;
  const quoted = explanation.provenance.untrusted_fields.length > 0;
  const drawings = trustedMarkup(drawPicture(pictured, wideSize) + drawPicture(pictured, narrowSize));
  const moved = explanation.assets_moved.length > 0;
  const order = moved
    ? `Top to bottom is the order in which it ${planned ? "would happen" : "happened"}. Figures are rounded; the table has them exactly.`
    : "";
  const dashed = planned
    ? " All is drawn dashed: nothing of it has happened."
    : facts.grants.length > 0
      ? " A dashed arrow is a right that stays."
      : "";
  const quotes = quoted ? " A name in “quotes” was chosen by a stranger and proves nothing." : "";
  const caption = `${order}${dashed}${quotes}`.trim();
  return html`<figure>${drawings}${caption !== "" && html`<figcaption>${caption}</figcaption>`}</figure>`;
}

/** Exact; null: none. */
export function movementTable({ explanation, facts, planned = false }: Pictured): Markup | null {
  const { assets_moved, counterparties, provenance } = explanation;
  if (assets_moved.length === 0) return null;
  const untrusted = new Set(provenance.untrusted_fields);
  const labels = labelsOf(facts, counterparties);
  const rows = assets_moved.map(({ token, token_id, amount, from, to }, i) => {
    const name = nameOf(token, untrusted.has(`assets_moved[${i}].token`));
    const marks = marksOf(facts, i);
    return html`<tr><th scope="row">${i + 1}</th><td class="num">${grouped(amount)}</td><td>${name}${token_id !== undefined && ` #${token_id}`}${marks !== "" && html` <small>${marks}</small>`}</td><td>${account(from, labels.get(from), facts.subject)}</td><td>${account(to, labels.get(to), facts.subject)}</td></tr>`;
  });
  const cut = facts.cut > 0 && html`<p class="note">${counted(facts.cut, "more movement")} found no room here.</p>`;
  return html`<section><h2 id="movements">${planned ? "All that would move" : "All movements"}</h2>${cut}<div class="scroll" role="region" aria-labelledby="movements" tabindex="0"><table class="moves"><thead><tr><th scope="col">No.</th><th scope="col" class="num">Amount</th><th scope="col">Asset</th><th scope="col">From</th><th scope="col">To</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

function marksOf({ legs }: PictureFacts, place: number): string {
  const leg = legs[place];
  if (leg === undefined) return "";
  const marks = [leg.raw && "raw units", leg.fee && "gas", leg.inferred && "follows from the rest"];
  return marks.filter((mark) => mark !== false).join(", ");
}

export function labelsOf(
  { labels }: PictureFacts,
  counterparties: readonly { address: string; label: string | null }[],
): ReadonlyMap<string, string | null> {
  return new Map([
    ...Object.entries(labels),
    ...counterparties.filter(({ label }) => label !== null).map(({ address, label }) => [address, label] as const),
  ]);
}

/** Remaining rights; null: none. */
export function grantSection({ explanation, facts, planned = false }: Pictured): Markup | null {
  if (facts.grants.length === 0) return null;
  const labels = labelsOf(facts, explanation.counterparties);
  const rows = facts.grants.map((grant, i) => {
    const { owner, spender } = grant;
    return html`<tr><th scope="row">${letterOf(i)}</th><td>${account(owner, labels.get(owner), facts.subject)}</td><td>${account(spender, labels.get(spender), facts.subject)}</td><td>${allowed(grant)}</td></tr>`;
  });
  return html`<section><h2 id="rights">Rights that ${planned && "would "}stay</h2><p class="hint">They ${planned && "would "}stay after it, until they are used up or taken back.</p><div class="scroll" role="region" aria-labelledby="rights" tabindex="0"><table><thead><tr><th scope="col">No.</th><th scope="col">Owner</th><th scope="col">Who may act</th><th scope="col">What</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

function allowed(grant: GrantFacts): Markup {
  const { kind, unlimited, amount, raw, uncertain, through, until } = grant;
  const token = nameOf(grant.token, grant.untrusted);
  const what =
    kind === "operator"
      ? html`move <strong>all</strong> NFTs of ${token}`
      : kind === "nft"
        ? html`move an NFT of ${token}`
        : unlimited
          ? html`spend <strong>unlimited</strong> ${token}`
          : html`spend ${grouped(amount ?? "0")} ${raw && "raw units of "}${token}`;
  return html`${what}${through !== null && html`, kept by ${through}`}${until !== null && `, until ${until}`}${uncertain && " (perhaps the rest of an older right)"}`;
}
