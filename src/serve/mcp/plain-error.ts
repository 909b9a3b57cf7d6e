import { isJsonObject, parseJson } from "../../kernel/canonical.ts";

/**
 * The same response, but where the SDK tells bad parameters by the findings of its validator, the code is -32602 (Invalid params) with one
 * sentence. The SDK uses -32603 (Internal error) for some of them, though nothing is broken here.
 */
export async function tellBadParams(response: Response, method: unknown): Promise<Response> {
  if (!response.headers.get("content-type")?.startsWith("application/json")) return response;
  const text = await response.text();
  const body = parseJson(text);
  const error = isJsonObject(body) ? body.error : undefined;
  const place = isJsonObject(error) ? placeIn(error.message) : undefined;
  const { status } = response;
  const init = { status, headers: { "content-type": "application/json" } };
  if (place === undefined) return new Response(text, init);
  const message = `The parameters of ${String(method)} do not fit: ${place} is missing or has the wrong type.`;
  return new Response(JSON.stringify({ ...(body as object), error: { code: -32_602, message } }), init);
}

/** The place of the first finding, such as `params.uri`; undefined where the message has no list of findings. */
function placeIn(message: unknown): string | undefined {
  if (typeof message !== "string") return undefined;
  const findings = parseJson(message.slice(Math.max(0, message.indexOf("["))));
  const [first] = Array.isArray(findings) ? findings : [];
  const path = isJsonObject(first) ? first.path : undefined;
  return Array.isArray(path) ? path.map(String).join(".").slice(0, 100) : undefined;
}
