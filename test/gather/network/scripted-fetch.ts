import { afterEach, beforeEach, vi } from "vitest";

export const origin = "https://server.example";

interface ScriptedServer {
  /** Paths that were asked for. */
  asked: string[];
  /** What is answered to each. */
  answer(path: string, signal: AbortSignal): unknown;
}

/** A server at `origin` whose answers a test gives. Nothing leaves the process. */
export function scriptFetch(): ScriptedServer {
  const server: ScriptedServer = { asked: [], answer: () => json({}) };
  beforeEach(() => {
    Object.assign(server, { asked: [], answer: () => json({}) });
    vi.stubGlobal("fetch", async (url: string, { signal }: { signal: AbortSignal }) => {
      server.asked.push(url.slice(origin.length));
      const gone = new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      return Promise.race([server.answer(url, signal), gone]);
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  return server;
}

export const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
export const never = () => new Promise(() => {});
export const soon = () => new AbortController().signal;
