import { type Address, checksum } from "../../../kernel/address.ts";
import type { MessageExplanation, MessageGrant } from "../../../model/told/message-explanation.ts";
import type { GrantFacts, PictureFacts } from "../../../model/told/picture-facts.ts";
import { html, type Markup } from "../markup.ts";
import { grantSection, pictureSection } from "../movement-section.ts";
import { accountLink, factLine, foreignText, inWords, nameOf, quotedHint, sentence } from "../own-text.ts";
import { checkSection, flagSection } from "../risk-section.ts";
import { shell } from "../shell.ts";
import { otherPreview, type PreviewForm } from "./preview-form.ts";

export interface MessagePage {
  message: MessageExplanation;
  /** Account that would sign. */
  signer: Address;
  form: PreviewForm;
}

export function renderMessagePage({ message, signer, form }: MessagePage): string {
  const facts = factsOf(message, checksum(signer));
  const pictured = { explanation: message, facts, planned: true };
  const title = `Before signing: ${inWords(message.action_type)} · txgloss`;
  return shell({ title, unlisted: true }, [
    html`<h1>${sentence(message.summary)}</h1>`,
    factLine(message.action_type, ["a message", "not signed"]),
    html`<p class="unhappened"><strong>Not happened.</strong> Signing moves nothing at once. What others do with the signature later is not known.</p>`,
    flagSection(message),
    quotedHint(message),
    message.partial && html`<p class="note"><strong>Incomplete.</strong> Not all of it could be read or is known.</p>`,
    facts.grants.length > 0 && pictureSection(pictured),
    grantSection(pictured),
    fieldSection(message),
    checkSection(message),
    otherPreview(form),
  ]);
}

/** For a picture. */
function factsOf({ grants, message: { contract }, provenance }: MessageExplanation, subject: string): PictureFacts {
  const untrusted = new Set(provenance.untrusted_fields);
  const named = grants.flatMap(({ spender, spender_label }) =>
    spender_label === null ? [] : [[spender, spender_label]],
  );
  return {
    ...{ subject, sender: subject, target: contract, legs: [], cut: 0, changes: [], failures: [], logs: [] },
    grants: grants.map((grant, i) => grantFacts(grant, subject, untrusted.has(`grants[${i}].token`))),
    labels: Object.fromEntries(named),
  };
}

function grantFacts(
  { token, token_address, spender, amount, token_id, until }: MessageGrant,
  owner: string,
  untrusted: boolean,
): GrantFacts {
  const unlimited = amount === "unlimited";
  return {
    ...{ owner, spender, token, token_address, untrusted, unlimited },
    kind: amount !== null ? "amount" : token_id === undefined ? "operator" : "nft",
    amount: unlimited ? null : amount,
    ...{ raw: false, through: null, until: until?.slice(0, 10) ?? null, uncertain: false },
  };
}

function fieldSection({ message, provenance: { untrusted_fields } }: MessageExplanation): Markup {
  const { primary_type, contract, contract_label, fields } = message;
  const name =
    primary_type !== null && html`: ${nameOf(primary_type, untrusted_fields.includes("message.primary_type"))}`;
  const checks =
    contract !== null &&
    html`<p>Checked by ${accountLink(contract)}${contract_label !== null && html` ${foreignText(contract_label)}`}.</p>`;
  const rows = fields.map(
    ({ path, type, value }) =>
      html`<tr><th scope="row" class="hex">${foreignText(path)}</th><td class="value">${foreignText(value)}</td><td class="hex">${foreignText(type)}</td></tr>`,
  );
  return html`<section><h2 id="signed">What is signed${name}</h2>${checks}${fields.length > 0 && html`<div class="scroll" role="region" aria-labelledby="signed" tabindex="0"><table><thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Type</th></tr></thead><tbody>${rows}</tbody></table></div>`}</section>`;
}
