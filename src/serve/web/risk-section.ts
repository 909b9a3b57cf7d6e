import type { CheckStatus, Checks } from "../../model/explanation.ts";
import type { MessageFlagCode } from "../../model/told/message-explanation.ts";
import type { PreviewFlag } from "../../model/told/preview.ts";
import { html, type Markup } from "./markup.ts";
import { accountLink, foreignText } from "./own-text.ts";

type AnyFlag = MessageFlagCode | PreviewFlag["flag"];

export interface Judged {
  risk_flags: readonly { flag: AnyFlag; detail: string }[];
  checks: Checks;
}

const flagNames: Readonly<Record<AnyFlag, string>> = {
  unverified_contract: "No published source code",
  first_time_counterparty: "First time",
  approval_for_all: "All NFTs of a collection",
  unlimited_approval: "Unlimited spending",
  known_drainer: "Known drainer",
  nonstandard_token_symbol: "Odd token name",
  impersonated_token: "Looks like another token",
  transaction_reverted: "Failed",
  simulation_reverted: "Would fail",
  gives_for_nothing: "Gives for nothing",
  unknown_message: "Unknown message",
  no_chain: "Good on any chain",
};

/** More than a reason to look twice. */
const grave: ReadonlySet<AnyFlag> = new Set([
  ...(["known_drainer", "impersonated_token", "transaction_reverted"] as const),
  ...(["simulation_reverted", "gives_for_nothing"] as const),
]);

/** At the top of a page; null: none. */
export function flagSection({ risk_flags }: Judged): Markup | null {
  if (risk_flags.length === 0) return null;
  const items = risk_flags.map(
    ({ flag, detail }) =>
      html`<li class="flag${grave.has(flag) && " grave"}"><strong>${flagNames[flag]}</strong> ${foreignText(detail)}</li>`,
  );
  return html`<section><h2 class="hidden">Found</h2><ul class="flags">${items}</ul></section>`;
}

type CheckName = "contract_verification" | "first_interaction" | "drainer_blacklist";

const checks: readonly { name: CheckName; flag: AnyFlag; asks: string; clean: string; found: string }[] = [
  {
    ...{ name: "contract_verification", flag: "unverified_contract", asks: "Is the code published?" },
    ...{ clean: "Yes, of everything that was called or paid.", found: "Not of all; see above." },
  },
  {
    ...{ name: "first_interaction", flag: "first_time_counterparty", asks: "Dealt with before?" },
    ...{ clean: "Yes, with everybody who counts here.", found: "Not with all; see above." },
  },
  {
    ...{ name: "drainer_blacklist", flag: "known_drainer", asks: "On a list of drainers?" },
    ...{ clean: "Nobody who took part is on one.", found: "Yes; see above." },
  },
];

/** One or two words, and a sentence. */
const states: Readonly<Record<Exclude<CheckStatus, "ok">, { word: string; says: string }>> = {
  partial: { word: "Checked in part", says: "What was not checked may hold anything." },
  unavailable: { word: "Not checked", says: "No source answered. This says nothing, good or bad." },
  inconclusive: { word: "Not known", says: "The sources answered, but cannot tell." },
  not_applicable: { word: "Nothing to check", says: "Nobody took part to whom it applies." },
};

/** An unmade check never looks clean. */
export function checkSection({ checks: results, risk_flags }: Judged): Markup {
  const flagged = new Set(risk_flags.map(({ flag }) => flag));
  const items = checks.map(({ name, flag, asks, clean, found }) => {
    const status = results[name];
    const isFound = flagged.has(flag);
    const { word, says } =
      status === "ok" ? { word: isFound ? "Found" : "Clean", says: isFound ? found : clean } : states[status];
    const look = status === "ok" ? (isFound ? "found" : "clean") : status === "not_applicable" ? "none" : "open";
    const also = isFound && status !== "ok" ? ` ${found}` : "";
    return html`<li class="check ${look}"><span class="asks">${asks}</span><strong class="word">${word}</strong><span>${says}${also}</span></li>`;
  });
  const { note, unchecked_addresses } = results;
  return html`<section><h2>What was checked</h2><ul class="checks">${items}</ul>${note !== null && html`<p class="hint">${foreignText(note)}</p>`}${unchecked_addresses.length > 0 && html`<p class="hint">Not looked at: ${unchecked_addresses.map((address) => html`${accountLink(address)} `)}</p>`}</section>`;
}
