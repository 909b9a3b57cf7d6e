import mcp from "../../../schemas/mcp.json" with { type: "json" };
import messageSchema from "../../../schemas/message.schema.json" with { type: "json" };
import passSchema from "../../../schemas/pass.schema.json" with { type: "json" };
import paymentRequiredSchema from "../../../schemas/payment-required.schema.json" with { type: "json" };
import previewSchema from "../../../schemas/preview.schema.json" with { type: "json" };
import previewRequestSchema from "../../../schemas/preview-request.schema.json" with { type: "json" };
import shortSchema from "../../../schemas/short-explanation.schema.json" with { type: "json" };
import toolRequestSchema from "../../../schemas/tool-request.schema.json" with { type: "json" };
import viewSchema from "../../../schemas/view.schema.json" with { type: "json" };
import viewRequestSchema from "../../../schemas/view-request.schema.json" with { type: "json" };
import type { Catalog } from "../../rules/ruleset/catalog.ts";
import { explanationPart, toPart, withActionTypes } from "../http/openapi.ts";
import { pictureColours, pictureStyles } from "../picture/styles.ts";
import { appProgram } from "./picture-app/app-program.ts";
import { pictureUri } from "./picture-app/picture-resource.ts";
import type { ToolDefinition } from "./tool.ts";

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

type Json = Record<string, unknown>;

/** For the model of a client. */
export const instructions = mcp.instructions.join(" ");

/** As in `tools/list`: schemas/mcp.json with argument and result schemas. */
export const passDefinition = define("buy_pass", {
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  outputSchema: orChallenge(toPart(passSchema)),
});

/** `appUri`: page that draws results (MCP Apps, 2026-01-26). */
export function explainDefinition(actionTypes: readonly string[], appUri?: string): ToolDefinition {
  const outputSchema = orChallenge(explanationPart(actionTypes), withActionTypes(shortSchema, actionTypes));
  const definition = define("explain_transaction", { inputSchema: toPart(toolRequestSchema), outputSchema });
  // Older hosts read the second key.
  return appUri === undefined
    ? definition
    : { ...definition, _meta: { ui: { resourceUri: appUri }, "ui/resourceUri": appUri } };
}

export function viewDefinition(actionTypes: readonly string[]): ToolDefinition {
  const outputSchema = orChallenge(withActionTypes(viewSchema, actionTypes));
  return define("view_transaction", { inputSchema: toPart(viewRequestSchema), outputSchema });
}

export function previewDefinition(actionTypes: readonly string[]): ToolDefinition {
  const told = [previewSchema, messageSchema].map((schema) => withActionTypes(schema, actionTypes));
  const outputSchema = orChallenge(...told);
  return define("preview_transaction", { inputSchema: toPart(previewRequestSchema), outputSchema });
}

function define(
  name: keyof typeof mcp.tools,
  schemas: Pick<ToolDefinition, "inputSchema" | "outputSchema">,
): ToolDefinition {
  const { title, description, annotations } = mcp.tools[name];
  return { name, title, description: description.join(" "), ...schemas, annotations };
}

/** Some clients check even errors, and want `type` at the root. */
function orChallenge(...results: readonly object[]): Record<string, unknown> {
  return { type: "object", anyOf: [...results, toPart(paymentRequiredSchema)] };
}

/** As in `resources/list`, with text. */
export type Resource = (typeof mcp.resources)["rules"] & { text: string; _meta?: Json };

/** Protocols and action types. */
export function listResources({ protocols, actionTypes }: Catalog): Resource[] {
  return [
    { ...mcp.resources.rules, text: JSON.stringify({ protocols }) },
    { ...mcp.resources.action_types, text: JSON.stringify({ action_types: actionTypes }) },
  ];
}

/** As in `resources/templates/list`. */
export const pictureTemplate = mcp.templates.picture;

/** MCP Apps; its policy loads nothing. */
export function appResource(version: string): Resource {
  const ui = { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true };
  return {
    ...mcp.resources.app,
    _meta: { ui },
    text: renderAppPage(version, pictureUri),
  };
}
