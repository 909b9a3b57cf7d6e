import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { tagged } from "../../../gather/explain/explain.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import { ServiceError } from "../../../kernel/error.ts";
import { readPastedHash } from "../../../kernel/hex.ts";
import type { ProtocolFacts } from "../../../model/told/protocol-facts.ts";
import { pictureColours, pictureStyles } from "../../picture/styles.ts";
import { pageHeaders, paths, referencePolicy } from "../../web/links.ts";
import { html } from "../../web/markup.ts";
import { renderPreviewForm } from "../../web/preview/preview-form.ts";
import { renderProtocolList, renderProtocolPage } from "../../web/protocol-pages.ts";
import { findForm, shell } from "../../web/shell.ts";
import { renderTroublePage } from "../../web/trouble-page.ts";
import { htmlType, sendPage } from "../send-page.ts";
import { type CountStatic, createStaticResponse } from "../static-response.ts";

const { light, dark } = pictureColours;

/** Light and dark, phones and paper. */
export const pageStyles = `:root{color-scheme:light dark;${light};--warn:#fff4e5;--warnline:#a35200;--ok:#0b6b4f}
@media(prefers-color-scheme:dark){:root{${dark};--warn:#2e2416;--warnline:#ffb35c;--ok:#57d9a3}}
*{box-sizing:border-box}
body{margin:0 auto;padding:0 16px 32px;max-width:968px;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%}
a{color:var(--mark);text-underline-offset:2px}a:focus-visible,button:focus-visible,input:focus-visible,textarea:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
h1{font-size:1.5rem;line-height:1.3;letter-spacing:-.01em;margin:28px 0 8px;overflow-wrap:anywhere;text-wrap:pretty}h2{font-size:1.05rem;margin:36px 0 8px;overflow-wrap:anywhere}h3{font-size:.95rem;margin:18px 0 4px}
p{margin:8px 0;overflow-wrap:anywhere}small{color:var(--dim);font-size:.85em}.hex{font-family:ui-monospace,"Noto Sans Mono",monospace;font-size:.9em}
.top{display:flex;flex-wrap:wrap;gap:8px 20px;align-items:center;padding:14px 0;border-bottom:1px solid var(--line)}.brand{font-weight:700;font-size:1.05rem;color:var(--fg);text-decoration:none;letter-spacing:-.01em}.top nav{display:flex;gap:16px;margin-left:auto}.top nav a{text-decoration:none}
.find{display:flex;gap:8px}.find label{flex:1;min-width:0}.find input{width:100%;font:inherit;padding:10px 12px;border:1px solid var(--dim);border-radius:8px;background:var(--bg);color:var(--fg)}.find button{font:inherit;font-weight:600;padding:10px 18px;border:0;border-radius:8px;background:var(--mark);color:var(--bg);cursor:pointer}
.find.small{flex:1;min-width:240px;max-width:460px}.find.small input{padding:5px 10px;font-size:.9rem}.find.small button{padding:5px 12px;font-size:.9rem}.find.large{margin:20px 0 12px;max-width:720px}
.paste label{display:block;font-weight:600;margin:14px 0 4px}.paste textarea,.paste input{width:100%;font:.9rem/1.45 ui-monospace,"Noto Sans Mono",monospace;padding:10px 12px;border:1px solid var(--dim);border-radius:8px;background:var(--bg);color:var(--fg)}.paste textarea{min-height:12em;resize:vertical}.paste button{font:inherit;font-weight:600;padding:10px 18px;margin-top:14px;border:0;border-radius:8px;background:var(--mark);color:var(--bg);cursor:pointer}.paste input{max-width:52ch}.paste .hint{margin:4px 0}
pre{overflow-x:auto;background:var(--soft);border-radius:6px;padding:10px 12px;font-size:.85rem;white-space:pre-wrap;overflow-wrap:anywhere}
.whole{white-space:nowrap}.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.facts,.hint,figcaption,footer,.forms{color:var(--dim);font-size:.9rem}.facts .kind{color:var(--fg)}
.note{border-left:4px solid var(--warnline);background:var(--warn);padding:8px 12px;border-radius:0 6px 6px 0}
figure{margin:24px 0}figcaption{margin-top:10px}
.pic.narrow{display:none}@media(max-width:640px){.pic.wide{display:none}.pic.narrow{display:block;margin:0 auto}}
.flags,.checks,.plain{list-style:none;padding:0;margin:8px 0}.flag{border:1px solid var(--warnline);background:var(--warn);border-radius:8px;padding:8px 12px;margin:8px 0;overflow-wrap:anywhere}.flag strong{margin-right:4px}.flag.grave{border-color:var(--fail);border-left-width:5px}.flag.grave strong{color:var(--fail)}
.check{display:grid;grid-template-columns:13em 9em 1fr;gap:4px 14px;padding:8px 12px;border-left:4px solid var(--line);margin:6px 0;background:var(--soft);border-radius:0 6px 6px 0}.check.clean{border-color:var(--ok)}.check.clean .word{color:var(--ok)}.check.found{border-color:var(--warnline)}.check.open{border-left-style:dashed;border-color:var(--warnline);background:none;outline:1px dashed var(--line)}.check.open .word{color:var(--warnline)}.check.none .word{color:var(--dim)}
@media(max-width:640px){.check{grid-template-columns:1fr auto}.check>:last-child{grid-column:1/-1;color:var(--dim);font-size:.9rem}}
.scroll{overflow-x:auto;border-radius:4px}table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{border-bottom:1px solid var(--line);padding:6px 8px;text-align:start;vertical-align:top;font-weight:400}thead th{color:var(--dim);font-size:.85em;white-space:nowrap}.num{text-align:end;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}td.num{min-width:11ch}td a{white-space:nowrap}.none{color:var(--dim);font-weight:400}.minus{color:var(--out)}.plus{color:var(--in)}.changes{width:auto;min-width:min(100%,28em)}.changes .plus,.changes .minus{font-weight:600}.differs{color:var(--warnline);font-weight:600}.agrees{color:var(--ok)}
td.value{overflow-wrap:anywhere;min-width:22ch}
@media(max-width:640px){.moves{min-width:600px}.known{min-width:680px}.moves .num{max-width:20ch}.changes.valued{min-width:520px}.changes.valued .plus,.changes.valued .minus{max-width:15ch;min-width:0}}
.unhappened{border:2px dashed var(--mark);border-radius:8px;padding:6px 12px}.uncertain{border-left:4px dashed var(--warnline);padding-left:14px}.uncertain li{padding:4px 0}
.evidence{margin:36px 0 0;border:1px solid var(--line);border-radius:8px;padding:0 14px}.evidence summary{cursor:pointer;font-weight:600;padding:10px 0}.evidence[open]{padding-bottom:10px}.plain li{padding:3px 0;font-size:.9rem;overflow-wrap:anywhere}
.cols{columns:3 15em;column-gap:24px;list-style:none;padding:0}.cols li{break-inside:avoid;padding:3px 0}.lead{font-size:1.1rem;max-width:44em}.pair{display:grid;grid-template-columns:1fr 1fr;gap:8px 32px}.pair ul{padding-left:1.2em;margin:4px 0}@media(max-width:640px){.pair{grid-template-columns:1fr}}
.examples li{padding:6px 0}.tag{display:inline-block;border:1px solid var(--line);border-radius:999px;padding:0 9px;margin:2px 4px 2px 0;font-size:.85rem}
footer{margin-top:48px;border-top:1px solid var(--line);padding-top:14px}
#reference:has(.swagger-ui){background:#fff;color:#1b1f24;color-scheme:light;border-radius:8px;padding:1px 8px}td small{overflow-wrap:anywhere}
${pictureStyles}
@media print{:root{${light}}body{max-width:none;padding:0;font-size:11pt}.top nav,.find,.paste,.forms,.scroll:focus{display:none}.scroll{overflow:visible}.moves,.known,.changes.valued{min-width:0}.pic.wide{display:block}.pic.narrow{display:none}figure,.check,.flag,tr{break-inside:avoid}details.evidence{border:0;padding:0}details::details-content{display:block;content-visibility:visible;block-size:auto}a{color:inherit;text-decoration:none}.flag,.note,.check,.pic .box{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`;

