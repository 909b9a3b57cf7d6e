import type { FastifyInstance } from "fastify";
import type { Connections } from "./connections.ts";
import { afterQuietTurn } from "./quiet-turn.ts";

export interface StopOptions {
  connections: Connections;
  /** Milliseconds for which new connections are still accepted, so that proxies notice that the service is no longer ready. */
  delayMs: number;
  /** Milliseconds from the signal to the end, including the delay. */
  drainMs: number;
  /** Called shortly before the time is up: ends work that can end early. */
  hurry: () => void;
  /** Called when everything is closed. `clean`: false if requests were cut off. */
  stopped: (clean: boolean) => void;
}

/**
 * Stops the server on SIGTERM or SIGINT. First, each response closes its connection and the service reports that it is not ready, but new
 * connections are still accepted. After the delay, none are accepted, idle ones are closed, streams end, and running requests may finish.
 * Requests that are left at the end are answered with 503. On SIGINT, which a person sends, there is no delay. A second signal cuts off at
 * once. Returns the function that a signal calls.
 */
export function stopOnSignal(app: FastifyInstance, options: StopOptions): () => void {
  const { connections, delayMs, drainMs } = options;
  let clean = true;
  let stopping = false;
  let closing = false;
  let hurryAt = Number.POSITIVE_INFINITY;
  const closeIdle = () => {
    app.server.closeIdleConnections();
    connections.closeSilent();
    setTimeout(closeIdleSoon, idleMs).unref();
  };
  const closeIdleSoon = () => afterQuietTurn(connections, hurryAt, closeIdle);
  const close = () => {
    if (closing) return;
    closing = true;
    // Stop listening first: `app.close()` does other things before that.
    const closed = new Promise<void>((resolve) => app.server.close(() => resolve()));
    // A connection becomes idle after its last response, but Node.js looks for idle connections only from time to time.
    setTimeout(closeIdleSoon, idleMs).unref();
    void Promise.all([closed, app.close()]).then(() => options.stopped(clean));
  };
  // Node.js closes idle connections before it stops listening. They are closed here first, so that this takes no time.
  const closeInTwoSteps = () => {
    app.server.closeIdleConnections();
    afterQuietTurn(connections, hurryAt, close);
  };
  const cutOff = () => {
    if (connections.refuseWaiting() > 0 || connections.counts().open > 0) clean = false;
    // Waits until the refusals have been sent.
    setTimeout(() => app.server.closeAllConnections(), flushMs);
    close();
  };
  const stop = (signal?: NodeJS.Signals) => {
    if (stopping) return cutOff();
    stopping = true;
    connections.drain();
    const calmMs = Math.max(0, drainMs - hurryMs);
    hurryAt = performance.now() + calmMs;
    setTimeout(options.hurry, calmMs).unref();
    setTimeout(cutOff, Math.max(0, drainMs - cutOffMs)).unref();
    const wait = signal === "SIGINT" ? 0 : Math.min(delayMs, calmMs);
    setTimeout(() => afterQuietTurn(connections, hurryAt, closeInTwoSteps), wait);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
  return stop;
}

/** Milliseconds between two searches for idle connections. */
const idleMs = 50;
/**
 * Milliseconds before the end. At `hurryMs` work is asked to end early, at `cutOffMs` the rest is cut off, so that the ledger can close in
 * time.
 */
const hurryMs = 1_500;
const cutOffMs = 700;
/** Milliseconds for sending the last responses. */
const flushMs = 100;
