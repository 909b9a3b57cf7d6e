import { chain } from "../../kernel/chain-profile.ts";
import { paths } from "./links.ts";
import { html } from "./markup.ts";
import { findForm, shell } from "./shell.ts";

export interface ExampleLink {
  hash: string;
  says: string;
}

/** Recorded in the project: no network. */
export const exampleLinks: readonly ExampleLink[] = [
  {
    hash: "0x1dadb9930dfd8732fe2281435fabf3b32d0a1317b02c4484153e3c9c8e5aa5ce",
    says: "A swap through five pools",
  },
  { hash: "0x175142237798780d7c2bf8c7f7cf1201e7c1b033f941eb2236e8bcc3a9671e44", says: "An unlimited approval" },
  { hash: "0x6e52d9bc2cf9aaaaf888e5b94ace9d9e808081986a474f1c37960e47a414f7a0", says: "Rewards of 50 tokens at once" },
];

export function renderStartPage(): string {
  const chainName = chain.name;
  const title = `txgloss: what a ${chainName} transaction did`;
  const description = `Explains ${chainName} transactions in plain English, by rules, with the evidence.`;
  return shell({ title, description, withoutField: true }, [
    html`<h1>What did this transaction do?</h1>
<p class="lead">Paste the hash of a ${chainName} transaction, or the link of an explorer. You get one sentence, a picture of who moved what to whom, and what was checked.</p>
${findForm("find large")}
<ul class="plain examples">${exampleLinks.map(({ hash, says }) => html`<li><a href="${paths.transaction(hash)}">${says}</a></li>`)}</ul>
<p>About to sign something? <a href="${paths.preview}">See what it would do</a> before you sign it.</p>`,
    html`<div class="pair"><section><h2>What this is</h2><ul>
<li>Rules read the transaction; no language model takes part. The same transaction gives the same words.</li>
<li>A protocol is named only where the contract is proven to belong to it.</li>
<li>Each sentence rests on logs, calls and movements that are listed.</li>
<li>Whoever lost something is told, with the amount and who got it.</li></ul></section>
<section><h2>What it is not</h2><ul>
<li>No promise of safety: it says what was checked, and what was not.</li>
<li>No advice, and no judgement of people.</li>
<li>No wallet: it asks for no key, no signature and no account.</li>
<li>No tracking: no cookie, no script, nothing from other sites.</li></ul></section></div>
<p>For programs: the same as JSON by <a href="${paths.reference}">the API</a>. What the rules know is <a href="${paths.protocols}">listed</a>.</p>`,
  ]);
}
