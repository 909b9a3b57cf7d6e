import { pictureColours, pictureStyles } from "../picture/styles.ts";

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
export const pageIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2458b8"/><path d="M8 7v18M24 7v18" stroke="#9db9ea" stroke-width="2"/><path d="M8 12h11m-4-4 4 4-4 4M24 21H13m4-4-4 4 4 4" fill="none" stroke="#fff" stroke-width="2.5"/></svg>
`;
