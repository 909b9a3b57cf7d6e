import { viewProgram } from "./view-program.ts";

/** Nothing from elsewhere: one program and one style sheet of its own, images only as data. The host's own policy is no looser. */
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const styles = `:root{color-scheme:light dark;background:Canvas;color:CanvasText;font:15px/1.5 system-ui,"Noto Sans",sans-serif}
body{margin:0;padding:12px}p{margin:0 0 8px;overflow-wrap:anywhere;unicode-bidi:isolate}#state{opacity:.75}#state:empty{display:none}
ul{list-style:none;margin:0 0 8px;padding:0}li{border-left:4px solid light-dark(#a35200,#ffb35c);padding:2px 10px;margin:4px 0;overflow-wrap:anywhere;unicode-bidi:isolate}
img{display:block;max-width:100%;height:auto}[hidden]{display:none!important}#narrow{display:none}@media(max-width:640px){#wide{display:none}#narrow{display:block;margin:0 auto}}`;

/** The page that hosts of MCP Apps show beside a result of `explain_transaction`. It is the same for every result. */
export function renderViewPage(version: string, pictureUri: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>txgloss</title><style>${styles}</style></head>
<body><main><p id="summary" dir="auto"></p><ul id="warnings"></ul><img id="wide" alt="" hidden><img id="narrow" alt="" hidden><p id="state"></p></main>
<script>${viewProgram(version, pictureUri)}</script></body></html>
`;
}
