import { expect, onTestFinished } from "vitest";
import { hashOf } from "../../support/sample.ts";
import { openServer } from "../../support/server.ts";

/** So many hashes of transactions, one after the other. */
export const hashes = (count: number, from = 1) => Array.from({ length: count }, (_, index) => hashOf(from + index));
export const json = { "content-type": "application/json" };

/** A server that is closed after the test, and a function that sends it a batch. */
export function openBatchServer(options: Parameters<typeof openServer>[0] = {}) {
  const server = openServer(options);
  onTestFinished(() => server.app.close());
  const ask = (body: unknown, headers: Record<string, string> = {}) =>
    server.app.inject({ method: "POST", url: "/explain/batch", headers: { ...json, ...headers }, payload: text(body) });
  return { ...server, ask };
}

/** A body as it is sent. */
export const text = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body));

/** The lines of a body, each without its end. */
export function linesOf(body: string): string[] {
  expect(body.endsWith("\n")).toBe(true);
  return body.slice(0, -1).split("\n");
}
