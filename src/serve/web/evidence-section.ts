import { checksum } from "../../kernel/address.ts";
import type { Evidence, EvidenceAction } from "../../model/evidence.ts";
import type { LogFacts } from "../../model/told/picture-facts.ts";
import type { Pictured } from "../picture/cast.ts";
import { shortForm } from "../picture/text.ts";
import { paths } from "./links.ts";
import { type Filling, html, type Markup } from "./markup.ts";
import { labelsOf } from "./movement-section.ts";
import { accountLink, foreignText, inWords, nameOf } from "./own-text.ts";

/** The JSON has all. */
const shownMax = 40;

export interface EvidenceLinks {
  events: string;
  json: string;
}

/** Folded. `links` null: before signing. */
export function evidenceSection(
  { explanation, facts }: Pictured,
  evidence: Evidence,
  links: EvidenceLinks | null,
): Markup {
  const labels = labelsOf(facts, explanation.counterparties);
  const name = (address: string): Filling => {
    const label = labels.get(address);
    return label == null ? null : html` ${foreignText(label)}`;
  };
  const { actions, superseded, completeness, calls, unexplained, unclaimed_logs, ruleset } = evidence;
  const claimed = new Set(actions.flatMap(({ logs }) => logs));
  const logs = facts.logs.filter(({ log }) => claimed.has(log));
  const { movements: moved, calls: called } = completeness;
  return html`<details class="evidence"><summary>Evidence: why it says so</summary>
<h3>Rules</h3>${actions.length === 0 ? html`<p>No rule explains this transaction.</p>` : html`<ul class="plain">${actions.map(ruleItem)}</ul>`}
<p class="hint">They explain ${moved.explained} of ${moved.total} movements and ${called.explained} of ${called.total} calls of the subject. Set of rules: <span class="hex">${ruleset}</span></p>
${logs.length > 0 && html`<h3>Logs that they rest on</h3><ul class="plain">${logs.slice(0, shownMax).map((log) => logItem(log, name, links))}</ul>${more(logs.length)}`}
<h3>Calls</h3><ul class="plain">${calls.slice(0, shownMax).map(({ id, from, to, selector, state, via }) => {
    const wrapper = via === null ? null : html`, inside <span class="hex">${via}</span>`;
    return html`<li>call ${id}: ${accountLink(checksum(from))} → ${to === null ? "new contract" : html`${accountLink(checksum(to))}${name(checksum(to))}`} <span class="hex">${selector === "0x" ? "plain" : selector}</span> ${state}${wrapper}</li>`;
  })}</ul>${more(calls.length)}
${attributionOf(evidence)}
${superseded.length > 0 && html`<h3>Rules that fit and lost</h3><ul class="plain">${superseded.slice(0, shownMax).map(({ rule, by, reason }) => html`<li>${ruleLink(rule)} to ${ruleLink(by)}: ${reason}</li>`)}</ul>${more(superseded.length)}`}
${unexplained.length + unclaimed_logs.length > 0 && html`<h3>What no rule explains</h3><ul class="plain">${unexplained.slice(0, shownMax).map(({ movement, from, to }) => html`<li>movement ${movement}: ${accountLink(checksum(from))} → ${accountLink(checksum(to))}</li>`)}${unclaimed_logs.slice(0, shownMax).map(({ log, address, topic0 }) => html`<li>log ${log}: ${accountLink(checksum(address))}${name(checksum(address))} <span class="hex">${topic0 === null ? "no topic" : shortForm(topic0)}</span></li>`)}</ul>${more(Math.max(unexplained.length, unclaimed_logs.length))}`}
${riskEvidence(evidence)}${links !== null && html`<p class="hint">For programs: <a href="${links.json}">all of it as JSON</a>.</p>`}</details>`;
}

/** ERC-8021, as claims: anybody may append any. */
function attributionOf({ attribution = [] }: Evidence): Filling {
  if (attribution.length === 0) return null;
  const items = attribution.slice(0, shownMax).map(({ call, codes, left_out }) => {
    const said = codes.map(
      ({ code, role }, i) => html`${i > 0 && ", "}${role !== null && `${role} `}${nameOf(code, true)}`,
    );
    const left =
      left_out > 0 && html`${codes.length > 0 && ", "}${left_out} that ${left_out === 1 ? "is" : "are"} not shown`;
    return html`<li>call ${call}: ${said}${left}${codes.length + left_out === 0 && "no code that can be read"}</li>`;
  });
  return html`<h3>Says it was sent with</h3><p class="hint">Codes of apps, wallets and services (ERC-8021). Anybody may append any code, so they prove nothing.</p><ul class="plain">${items}</ul>${more(attribution.length)}`;
}

function ruleItem({ rule, version, action, logs, calls, movements }: EvidenceAction): Markup {
  const rests = Object.entries({ logs, calls, movements })
    .filter(([, places]) => places.length > 0)
    .map(
      ([what, places]) =>
        `${places.length === 1 ? what.slice(0, -1) : what} ${places.slice(0, shownMax).join(", ")}${places.length > shownMax ? "…" : ""}`,
    );
  return html`<li>${ruleLink(rule)} <small>version <span class="hex">${version}</span></small> finds <em>${inWords(action)}</em>${rests.length > 0 && `: ${rests.join("; ")}`}</li>`;
}

function ruleLink(rule: string): Markup {
  const protocol = rule.slice(0, rule.indexOf("/"));
  return html`<a class="hex" href="${paths.protocol(protocol)}">${rule}</a>`;
}

function logItem(
  { log, address, topic0 }: LogFacts,
  name: (address: string) => Filling,
  links: EvidenceLinks | null,
): Markup {
  const place = links === null ? `log ${log}` : html`<a href="${links.events}">log ${log}</a>`;
  return html`<li>${place}: ${accountLink(address)}${name(address)} <span class="hex">${topic0 === null ? "no topic" : shortForm(topic0)}</span></li>`;
}

function more(count: number): Markup | null {
  return count > shownMax ? html`<p class="hint">and ${count - shownMax} more</p>` : null;
}

function riskEvidence({ risk: { findings, lookups } }: Evidence): Filling {
  return [
    findings.length > 0 &&
      html`<h3>Findings</h3><ul class="plain">${findings.slice(0, shownMax).map(({ flag, detail, basis, evidence }) => html`<li>${flag === null ? "not enough for a flag" : inWords(flag)} <small>(${basis}; ${evidence.join(", ")})</small> ${foreignText(detail)}</li>`)}</ul>${more(findings.length)}`,
    lookups.length > 0 &&
      html`<h3>Who was asked</h3><ul class="plain">${lookups.slice(0, shownMax).map(({ about, status, source, time }) => html`<li>${about}: ${status} <small>${source}, ${time}</small></li>`)}</ul>${more(lookups.length)}`,
  ];
}
