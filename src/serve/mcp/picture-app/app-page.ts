import { pictureColours, pictureStyles } from "../../picture/styles.ts";
import { appProgram } from "./app-program.ts";

/** One inline program and style, no images, no servers; the host's policy too. */
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const { light, dark } = pictureColours;

/** Light or dark by the host, until then the system. */
const styles = `:root{${light};--warn:#a35200;color-scheme:light;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,"Noto Sans",sans-serif}
@media(prefers-color-scheme:dark){:root:not(.light){${dark};--warn:#ffb35c;color-scheme:dark}}:root.dark{${dark};--warn:#ffb35c;color-scheme:dark}
body{margin:0;padding:12px}p{margin:0 0 8px;overflow-wrap:anywhere;unicode-bidi:isolate}#state{color:var(--dim)}#state:empty{display:none}
ul{list-style:none;margin:0 0 8px;padding:0}li{border-left:4px solid var(--warn);padding:2px 10px;margin:4px 0;overflow-wrap:anywhere;unicode-bidi:isolate}
#narrow{display:none}@media(max-width:640px){#wide{display:none}#narrow{display:block}#narrow svg{margin:0 auto}}
${pictureStyles}`;

/** MCP Apps, for `explain_transaction`; equal for every result. */
export function renderAppPage(version: string, pictureUri: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>txgloss</title><style>${styles}</style></head>
<body><main><p id="summary" dir="auto"></p><ul id="warnings"></ul><div id="wide"></div><div id="narrow"></div><p id="state"></p></main>
<script>${appProgram(version, pictureUri)}</script></body></html>
`;
}
