import { chain } from "../../../kernel/chain-profile.ts";
import { paths } from "../links.ts";
import { type Filling, html, type Markup } from "../markup.ts";
import { shell } from "../shell.ts";

export interface PreviewForm {
  /** JSON to be signed. */
  request: string;
  /** Account that would sign. */
  from: string;
}

export const emptyForm: PreviewForm = { request: "", from: "" };

export function renderPreviewForm(): string {
  const description = `What a ${chain.name} transaction or a signature would do, told before it is signed.`;
  return shell({ title: "Before signing · txgloss", description }, [
    html`<h1>What would this do?</h1>
<p class="lead">Paste what your wallet asks you to sign, before you sign it. You get a sentence, a picture of what would move, the rights that it would give, and what is not certain.</p>`,
    previewForm(emptyForm),
    html`<section><h2>What can be pasted</h2><ul>
<li>A transaction as wallets show it: <span class="hex">from</span>, <span class="hex">to</span>, <span class="hex">value</span> in wei, <span class="hex">data</span>.</li>
<li>A message (EIP-712 typed data): <span class="hex">types</span>, <span class="hex">primaryType</span>, <span class="hex">domain</span>, <span class="hex">message</span>.</li>
<li>A delegation of your account (EIP-7702): <span class="hex">chainId</span>, <span class="hex">address</span>, <span class="hex">nonce</span>.</li>
<li>A user operation (ERC-4337), as <span class="hex">[operation, EntryPoint]</span>.</li>
<li>A whole request of a site to a wallet: <span class="hex">method</span> and <span class="hex">params</span>.</li></ul>
<p>For example, an approval of USDC without limit:</p><pre>${example}</pre>
<p class="hint">Nothing is signed or sent, and nothing is kept, but an answer that was paid for: it can be fetched again for a day, and is dropped then. Never paste a private key or a recovery phrase: nobody needs it for this. Programs ask <span class="hex">POST /preview</span>; <a href="${paths.reference}">the API</a> has the details.</p></section>`,
  ]);
}

const example = `{
  "from": "0x1111111111111111111111111111111111111111",
  "to": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  "value": "0x0",
  "data": "0x095ea7b30000000000000000000000002222222222222222222222222222222222222222ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
}`;

/** Needs no script. */
function previewForm({ request, from }: PreviewForm): Markup {
  return html`<form class="paste" action="${paths.previewed}" method="post" accept-charset="utf-8"><label for="request">What you are asked to sign</label><textarea id="request" name="request" required autocomplete="off" autocapitalize="off" spellcheck="false">
${request}</textarea><label for="from">Who would sign it</label><input id="from" name="from" value="${from}" placeholder="0x…" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="from-hint"><p class="hint" id="from-hint">The address of your account. A transaction that names its sender needs none.</p><button>Show what it would do</button></form>`;
}

export function otherPreview(form: PreviewForm): Markup {
  return html`<details class="evidence"><summary>Change it, or preview another one</summary>${previewForm(form)}</details>`;
}

/** With the form, to be corrected. */
export function renderPreviewTrouble(
  { title, message, code, retryable }: { title: string; message: string; code: string; retryable: boolean },
  form: PreviewForm,
): string {
  const more: Filling = retryable && html` Trying again later may help.`;
  return shell({ title: `${title} · txgloss`, unlisted: true }, [
    html`<h1>${title}</h1><p class="note">${message}${more}</p>`,
    previewForm(form),
    html`<p class="hint">What can be pasted is told <a href="${paths.preview}">beside the empty form</a>. Code: <span class="hex">${code}</span></p>`,
  ]);
}
