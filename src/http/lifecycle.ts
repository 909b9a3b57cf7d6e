import type { FastifyInstance } from "fastify";
import type { Connections } from "./connections.ts";
import { afterQuietTurn } from "./quiet-turn.ts";

export interface StopOptions {
  connections: Connections;
  /** Milliseconds for which connections are still taken, so that proxies notice that the service is not ready any more. */
  delayMs: number;
  /** Milliseconds from the signal to the end, the delay included. */
  drainMs: number;
  /** Called a moment before the time is up: ends work that can end early. */
  hurry: () => void;
  /** Called when everything is closed. `clean` is false if requests were cut off. */
  stopped: (clean: boolean) => void;
}

/**
 * Stops on SIGTERM or SIGINT. First each response closes its connection and readiness is gone, while new connections are still taken.
 * After the delay none are taken, idle ones are closed, streams end, and running requests may finish. What is left at the end is
 * answered with 503 and cut off. On SIGINT, which a person sends, there is no delay; a second signal cuts off at once. Returns what
 * a signal calls.
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
    // First of all, and at once: the framework has other things to do before.
    const closed = new Promise<void>((resolve) => app.server.close(() => resolve()));
    // A connection becomes idle after its last response. Node looks for idle ones only from time to time.
    setTimeout(closeIdleSoon, idleMs).unref();
    void Promise.all([closed, app.close()]).then(() => options.stopped(clean));
  };
  // Node closes idle connections before it stops listening. There are none any more, so that this takes no time.
  const closeInTwoSteps = () => {
    app.server.closeIdleConnections();
    afterQuietTurn(connections, hurryAt, close);
  };
  const cutOff = () => {
    if (connections.refuseWaiting() > 0 || connections.counts().open > 0) clean = false;
    // The refusals go out first.
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

/** Between two looks for idle connections. */
const idleMs = 50;
/** Before the end: work is hurried, then what is left is cut off, so that the ledger can close in time. */
const hurryMs = 1_500;
const cutOffMs = 700;
/** For the last responses. */
const flushMs = 100;
