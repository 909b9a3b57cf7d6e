import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { hashOf } from "./sample.ts";

/** The metadata that a client of the newest protocol revision sends with each message. */
export const modernMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  "io.modelcontextprotocol/clientInfo": { name: "txgloss-tests", version: "1.0.0" },
};

/** A call of explain_transaction. `params` replaces parts of its params. */
export function callOf(params: object = {}, id: unknown = 1): Record<string, unknown> {
  const usual = { name: "explain_transaction", arguments: { tx_hash: hashOf(1) } };
  return { jsonrpc: "2.0", id, method: "tools/call", params: { ...usual, ...params } };
}

/** The same call as the newest revision has it. */
export function modernCallOf(params: { _meta?: object; [name: string]: unknown } = {}, id: unknown = 1) {
  return callOf({ ...params, _meta: { ...modernMeta, ...params._meta } }, id);
}

export const both = { accept: "application/json, text/event-stream", "content-type": "application/json" };

/** The headers of the newest revision for a message. */
export function modernHeaders(name = "explain_transaction", method = "tools/call"): Record<string, string> {
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": method };
  return method === "tools/call" ? { ...headers, "mcp-name": name } : headers;
}

/** `POST /mcp` without a network. A header whose value is undefined is left out. */
export function postMcp(
  app: FastifyInstance,
  message: unknown,
  headers: Record<string, string | undefined> = {},
): Promise<LightMyRequestResponse> {
  const all = { host: "localhost", ...both, ...headers };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
  const payload = typeof message === "string" || Buffer.isBuffer(message) ? message : JSON.stringify(message);
  return app.inject({ method: "POST", url: "/mcp", headers: sent, payload });
}
