import { paths } from "./links.ts";
import { html } from "./markup.ts";
import { shell } from "./shell.ts";

/** One operation of the API, as /openapi.json tells it. */
export interface Operation {
  method: string;
  path: string;
  summary: string;
}

/** Files of the kept library that shows the reference, by the name that they have here. */
export const referenceAssets = {
  program: "/assets/swagger-ui-bundle.js",
  styles: "/assets/swagger-ui.css",
  opener: "/assets/reference.js",
} as const;

/** Opens the reference: the only script of the site. */
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

/** The reference of the API. Without script it lists the operations. `hasLibrary`: whether the library is installed. */
export function renderReferencePage(operations: readonly Operation[], hasLibrary: boolean): string {
  const head = hasLibrary
    ? html`<link rel="stylesheet" href="${referenceAssets.styles}"><script src="${referenceAssets.program}" defer></script><script src="${referenceAssets.opener}" defer></script>`
    : null;
  const description = "The HTTP API of txgloss: explain a transaction, buy a pass, see the state.";
  return shell({ title: "API · txgloss", description, head }, [
    html`<h1>API</h1><p>The whole description for programs is <a href="${paths.openapi}">openapi.json</a>.</p><div id="reference"><ul class="plain">${operations.map(({ method, path, summary }) => html`<li><span class="hex">${method} ${path}</span> ${summary}</li>`)}</ul></div>`,
  ]);
}
