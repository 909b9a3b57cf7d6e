import { paths } from "./links.ts";
import { html } from "./markup.ts";
import { shell } from "./shell.ts";

/** Of /openapi.json. */
export interface Operation {
  method: string;
  path: string;
  summary: string;
}

export const referenceAssets = {
  program: "/assets/swagger-ui-bundle.js",
  styles: "/assets/swagger-ui.css",
  opener: "/assets/reference.js",
} as const;

/** The site's only script. */
export const referenceOpener = `window.addEventListener("load", async () => {
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
