import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { tagged } from "../../../gather/explain/explain.ts";
import { ServiceError } from "../../../kernel/error.ts";
import { readPastedHash } from "../../../kernel/hex.ts";
import type { ProtocolFacts } from "../../../model/told/protocol-facts.ts";
import { pageHeaders, paths, referencePolicy } from "../../web/links.ts";
import { renderPreviewForm } from "../../web/preview/preview-form.ts";
import { renderProtocolList, renderProtocolPage } from "../../web/protocol-pages.ts";
import { type Operation, referenceAssets, referenceOpener, renderReferencePage } from "../../web/reference-page.ts";
import { renderStartPage } from "../../web/start-page.ts";
import { pageIcon, pageStyles } from "../../web/styles.ts";
import { renderTroublePage } from "../../web/trouble-page.ts";
import { htmlType, sendPage } from "../send-page.ts";
import { type CountStatic, createStaticResponse } from "../static-response.ts";

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
      file.send(request, reply, kept);
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
