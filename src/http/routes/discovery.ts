import type { FastifyInstance } from "fastify";
import type { PriceList } from "../../access/price-list.ts";
import { entityTag } from "../../explain/explain.ts";
import { createReadyResponse, jsonType } from "../ready-response.ts";
import { type LlmsTextOptions, writeLlmsText } from "./llms-text.ts";

/** Headers of what anybody may read from anywhere: it says only how the service is called. */
const openHeaders = { "cache-control": "public, max-age=3600", "access-control-allow-origin": "*" };

/** Adds a path whose text never changes while the service runs. */
export function addOpenText(app: FastifyInstance, path: string, text: string, contentType = jsonType): void {
  const ready = createReadyResponse(openHeaders, contentType);
  const body = Buffer.from(text);
  const tagged = { body, etag: entityTag(body) };
  app.get(path, (request, reply) => ready.send(request, reply, tagged, []));
}

/** `GET /llms.txt` and `GET /.well-known/x402`: how agents and catalogs of paid services find out what there is. */
export function addDiscoveryRoutes(app: FastifyInstance, options: LlmsTextOptions): void {
  addOpenText(app, "/llms.txt", writeLlmsText(options), "text/plain; charset=utf-8");
  addOpenText(app, "/.well-known/x402", JSON.stringify(listSold(options)));
}

/** What catalogs read (x402scan, "Discovery"): the addresses that answer a request without a body with their price. */
function listSold({ prices, has }: LlmsTextOptions): { version: 1; resources: string[]; instructions: string } {
  if (prices === null)
    return { version: 1, resources: [], instructions: "Nothing is charged here. /llms.txt tells what can be called." };
  const paths = [
    "/explain",
    "/explain/batch",
    ...(has.view ? ["/view"] : []),
    ...(has.preview ? ["/preview"] : []),
    "/pass",
  ];
  return {
    version: 1,
    resources: paths.map((path) => `${prices.publicUrl}${path}`),
    instructions: describeSale(prices),
  };
}

function describeSale({ call, pass, freeCallsPerDay }: PriceList): string {
  return `All resources take POST with JSON: /openapi.json describes them. ${freeCallsPerDay} calls a day are free, then one costs ${call} USDC; a pass costs ${pass} USDC.`;
}
