import { counted, groupThousands } from "../../kernel/amount.ts";
import { compareText } from "../../kernel/canonical.ts";
import type { ProtocolFacts } from "../../model/told/protocol-facts.ts";
import { paths } from "./links.ts";
import { type Filling, html, type Markup } from "./markup.ts";
import { accountLink, foreignText, inWords } from "./own-text.ts";
import { shell } from "./shell.ts";

/** By family. */
export function renderProtocolList(protocols: readonly ProtocolFacts[]): string {
  const families = [...Map.groupBy(protocols, ({ family }) => family)].sort(([a], [b]) => compareText(a, b));
  const named = protocols.filter(({ name }) => name !== null).length;
  const rules = protocols.reduce((sum, one) => sum + one.rules.length, 0);
  const counts = `${counted(named, "protocol")} and ${counted(protocols.length - named, "standard")}`;
  const description = `${counts} that txgloss explains.`;
  return shell({ title: "Protocols · txgloss", description }, [
    html`<h1>What the rules know</h1><p>${counts}, ${groupThousands(String(rules))} rules. A protocol is named in a sentence only where the contract that speaks is listed here, or is proven to be made by one that is.</p>`,
    families.map(
      ([family, own]) =>
        html`<section><h2>${inWords(family)}</h2><ul class="cols">${own.map(({ id, name }) => html`<li><a href="${paths.protocol(id)}">${name ?? id}</a></li>`)}</ul></section>`,
    ),
  ]);
}

const proofs = {
  registry: "a registry lists them",
  creation: "a known contract made them",
  address: "their address follows from who made them",
} as const;

export function renderProtocolPage({ id, name, site, family, contracts, members, rules }: ProtocolFacts): string {
  const actions = [...new Set(rules.map(({ action }) => action))].sort();
  const title = name ?? id;
  const description = `What txgloss knows of ${title}: ${counted(rules.length, "rule")}, ${counted(contracts.length, "contract")}.`;
  const intro = name === null ? "A standard: its rules name no protocol." : `A protocol (${inWords(family)}).`;
  return shell({ title: `${title} · txgloss`, description }, [
    html`<h1>${title}</h1><p>${intro}${site !== null && html` <a href="${site}" rel="noreferrer nofollow">${site}</a>`}</p>`,
    actions.length > 0 && html`<p>${actions.map((action) => html`<span class="tag">${inWords(action)}</span> `)}</p>`,
    rules.length > 0 &&
      table(
        "Rules",
        ["Rule", "Says", "Starts from"],
        rules.map(
          (rule) =>
            html`<tr><th scope="row" class="hex">${rule.id}</th><td>${inBaseForm(rule.says)}</td><td>${rule.anchor}</td></tr>`,
        ),
      ),
    rules.length > 0 &&
      html`<p class="hint">Words in braces are filled in; what stands in brackets is said where it is known.</p>`,
    contracts.length > 0 &&
      table(
        "Contracts",
        ["Role", "Name", "Address", "Source"],
        contracts.map(
          ({ role, label, address, source }) =>
            html`<tr><td>${inWords(role)}</td><td>${foreignText(label)}</td><td>${accountLink(address)}</td><td>${sources(source)}</td></tr>`,
        ),
      ),
    members.length > 0 &&
      html`<section><h2>Proven contracts</h2><ul class="plain">${members.map(({ role, proof }) => html`<li>${inWords(role)}: ${proofs[proof]}, shown anew in each transaction</li>`)}</ul></section>`,
  ]);
}

/** Without the `<>` around further verbs. */
function inBaseForm(says: string): string {
  return says.replace(/<(\w+)>/g, "$1");
}

/** The first two, as in the rule file. */
function sources(source: readonly string[]): Filling {
  return source.slice(0, 2).map((one, i) => html`${i > 0 && html`<br>`}<small>${one}</small>`);
}

function table(title: string, heads: readonly string[], rows: readonly Markup[]): Markup {
  const id = title.toLowerCase();
  return html`<section><h2 id="${id}">${title}</h2><div class="scroll" role="region" aria-labelledby="${id}" tabindex="0"><table class="known"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}