/** Two lanes and an arrow. */
const pageIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2458b8"/><path d="M8 7v18M24 7v18" stroke="#9db9ea" stroke-width="2"/><path d="M8 12h11m-4-4 4 4-4 4M24 21H13m4-4-4 4 4 4" fill="none" stroke="#fff" stroke-width="2.5"/></svg>
`;

interface ExampleLink {
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

/** Of /openapi.json. */
interface Operation {
  method: string;
  path: string;
  summary: string;
}

const referenceAssets = {
  program: "/assets/swagger-ui-bundle.js",
  styles: "/assets/swagger-ui.css",
  opener: "/assets/reference.js",
} as const;

/** The site's only script. */
const referenceOpener = `window.addEventListener("load", async () => {
  const spec = await (await fetch("${paths.openapi}")).json();
  // The library knows no dialect but its own, and warns of every other.
  delete spec.jsonSchemaDialect;
  SwaggerUIBundle({
    spec,
    dom_id: "#reference",
    deepLinking: true,
    validatorUrl: null,
    defaultModelsExpandDepth: 0,
    presets: [SwaggerUIBundle.presets.apis],
  });
});
`;

/** Without scripts it lists the operations. */
export function renderReferencePage(operations: readonly Operation[]): string {
  const head = html`<link rel="stylesheet" href="${referenceAssets.styles}"><script src="${referenceAssets.program}" defer></script><script src="${referenceAssets.opener}" defer></script>`;
  const description = "The HTTP API of txgloss: explain a transaction, buy a pass, see the state.";
  return shell({ title: "API · txgloss", description, head }, [
    html`<h1>API</h1><p>The whole description for programs is <a href="${paths.openapi}">openapi.json</a>.</p><div id="reference"><ul class="plain">${operations.map(({ method, path, summary }) => html`<li><span class="hex">${method} ${path}</span> ${summary}</li>`)}</ul></div>`,
  ]);
}

export interface PageOptions {
  ruleset: string;
  protocols: readonly ProtocolFacts[];
  operations: readonly Operation[];
  previews: boolean;
  /** Whether there is the reference of the API, with its program. Without it, its path leads to the OpenAPI document. */
  reference: boolean;
  service: CountStatic;
}

/** Adds the pages that are free, and their styles and icons. Each is made at its first request and kept. */
export function addPages(app: FastifyInstance, options: PageOptions): void {
  const { ruleset, protocols, operations, previews, service } = options;
  const keep = (path: string, type: string, make: () => string, headers: Record<string, string> = {}) => {
    const fixed = { ...pageHeaders, "x-ruleset": ruleset, "cache-control": "public, max-age=300", ...headers };
    const file = createStaticResponse(service, fixed, type);
    let kept: ReturnType<typeof tagged> | undefined;
    app.get(path, (request: FastifyRequest, reply: FastifyReply) => {
      kept ??= tagged(make());
      return file.send(request, reply, kept);
    });
  };
  keep(paths.start, htmlType, renderStartPage);
  if (previews) keep(paths.preview, htmlType, renderPreviewForm);
  keep(paths.protocols, htmlType, () => renderProtocolList(protocols));
  keep(paths.styles, "text/css; charset=utf-8", () => pageStyles);
  keep(paths.icon, "image/svg+xml", () => pageIcon);
  keep("/robots.txt", "text/plain; charset=utf-8", () => "User-agent: *\nDisallow: /tx/\nDisallow: /tx?\n");
  if (options.reference) addReference(keep, operations);
  else app.get(paths.reference, (_request, reply) => reply.redirect(paths.openapi, 303));
  app.get(paths.find, (request, reply) => {
    const { q } = request.query as { q?: unknown };
    const query = typeof q === "string" ? q : "";
    const hash = readPastedHash(query);
    if (hash !== undefined) return reply.redirect(paths.transaction(hash), 303);
    const { code, status, message, retryable } = new ServiceError("invalid_tx_hash");
    return sendPage(reply, status, renderTroublePage({ code, message, retryable, query }));
  });
  const byId = new Map(protocols.map((protocol) => [protocol.id, protocol]));
  app.get(paths.protocol(":id"), (request, reply) => {
    const protocol = byId.get((request.params as { id: string }).id);
    if (protocol !== undefined) return sendPage(reply, 200, renderProtocolPage(protocol));
    const { code, status, retryable } = new ServiceError("not_found");
    const message = "The rules know no protocol of this name.";
    return sendPage(reply, status, renderTroublePage({ code, message, retryable }));
  });
}

type Keep = (path: string, type: string, make: () => string, headers?: Record<string, string>) => void;

function addReference(keep: Keep, operations: readonly Operation[]): void {
  const library = createRequire(import.meta.url);
  const [program, styles] = ["swagger-ui-bundle.js", "swagger-ui.css"].map((name) =>
    library.resolve(`swagger-ui-dist/${name}`),
  ) as [string, string];
  keep(paths.reference, htmlType, () => renderReferencePage(operations), {
    "content-security-policy": referencePolicy,
  });
  const script = "text/javascript; charset=utf-8";
  keep(referenceAssets.program, script, () => readFileSync(program, "utf8"));
  keep(referenceAssets.opener, script, () => referenceOpener);
  keep(referenceAssets.styles, "text/css; charset=utf-8", () => readFileSync(styles, "utf8"));
}
